/// Custom rules for the reports of an app. They come after the built-in ones, and win.
///
/// A line is a rule: conditions, then actions; `#` begins a comment.
///
///     function:"Acme::Assert*"               class=death above
///     caller[function:Cart::*] function:memcpy  class=app
///     message:"*disk full*"                  fingerprint="disk full"
///
/// A rule holds when all of its conditions do. If two rules disagree on a frame or a report, the later wins.
/// Conditions test names and classes as they are without these rules, so that no rule affects another's
/// matches.
public struct CustomRules: Hashable, Sendable {
  /// The text as it was written.
  public let text: String
  let rules: [CustomRule]

  /// Bytes of a file, its rules, scalars of a line, conditions of a rule and bytes of a pattern.
  enum Limit {
    static let bytes = 256 * 1024
    static let rules = 1_000
    static let line = 4_096
    static let conditions = 32
    static let pattern = 512
    /// Bytes of a message, or of a tag's value, that conditions look at.
    static let value = 4_096
    /// Bytes of a name that a rule sets, and of a text in a fingerprint.
    static let name = 300
    static let parts = 8
    static let frames = 1...10
  }

  /// Each rule's name in explanations is `own:` and the number of its line.
  public static let list = "own"

  /// - Throws: ``CustomRulesError`` with every problem, if there is one.
  public init(parsing text: String) throws(CustomRulesError) {
    self.text = text
    var rules: [CustomRule] = []
    var problems: [CustomRulesError.Problem] = []
    guard text.utf8.count <= Limit.bytes else {
      throw CustomRulesError(problems: [
        .init(line: 1, column: 1, reason: "the file has more than \(Limit.bytes) bytes")
      ])
    }
    for (index, line) in Self.lines(of: text).enumerated() {
      do throws(CustomRulesError.Problem) {
        guard let rule = try CustomRulesParser.rule(in: line, number: index + 1) else { continue }
        rules.append(rule)
        if rules.count > Limit.rules {
          throw .init(
            line: index + 1, column: 1, reason: "there are more than \(Limit.rules) rules")
        }
      } catch {
        problems.append(error)
        if problems.count == CustomRulesError.limit { break }
      }
    }
    guard problems.isEmpty else { throw CustomRulesError(problems: problems) }
    self.rules = rules
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// The number of rules.
  public var count: Int { rules.count }

  public static func == (one: CustomRules, other: CustomRules) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
