internal import Bytes
internal import Crypto

/// An immutable, numbered set of grouping rules. A version always gives a report the same signature.
public struct GroupingRules: Hashable, Sendable {
  private let number: Number

  private enum Number: String, Sendable {
    case v1
  }

  /// The version's name in signatures: `v1`.
  public var version: String { number.rawValue }

  /// Custom rules of an app, which come after the built-in ones.
  public let own: CustomRules?

  /// The first rules.
  public static let v1 = GroupingRules(number: .v1)
  /// The rules of new apps, and of reports outside a store.
  public static let standard = v1

  var compiled: RulesVersion {
    switch number {
    case .v1: .v1
    }
  }

  /// The built-in versions, the oldest first.
  public static let builtIn = [v1]

  private init(number: Number, own: CustomRules? = nil) {
    self.number = number
    self.own = own
  }

  /// The rules of a version; `nil` if there is no version of that name.
  public init?(builtIn version: String) {
    guard let rules = Self.builtIn.first(where: { $0.version == version }) else { return nil }
    self = rules
  }

  /// The same version with other custom rules, or without any.
  public func with(_ own: CustomRules?) -> GroupingRules { GroupingRules(number: number, own: own) }

  /// The built-in lists by name, as text. A rule's id such as `death.rules:12` is line 12 of the list
  /// `death.rules`.
  public var lists: [(name: String, text: String)] {
    compiled.lists.indices.map { (compiled.lists[$0].name, compiled.file.text(of: $0)) }
  }

  /// The SHA-256 of the version, all lists and the custom rules, in hexadecimal. It differs if any rule does.
  public var digest: String {
    let builtIn = compiled.file.digest.hexadecimalDigits
    guard let own else { return builtIn }
    return SHA256.hex(of: ByteView("\(builtIn)\u{1f}\(own.text)".utf8))
  }
}
