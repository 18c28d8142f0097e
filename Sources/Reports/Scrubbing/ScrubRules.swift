public import Bytes
internal import Crypto
internal import INI
internal import Patterns

/// The secrets that a home removes: lists of rules that come with the program, own patterns, and
/// names whose values are secrets.
///
/// The rules are in `scrub.conf` of the home:
///
///     [scrub]
///     use = secrets
///     use = email
///     name = customer number
///     submissions = scrub
///
///     [patterns]
///     customer = \bK-\d{8}\b
///
/// Without the file, `secrets` is used.
public struct ScrubRules: Sendable {
  /// Whether submissions are stored unchanged, or scrubbed if they are text.
  public enum Submissions: String, Sendable {
    case keep, scrub
  }

  public let lists: [String]
  public let rules: [ScrubRule]
  /// The names in the form in which they are compared: lower-case letters and digits.
  public let names: [String]
  public let submissions: Submissions
  /// The version of the rules, recorded in a result; equal for equal rules.
  public let version: String

  /// The highest number of rules, those of the lists included.
  public static let limit = 64
  /// The maximum size of their text in bytes.
  public static let sizeLimit = 1 << 18

  /// The lists that come with the program, and what each removes.
  public static var known: [(name: String, purpose: String)] {
    BuiltInRules.lists.map { ($0.name, $0.purpose) }
  }

  /// The rules of a home without a file.
  public static let standard = (try? ScrubRules(parsing: .empty)) ?? ScrubRules()

  /// No rules.
  private init() {
    (lists, rules, names, submissions, version) = ([], [], [], .keep, "\(BuiltInRules.version)")
  }

  /// The rules of a home.
  ///
  /// - Parameters:
  ///   - text: The text; `nil` for the standard rules.
  ///   - name: The name of the text in errors, such as the path of its file.
  /// - Throws: ``ScrubError``.
  public init(_ text: ByteView?, named name: String) throws {
    guard let text else {
      self = .standard
      return
    }
    do {
      try self.init(parsing: text)
    } catch let error as ScrubError {
      throw ScrubError(line: error.line, reason: error.reason, path: name)
    }
  }

  /// - Throws: ``ScrubError``.
  public init(parsing bytes: ByteView) throws {
    let entries: [INIEntry]
    do {
      entries = try INIFile(parsing: bytes).entries
    } catch {
      throw ScrubError(line: error.line, reason: error.reason)
    }
    var lists: [String] = []
    var own: [ScrubRule] = []
    var names: [String] = []
    var submissions = Submissions.keep
    var saysLists = false
    for entry in entries {
      func refused(_ reason: String) -> ScrubError { ScrubError(line: entry.line, reason: reason) }
      switch (entry.section, entry.name) {
      case ("scrub", "use"):
        saysLists = true
        if entry.value == "none" { continue }
        guard BuiltInRules.lists.contains(where: { $0.name == entry.value }) else {
          let known = BuiltInRules.lists.map(\.name).joined(separator: ", ")
          throw refused("unknown list '\(entry.value)'; choose from \(known), or none")
        }
        if !lists.contains(entry.value) { lists.append(entry.value) }
      case ("scrub", "name"):
        let name = Self.comparable(entry.value)
        guard !name.isEmpty else { throw refused("a name has letters or digits") }
        names.append(name)
      case ("scrub", "submissions"):
        guard let value = Submissions(rawValue: entry.value) else {
          throw refused("submissions must be keep or scrub")
        }
        submissions = value
      case ("patterns", let name):
        guard name.utf8.allSatisfy({ ByteSet.word.contains($0) || $0 == UInt8(ascii: "-") }) else {
          throw refused("the name of a pattern is letters, digits, - and _")
        }
        do {
          own.append(try ScrubRule(list: "own", name: name, pattern: entry.value))
        } catch {
          throw refused("\(name): \(error)")
        }
      case (let section, let name):
        throw refused("nothing is called '\(name)' in [\(section)]")
      }
    }
    if !saysLists { lists = ["secrets"] }
    var rules: [ScrubRule] = []
    for list in BuiltInRules.lists where lists.contains(list.name) {
      for rule in list.rules {
        do {
          rules.append(try ScrubRule(list: list.name, name: rule.name, pattern: rule.pattern))
        } catch {
          preconditionFailure("\(list.name): \(rule.pattern): \(error)")
        }
      }
    }
    self.lists = lists.sorted()
    // The home's own rules come first.
    self.rules = own + rules
    guard self.rules.count <= Self.limit else {
      throw ScrubError(line: 1, reason: "there are more than \(Self.limit) rules")
    }
    self.names = (lists.contains("secrets") ? BuiltInRules.names : []) + names
    self.submissions = submissions
    version = Self.version(self.rules, self.names, submissions)
  }

  private static func version(
    _ rules: [ScrubRule], _ names: [String], _ submissions: Submissions
  ) -> String {
    var text = submissions.rawValue + "\n"
    for rule in rules { text += "\(rule.name)\t\(rule.text)\n" }
    text += names.joined(separator: "\n")
    return "\(BuiltInRules.version)-" + SHA256.hex(of: ByteView(text.utf8)).prefix(12)
  }

  /// The letters, in lower case, and digits of a name.
  static func comparable(_ name: String) -> String {
    String(
      decoding: name.utf8.compactMap { byte -> UInt8? in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "): nil
        default: byte
        }
      }, as: UTF8.self)
  }

  /// Whether the value of a tag or property of this name is a secret.
  public func isSecret(_ name: String) -> Bool {
    guard !names.isEmpty else { return false }
    let name = Self.comparable(name)
    return names.contains { name.hasSuffix($0) }
  }
}
