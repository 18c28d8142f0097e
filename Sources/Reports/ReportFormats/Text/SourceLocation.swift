internal import Bytes

/// `FILE:LINE:COLUMN`, with column and line possibly missing or 0.
struct SourceLocation {
  var file: String?
  var line: Int?
  var column: Int?
  /// Whether a line was given, even 0 for code without a line.
  private(set) var hasNumber = false

  /// A file whose line is found elsewhere.
  init(file: String) { self.file = file }

  init(_ text: RawSpan) {
    var path = text
    let last = Self.number(atEndOf: path)
    if let last {
      hasNumber = true
      path = path.upTo(last.start)
      if let before = Self.number(atEndOf: path) {
        path = path.upTo(before.start)
        line = before.value
        column = last.value
      } else {
        line = last.value
      }
    }
    if line == 0 { line = nil }
    if line == nil || column == 0 { column = nil }
    if path.byteCount > 0, !path.ends(with: "<compiler-generated>"), !path.has("<unknown>"),
      !path.has("<null>"), !path.has("??")
    {
      file = path.name
    } else {
      line = nil
      column = nil
    }
  }

  /// The number after the last colon, and the position of that colon.
  private static func number(atEndOf text: RawSpan) -> (start: Int, value: Int)? {
    var start = text.byteCount
    while start > 0, text.byte(start - 1).isDigit { start -= 1 }
    guard start < text.byteCount, start > 1, text.byte(start - 1) == UInt8(ascii: ":") else {
      return nil
    }
    let colon = start - 1
    guard let value = text.decimal(at: &start) else { return nil }
    return (colon, value > UInt64(Int32.max) ? 0 : Int(value))
  }
}
