/// One line of a list of rules.
public struct RuleLine: Hashable, Sendable {
  /// The name of the list: `death.rules`.
  public let list: String
  /// Counted from 1.
  public let number: Int
  /// The text of the line; empty between two parts of a list.
  public let text: String
  /// The comment that heads its part of the list.
  public let heading: String?

  /// `death.rules:12`, as steps of signatures refer to it.
  public var id: String { "\(list):\(number)" }

  /// Whether it is a rule, neither a comment nor empty.
  public var isRule: Bool {
    !text.isEmpty && !text.hasPrefix(list == CustomRules.list ? "#" : "# ")
  }
}

extension GroupingRules {
  /// The lines of a list; `nil` if there is none of that name.
  ///
  /// - Complexity: O(bytes of the list).
  public func lines(of list: String) -> [RuleLine]? {
    let known =
      list == CustomRules.list
      ? own?.text
      : compiled.lists.firstIndex { $0.name == list }.map { compiled.file.text(of: $0) }
    guard let text = known else { return nil }
    var heading: String?
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      number, line in
      if line.hasPrefix("# ") { heading = String(line.dropFirst(2)) }
      return RuleLine(list: list, number: number + 1, text: String(line), heading: heading)
    }
  }

  /// The line that a step names, such as `death.rules:12`; `nil` for anything that isn't a line of
  /// a list.
  ///
  /// - Complexity: O(bytes of the list).
  public func line(_ rule: String) -> RuleLine? {
    guard let colon = rule.lastIndex(of: ":"), let number = Int(rule[rule.index(after: colon)...]),
      let lines = lines(of: String(rule[..<colon])), lines.indices.contains(number - 1)
    else { return nil }
    return lines[number - 1]
  }

  /// The purpose of a list, in a few words; `nil` if there is no list of that name.
  public func purpose(of list: String) -> String? {
    list == CustomRules.list
      ? "custom rules of an app" : compiled.lists.first { $0.name == list }?.purpose
  }
}
