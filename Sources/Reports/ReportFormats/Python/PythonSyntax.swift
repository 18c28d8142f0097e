internal import Bytes
internal import CrashModel

/// An error in the program's own source, which has no traceback:
///
///       File "/app/tern.py", line 43
///         print render(data)
///               ^^^^^^^^^^^^
///     SyntaxError: invalid syntax
enum PythonSyntax {
  /// Whether the exception at `mark` follows only a file, and no traceback.
  static func isAlone(_ text: RawSpan, at mark: Int) -> Bool {
    guard let file = fileLine(in: text, before: mark) else { return false }
    var end = file.lowerBound
    // A traceback continues without an empty line.
    for _ in 0..<64 where end > 0 {
      let start = (text.findLast(10, before: end - 1) ?? -1) + 1
      let line = text.between(max(start, end - 1024), end - 1).trimmed
      if line.byteCount == 0 { return true }
      if line.contains("Traceback (most recent call last):") || line.contains(", in ") {
        return false
      }
      end = start
    }
    return true
  }

  /// The line with the file, among the nearest few.
  private static func fileLine(in text: RawSpan, before mark: Int) -> Range<Int>? {
    var end = mark
    for index in 0..<5 where end > 0 {
      let limit = max(0, end - 1024)
      let start =
        text.between(limit, max(limit, end - (index == 0 ? 0 : 1))).findLast(10).map {
          limit + $0 + 1
        } ?? limit
      let line = text.between(start, end)
      if index > 0, let file = line.find("File \""),
        let call = PythonFrameLine(line.from(file).trimmed)
      {
        return call.frame.function == nil ? start..<end : nil
      }
      end = start
    }
    return nil
  }

  static func report(of section: ReportSection, in text: RawSpan) -> CrashReport {
    var report = CrashReport(format: .pythonTraceback)
    var block = PythonBlock()
    let headline = section.headline
    _ = block.readException(text.between(headline.start, headline.line.upperBound).trimmed)
    var counter = StackCounter()
    if let range = fileLine(in: text, before: headline.start) {
      let line = text.part(range)
      if let file = line.find("File \""), let call = PythonFrameLine(line.from(file).trimmed) {
        block.append(call.frame, counter: &counter)
      }
    }
    let exception = block.exception()
    report.reason.type = exception.type
    report.reason.message = exception.message
    report.reason.exception = exception
    return report
  }
}
