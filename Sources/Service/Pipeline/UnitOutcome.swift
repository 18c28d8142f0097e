public import Watching

/// The outcome of a file of a watched folder, archives as a whole.
public enum WatchedOutcome: Equatable, Sendable {
  case stored
  case attached
  /// The reasons, one per line.
  case refused(String)
  /// It was deleted, or replaced by something else; it will be read again if it comes back.
  case gone
}

/// The outcome of the files of a unit.
public struct UnitOutcome: Sendable {
  public let unit: WaitingUnit
  public let file: WatchedOutcome
  /// The outcomes of the unit's companions, in their order.
  public let companions: [WatchedOutcome]
}
