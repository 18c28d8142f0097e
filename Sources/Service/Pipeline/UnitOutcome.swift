public import Watching

/// The outcome of a file of a watched folder, archives as a whole.
public enum WatchedOutcome: Equatable, Sendable {
  case stored
  case attached
  /// The reasons, a line each.
  case refused(String)
  /// It is gone, or was replaced by something else; it will be met again if it comes back.
  case gone
}

/// The outcome of the files of a unit.
public struct UnitOutcome: Sendable {
  public let unit: WaitingUnit
  public let file: WatchedOutcome
  /// In the order of the unit's companions.
  public let companions: [WatchedOutcome]
}
