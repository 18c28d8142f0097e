internal import Bytes
internal import CrashModel

/// ` in FILE on line N` or ` in FILE:N`, at the end of a line.
struct PHPLocation {
  let start: Int
  let frame: Frame

  init?(endOf line: RawSpan) {
    guard let mark = line.findLast(" in ") else { return nil }
    let source = line.from(mark + 4)
    var frame = Frame(position: .returnAddress)
    if let words = source.findLast(" on line ") {
      var index = words + 9
      guard let number = source.decimal(at: &index), index == source.byteCount, words > 0 else {
        return nil
      }
      frame.file = source.upTo(words).name
      frame.line = Int(exactly: number)
    } else {
      let location = SourceLocation(source)
      guard let file = location.file, let line = location.line,
        file.contains("/") || file.contains("\\") || file.hasSuffix(".php")
      else { return nil }
      frame.file = file
      frame.line = line
    }
    start = mark
    self.frame = frame
  }
}
