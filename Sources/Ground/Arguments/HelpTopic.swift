/// Something that help explains and that is not a command: `mayday help exit-codes`.
public struct HelpTopic: Hashable, Sendable {
  public enum Block: Hashable, Sendable {
    case paragraph(String)
    /// Terms, each with its meaning.
    case list([Row])
    /// Lines that are printed as they are, such as a piece of a file.
    case verbatim(String)
  }

  public struct Row: Hashable, Sendable {
    public let term: String
    public let meaning: String

    public init(_ term: String, _ meaning: String) {
      self.term = term
      self.meaning = meaning
    }
  }

  /// The word that asks for it.
  public let name: String
  /// Its subject, in a sentence.
  public let summary: String
  public let blocks: [Block]

  public init(_ name: String, _ summary: String, _ blocks: [Block]) {
    self.name = name
    self.summary = summary
    self.blocks = blocks
  }
}

extension HelpTopic {
  /// The text that `help` prints, 80 columns wide.
  public var help: String {
    let texts = blocks.map { block -> String in
      switch block {
      case .paragraph(let text): text.lines(wrappedTo: CommandDescription.width)
      case .list(let rows): HelpTable(rows.map { ($0.term, $0.meaning) }).text
      case .verbatim(let text):
        text.split(separator: "\n", omittingEmptySubsequences: false)
          .map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
      }
    }
    return ([summary + "\n"] + texts).joined(separator: "\n")
  }
}
