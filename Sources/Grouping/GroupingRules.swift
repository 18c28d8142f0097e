internal import Bytes
internal import Hashing

/// An immutable, numbered set of grouping rules. What a version makes of a report never changes.
public struct GroupingRules: Hashable, Sendable {
  /// The version's name in signatures: `v1`.
  public let version: String

  public static let v1 = GroupingRules(version: "v1")

  /// The built-in lists by name, as text. A step's rule such as `death.rules:12` is line 12 of the
  /// list `death.rules`.
  public var lists: [(name: String, text: String)] { RuleLists.all.map { ($0.name, $0.text) } }

  /// The SHA-256 of the version and all lists, in hexadecimal: another one means other rules.
  public var digest: String { Self.digests }

  /// Worked out once: the lists never change while the program runs.
  private static let digests: String = {
    var text = "\(v1.version)\u{1f}"
    for (name, lines) in v1.lists { text += "\(name)\u{1f}\(lines)\u{1f}" }
    return SHA256.hex(of: ByteView(text.utf8))
  }()
}
