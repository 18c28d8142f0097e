internal import CrashModel
internal import CrashService

/// A file of comma-separated values, as RFC 4180 describes it.
///
/// Spreadsheets take a text that begins with `=`, `+`, `-`, `@` for a formula, and a crash report may
/// hold any text: such a text gets an apostrophe before it, which spreadsheets do not show. What acts
/// on a terminal is shown as an escape, so that a value never holds a line end.
package struct CSV {
  package enum Value {
    case text(String)
    /// Digits of our own, which need no apostrophe.
    case number(String)
  }

  package private(set) var text = ""

  package mutating func add(_ values: [Value]) {
    text += values.map(Self.field).joined(separator: ",") + "\r\n"
  }

  private static func field(_ value: Value) -> String {
    switch value {
    case .number(let digits): return digits
    case .text(let text):
      var text = text.printable
      if let first = text.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) {
        text = "'" + text
      }
      let isPlain = !text.unicodeScalars.contains { ",\"".unicodeScalars.contains($0) }
      if isPlain, text.first != " ", text.last != " " { return text }
      return "\""
        + text.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }
  }

  package init(text: String = "") {
    self.text = text
  }
}
