/// A field of the query language.
public struct QueryField: Sendable, Hashable {
  /// How its values are written and compared.
  public enum Kind: String, Sendable, CaseIterable {
    /// The whole value, in either letter case; `*` and `?` stand for anything. An app without these is
    /// meant letter for letter.
    case name
    /// A part of the value, in either letter case; `=` before it asks for the whole.
    case text
    /// As a name, and in the order of versions.
    case version
    case number
    case time
    /// One of a few words.
    case choice
    /// The whole value, letter for letter.
    case exact
  }

  /// What it is a property of.
  public enum Level: String, Sendable, CaseIterable {
    case report, group
  }

  /// As it is written before the colon.
  public let name: String
  public let aliases: [String]
  public let kind: Kind
  public let level: Level
  /// Its meaning, in a few words.
  public let meaning: String
  /// A condition with it.
  public let example: String
  /// The words that it knows, where it is a choice.
  public let choices: [String]
  /// The values that it compares; it is counted by the first.
  public let sources: [ValueSource]
  /// The name of the tag, for ``ValueSource/tag``.
  public internal(set) var tag: String?

  init(
    _ name: String, _ kind: Kind, _ sources: [ValueSource],
    _ meaning: String, _ example: String, aliases: [String] = [], choices: [String] = [],
    level: Level = .report
  ) {
    self.name = name
    self.aliases = aliases
    self.kind = kind
    self.level = level
    self.meaning = meaning
    self.example = example
    self.choices = choices
    self.sources = sources
  }

  public static func == (left: QueryField, right: QueryField) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The prefixes of fields whose name goes on with the name of a tag or property.
  static let openPrefixes = ["tag.", "property."]

  /// The field of this name or alias, in either letter case; any field beginning with `tag.` or
  /// `property.`.
  public init?(named name: String) {
    let wanted = name.lowercased()
    if let prefix = Self.openPrefixes.first(where: wanted.hasPrefix),
      wanted.utf8.count > prefix.utf8.count
    {
      self.init(prefix, String(name.dropFirst(prefix.count)))
      return
    }
    guard let field = Self.byName[wanted] else { return nil }
    self = field
  }

  private init(_ prefix: String, _ name: String) {
    let field = prefix == "tag." ? Self.tags : Self.properties
    self.init(prefix + name, .name, [.tag], field.meaning, field.example)
    tag = prefix == "tag." ? name : ReportValues.propertyPrefix + name
  }

  /// Whether a value stands for all that begin with it.
  var isStart: Bool { sources == [.id] || sources == [.variant] }

  /// Whether counts by this field can be made.
  public var isCountable: Bool {
    switch kind {
    case .number, .time, .exact: false
    case .name, .text, .version, .choice:
      !["text", "is", "id", "variant", "attachment"].contains(name)
    }
  }

  private static let byName: [String: QueryField] = {
    var fields: [String: QueryField] = [:]
    for field in all {
      for name in [field.name] + field.aliases { fields[name] = field }
    }
    return fields
  }()

  /// The names of all fields, in the order of ``all``.
  public static var names: [String] { all.map(\.name) }
}
