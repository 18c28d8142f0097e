/// An immutable, numbered set of grouping rules. What a version makes of a report never changes.
public struct GroupingRules: Hashable, Sendable {
  /// The version's name in signatures: `v1`.
  public let version: String

  public static let v1 = GroupingRules(version: "v1")

  /// The built-in lists by name, as text. A step's rule such as `death.rules:12` is line 12 of the
  /// list `death.rules`.
  public var lists: [(name: String, text: String)] { RuleListsV1.all.map { ($0.name, $0.text) } }
}
