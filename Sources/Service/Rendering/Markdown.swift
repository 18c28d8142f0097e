internal import Bytes
internal import CrashService

/// Markdown around untrusted text, which stays text: sites into which the result is pasted mark up, link or
/// mention nothing in it.
package enum Markdown {
  /// Returns text in which no character is special in Markdown; text that a site would link becomes code.
  package static func text(_ text: String) -> String {
    let text = text.printable
    return isLinked(text) ? code(text) : escaped(text)
  }

  /// Whether sites would automatically link a part of the text: addresses, and mentions of people and issues.
  private static func isLinked(_ text: String) -> Bool {
    text.contains { $0 == "@" || $0 == "#" } || text.contains("://") || text.contains("www.")
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    var previous: Character?
    var rest = Substring(text)
    while let character = rest.popFirst() {
      // Between letters or digits, an underscore marks nothing.
      let isWithinWord = Self.isWord(previous) && Self.isWord(rest.first)
      if character == "_" ? !isWithinWord : "\\`*{}[]<>|~&!".contains(character) {
        escaped.append("\\")
      }
      escaped.append(character)
      previous = character
    }
    return escapedStart(of: escaped)
  }

  private static func isWord(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
  }

  /// Escapes the start of a line that would become a list, a rule or an underlined heading.
  private static func escapedStart(of text: String) -> String {
    guard let first = text.first else { return text }
    if "+-=".contains(first) { return "\\" + text }
    let number = text.prefix { $0.isNumber }
    let rest = text[number.endIndex...]
    guard !number.isEmpty, let mark = rest.first, mark == "." || mark == ")",
      rest.dropFirst().first.map({ $0 == " " }) ?? true
    else { return text }
    return number + "\\" + rest
  }

  /// Returns a span of code.
  package static func code(_ text: String) -> String {
    let text = text.printable
    guard !text.isEmpty else { return "" }
    let mark = String(repeating: "`", count: longestRun(in: text) + 1)
    // Markdown strips one blank at either end.
    let isPadded = text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ")
    return mark + (isPadded ? " \(text) " : text) + mark
  }

  /// Returns unchanged lines in a fence that is longer than any in them.
  package static func fenced(_ lines: [String]) -> String {
    let longest = lines.map(longestRun).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return ([fence] + lines + [fence]).joined(separator: "\n") + "\n"
  }

  private static func longestRun(in text: String) -> Int {
    var longest = 0
    var run = 0
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  /// Returns text for a table cell. A bar would end the cell, even within code.
  package static func cell(_ text: String) -> String {
    let text = text.printable
    return isLinked(text) ? code(text).replacing("|", with: "\\|") : escaped(text)
  }

  /// Returns a name as code for a table cell.
  package static func codeCell(_ text: String) -> String { code(text).replacing("|", with: "\\|") }

  /// Returns a table row of finished cells.
  package static func row(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// Returns a section that is closed until the reader opens it.
  package static func folded(_ title: StaticString, _ content: String) -> String {
    "\n<details><summary>\(title)</summary>\n\n\(content)\n</details>\n"
  }
}
