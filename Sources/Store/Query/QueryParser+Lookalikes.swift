internal import Spelling

/// Text that is plainly meant as a condition, but is not one: `version>=1.1`, `(is:open`. It would be searched for
/// as text, and match nothing.
extension QueryParser {
  /// A term that is not a condition as it is written.
  struct Lookalike {
    let message: String
    let range: Range<Int>
    let hint: String
  }

  /// - Throws: ``QueryError`` with the condition that was probably meant.
  func checkLookalike() throws(QueryError) {
    guard let lookalike else { return }
    throw error(
      lookalike.message, lookalike.range,
      hint: lookalike.hint + " To search for it as text, put it in quotes.")
  }

  /// The condition that the next term only looks like; `nil` if it is one, or text.
  var lookalike: Lookalike? {
    guard peek != "\"", !isMethod else { return nil }
    return groupedCondition ?? exclaimedCondition ?? comparison(from: position)
  }

  /// `(is:open`
  private var groupedCondition: Lookalike? {
    guard peek == "(" else { return nil }
    var start = position
    while start < scalars.count, scalars[start] == "(" { start += 1 }
    guard isCondition(from: start) || comparison(from: start) != nil else { return nil }
    return Lookalike(
      message: "parentheses do not group conditions", range: position..<start,
      hint: "Leave them out: all conditions must hold, and a|b matches either value.")
  }

  /// `!is:open`
  private var exclaimedCondition: Lookalike? {
    guard peek == "!", isCondition(from: position + 1) else { return nil }
    let term = text(position + 1..<end(from: position + 1))
    return Lookalike(
      message: "'!' does not negate a condition", range: position..<(position + 1),
      hint: "Write a minus sign before it: -\(term).")
  }

  /// `version>=1.4`, `app=Tern`, `signal!=SIGSEGV`
  private func comparison(from start: Int) -> Lookalike? {
    var end = start
    while end < scalars.count, scalars[end].isOfName || scalars[end] == "-" { end += 1 }
    let name = text(start..<end)
    guard let field = QueryField(named: name), name == name.lowercased() else { return nil }
    let signs = scalars[end...].prefix { "=<>!~".unicodeScalars.contains($0) }
    let sign = String(String.UnicodeScalarView(signs))
    let valueEnd = self.end(from: end)
    let value = text((end + signs.count)..<max(valueEnd, end + signs.count))
    guard !value.isEmpty else { return nil }
    let meant: String
    switch sign {
    // `last<Element>` is a name.
    case "<", "<=", ">", ">=":
      guard field.isOrdered, !value.hasSuffix(">") else { return nil }
      meant = "\(name):\(sign)\(value)"
    case "=", "==", "=~", "~":
      guard field.isOftenCompared else { return nil }
      meant = "\(name):\(value)"
    case "!=", "!~":
      guard field.isOftenCompared else { return nil }
      meant = "-\(name):\(value)"
    default: return nil
    }
    return Lookalike(
      message: "a colon is missing after '\(name)'", range: start..<valueEnd,
      hint: "Did you mean \(meant)?")
  }

  /// Whether a known field and a colon are here.
  private func isCondition(from start: Int) -> Bool {
    var end = start
    if end < scalars.count, scalars[end] == "-" { end += 1 }
    let first = end
    while end < scalars.count, scalars[end].isOfName || scalars[end] == "-" { end += 1 }
    guard end < scalars.count, scalars[end] == ":",
      end + 1 >= scalars.count || scalars[end + 1] != ":"
    else { return false }
    return QueryField(named: text(first..<end)) != nil
  }

  /// The end of the term that is here.
  private func end(from start: Int) -> Int {
    var end = min(start, scalars.count)
    while end < scalars.count, !scalars[end].properties.isWhitespace { end += 1 }
    return end
  }

  func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  // MARK: Words of other products

  /// The values that other products have for choices, and what to write here.
  private static let otherWords = [
    "unresolved": "is:open|regressed for groups that are not resolved",
    "closed": "is:resolved", "fixed": "is:resolved", "archived": "is:ignored",
    "muted": "is:ignored", "unhandled": "is:crash", "crashed": "is:crash",
    "assigned": "-is:unassigned", "mine": "assignee:me", "error": "is:handled",
    "anr": "is:hang",
  ]

  /// A hint in place of a value that a choice does not have.
  static func hint(for choice: String, of field: QueryField) -> String {
    let choices = "Choose from " + field.choices.joined(separator: ", ") + "."
    if let other = otherWords[choice] { return "Write \(other). " + choices }
    let near = Suggestion.nearest(to: choice, among: field.choices)
    return (near.map { "Did you mean \($0)? " } ?? "") + choices
  }
}

extension QueryField {
  /// Whether its values can be smaller or larger than others.
  fileprivate var isOrdered: Bool {
    switch kind {
    case .version, .number, .time: true
    case .name, .text, .choice, .exact: false
    }
  }

  /// Whether a name and an equals sign are hardly a part of a message.
  fileprivate var isOftenCompared: Bool {
    switch kind {
    case .version, .number, .choice: true
    case .exact: true
    case .time, .text: false
    case .name: !["id", "code", "type", "process", "image", "format"].contains(name)
    }
  }
}
