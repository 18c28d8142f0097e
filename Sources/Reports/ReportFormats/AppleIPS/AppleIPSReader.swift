internal import Bytes
internal import CrashModel

/// Apple's reports with a JSON body, since iOS 15 and macOS 12; file name `.ips`.
///
/// A header object on one line, then the body object, on one line or many, with or without a line break in
/// between. Either may be missing. `bug_type` does not determine the body: a header may also precede a text
/// report, which is another format.
enum AppleIPSReader: DocumentReader {
  static let format = ReportFormat.appleIPS
  static let fileExtension = "ips"
  static let openings: [StaticString] = ["{\"app_name\"", "{\"bug_type\"", "{\"timestamp\""]

  static func recognises(_ bytes: ByteView) -> Bool {
    switch AppleIPSOpening(of: bytes) {
    case .header(_, isBeforeText: false), .body: true
    case .header(_, isBeforeText: true), nil: false
    }
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var reports: [CrashReport] = []
    var start = 0
    while start < bytes.count {
      let rest = bytes.clamped(start..<bytes.count)
      guard let opening = AppleIPSOpening(of: rest), !opening.isBeforeText else { break }
      guard reports.count < AppleLimits.reports else {
        reports[reports.count - 1].notes.append(
          "Only the first \(AppleLimits.reports) reports of the file are read.")
        break
      }
      var parser = AppleIPSParser(format: .appleIPS)
      let end = parser.read(rest, from: start, hasHeader: opening.isHeader)
      reports.append(parser.finished().withScriptStack())
      start += max(end, 1)
    }
    guard !reports.isEmpty else { throw ParseError(.notRecognised, in: "Apple report", at: 0) }
    return reports
  }
}
