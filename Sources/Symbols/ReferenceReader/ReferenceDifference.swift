/// A difference between two readers of a file.
public struct ReferenceDifference: Sendable {
  public enum Kind: String, Sendable {
    /// The presence of a section, symbol or id.
    case container
    /// The function that the code belongs to.
    case function
    /// The presence of any function.
    case range
    /// The calls inlined there.
    case inlined
    /// File, line or column.
    case line
  }

  public enum Verdict: String, Sendable {
    /// The second reader reported that it could not read everything.
    case unread
    /// Only Mayday's reader has it.
    case onlyMayday = "only-mayday"
    /// Only the second reader has it.
    case onlySecond = "only-second"
    /// Both have a value, but not the same one.
    case different

    /// A description for the user.
    public var words: String {
      switch self {
      case .unread: "the second reader did not read all"
      case .onlyMayday: "only Mayday has it"
      case .onlySecond: "only the second reader has it"
      case .different: "they differ"
      }
    }
  }

  public var kind: Kind
  public var verdict: Verdict
  /// Linked addresses; empty for the container.
  public var addresses: Range<UInt64>
  public var mayday: String
  public var second: String
}
