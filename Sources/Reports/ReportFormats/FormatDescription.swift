public import CrashModel

/// The user documentation of a format, in `mayday formats` and docs/reference/formats.md. All texts are Markdown.
public struct FormatDescription: Sendable {
  /// Where reports of a format come from.
  public enum Family: String, Sendable, CaseIterable {
    case apple = "Apple"
    case android = "Android"
    case dumps = "Dumps"
    case nativeCode = "Native code"
    case systems = "Systems"
    case languages = "Languages"
    case engines = "Engines"
    case services = "Services"
  }

  /// The effect of debug files on the frames.
  public enum Symbols: String, Sendable, CaseIterable {
    /// Addresses are resolved.
    case resolved
    /// Frames stay as they were printed.
    case printed
  }

  /// One thing that is extracted.
  public struct Fact: Sendable {
    /// `recognised by`, `reason`, `stacks`.
    public let name: String
    public let text: String
  }

  /// The name of the format for people: `Go`.
  public let title: String
  public let family: Family
  public let symbols: Symbols
  /// The first version of Mayday that reads it.
  public let since: String
  /// The programs that write such reports, and where users find them.
  public let introduction: String
  public let facts: [Fact]
  /// Further information; may hold headings of the third level and tables.
  public let notes: String

  init(
    title: String, family: Family, symbols: Symbols, since: String, introduction: String,
    facts: [(name: String, text: String)], notes: String = ""
  ) {
    self.title = title
    self.family = family
    self.symbols = symbols
    self.since = since
    self.introduction = introduction
    self.facts = facts.map(Fact.init)
    self.notes = notes
  }
}

/// A format of the registry.
public struct KnownFormat: Sendable {
  public let format: ReportFormat
  /// The extension of files of this format, without the dot.
  public let fileExtension: String
  public let about: FormatDescription
}
