internal import CrashModel

/// `file:line:column` or `file:line`, with the numbers at the end.
struct ScriptLocation {
  var file: String?
  var line: Int?
  var column: Int?
  /// The number in place of the column, if there are two: Hermes writes an offset there, which may be 0.
  private(set) var offset: Int?

  init(_ text: Substring) {
    var rest = text
    let last = Self.number(atEndOf: &rest)
    let first = last == nil ? nil : Self.number(atEndOf: &rest)
    if !rest.isEmpty { file = String(rest) }
    guard let line = first ?? last, line > 0 else { return }
    self.line = line
    if first != nil, let last, last >= 0 { offset = last }
    if first != nil, let last, last > 0 { column = last }
  }

  private static func number(atEndOf text: inout Substring) -> Int? {
    guard let colon = text.utf8.lastIndex(of: 0x3a),
      let value = Int(text[text.utf8.index(after: colon)...])
    else { return nil }
    text = text[..<colon]
    return value
  }

  func set(_ frame: inout Frame) {
    frame.file = file
    frame.line = line
    frame.column = column
  }
}
