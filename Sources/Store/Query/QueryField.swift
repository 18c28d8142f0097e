/// A field of the query language.
public struct QueryField: Sendable, Hashable {
  /// How values of the field are written and compared.
  public enum Kind: String, Sendable, CaseIterable {
    /// The whole value, ignoring letter case; `*` and `?` are wildcards. An app without wildcards is
    /// compared exactly.
    case name
    /// A part of the value, ignoring letter case; `=` before it requires the whole value.
    case text
    /// Like a name, and ordered as versions.
    case version
    case number
    case time
    /// One of a few keywords.
    case choice
    /// The whole value, compared exactly.
    case exact
  }

  /// The owner of the property.
  public enum Level: String, Sendable, CaseIterable {
    case report, group
  }

  /// The name before the colon.
  public let name: String
  public let aliases: [String]
  public let kind: Kind
  public let level: Level
  /// Its meaning in a few words.
  public let meaning: String
  /// An example of a condition with it.
  public let example: String
  /// The allowed keywords of a choice.
  public let choices: [String]
  /// The values that it compares; counts by the field use the first.
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

  /// The prefixes of fields that are followed by the name of a tag or property.
  static let openPrefixes = ["tag.", "property."]

  /// The field with this name or alias, ignoring letter case; any field that begins with `tag.` or
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

  /// Whether a value matches all that begin with it.
  var isStart: Bool { sources == [.id] || sources == [.variant] }

  /// Whether items can be counted by this field.
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
