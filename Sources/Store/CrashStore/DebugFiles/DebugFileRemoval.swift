/// A debug file that goes, and why.
public struct DebugFileRemoval: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// Over the most bytes.
    case bytes
    /// Not needed for long enough.
    case age
    /// Only older releases have it.
    case release
    /// Somebody asked for it.
    case asked
  }

  public var file: DebugFileUse
  public var reason: Reason

  public init(file: DebugFileUse, reason: Reason) {
    self.file = file
    self.reason = reason
  }
}
