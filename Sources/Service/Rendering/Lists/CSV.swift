internal import Bytes
internal import CrashService

/// A file of comma-separated values (RFC 4180).
///
/// Spreadsheets take a text that begins with `=`, `+`, `-`, `@` for a formula, and a crash report may contain
/// any text: such a text is prefixed with an apostrophe, which spreadsheets do not show. Control characters
/// are escaped, so that a value never contains a line break.
package struct CSV {
  package enum Value {
    case text(String)
    /// A number that we formatted, which needs no apostrophe.
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
