/// A debug file to delete, and the reason.
public struct DebugFileRemoval: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// Over the limit of bytes.
    case bytes
    /// Not needed for long enough.
    case age
    /// Only older releases have it.
    case release
    /// The user asked for it.
    case asked
  }

  public var file: DebugFileUse
  public var reason: Reason

  public init(file: DebugFileUse, reason: Reason) {
    self.file = file
    self.reason = reason
  }
}
