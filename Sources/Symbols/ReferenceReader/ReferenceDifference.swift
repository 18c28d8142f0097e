/// Something that two readers of a file do not agree on.
public struct ReferenceDifference: Sendable {
  public enum Kind: String, Sendable {
    /// Whether a section, symbol or id is there.
    case container
    /// Which function the code belongs to.
    case function
    /// Whether there is a function at all.
    case range
    /// The calls inlined there.
    case inlined
    /// File, line or column.
    case line
  }

  public enum Verdict: String, Sendable {
    /// The second reader reported that it could not read everything.
    case unread
    /// Only our reader has it.
    case onlyMayday = "only-mayday"
    /// Only the second reader has it.
    case onlySecond = "only-second"
    /// Both have something, and it is not the same.
    case different

    /// In words for a person.
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
