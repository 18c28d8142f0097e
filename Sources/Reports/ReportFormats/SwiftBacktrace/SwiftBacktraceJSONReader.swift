internal import Bytes
internal import CrashModel
internal import JSON

/// The output of `swift-backtrace` with `format=json` (Swift 6.2 and later): one object, alone in a file or
/// after the program's output on the same stream.
///
/// The text of a fatal error and the signal's number are not in it; they are in the lines before.
///
/// Source: outputs of Swift 6.3, and the description of the format in its documentation.
enum SwiftBacktraceJSONReader: LogReader {
  static let format = ReportFormat.swiftBacktraceJSON
  static let fileExtension = "json"
  static let beginsDeaths = true
  static let headlines = SwiftHeadlines.json + SwiftHeadlines.before

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    guard let start = startOfObject(before: section.headline, in: text) else { return nil }
    var reader = JSONReader(text.from(start), reading: "JSON", base: start)
    var parser = SwiftJSONParser()
    var end: Int
    var note: String?
    do throws(ParseError) {
      try parser.read(&reader)
      end = start + reader.position
      if let cut = reader.cut { note = "the report is cut off after \(start + cut) bytes" }
    } catch {
      note = "the JSON is damaged, the rest of it is missing: \(error)"
      // Another report may have begun in the unreadable line.
      let line = section.headline.line.upperBound
      let read = text.part(line..<max(line, start + reader.position))
      end = line + (read.findLast(10) ?? 0)
    }
    guard parser.kind == "crashReport" || note != nil && parser.kind == nil else { return nil }
    var report = parser.finished(SwiftCrashMessage(before: section, in: text))
    if let note { report.notes.append(note) }
    return LoggedReport(report: report, end: end)
  }

  /// The brace before the `kind` of the object. The members before it normally hold no object; if they do,
  /// the outer one begins at a line.
  private static func startOfObject(before headline: Headline, in text: RawSpan) -> Int? {
    let limit = max(0, headline.start - FormatLimits.preludeBytes)
    return text.part(limit..<(headline.start + 1)).findLast(UInt8(ascii: "{")).map { limit + $0 }
  }
}
