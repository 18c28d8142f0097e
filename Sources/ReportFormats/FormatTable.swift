public import Bytes
public import CrashModel

/// All formats of reports that are read, told apart by their content.
///
/// Apple's formats and App Center's logs begin with the file. The others stand in the output of programs, behind anything
/// and between anything: Swift backtraces as text and as JSON, and the reports of sanitizers. A file
/// may hold many of them, and of several kinds.
///
/// Byte-order marks, terminal escapes, HTML escapes, indentation, and what loggers and containers put
/// before each line are looked through. Reports are searched in the first 256 MiB of a file.
public enum FormatTable {
  /// The format of the first report in `bytes`; `nil` when there is none.
  ///
  /// - Complexity: O(n).
  public static func format(of bytes: ByteView) -> ReportFormat? {
    do throws(ParseError) { return try reports(in: bytes).first?.format } catch { return nil }
  }

  /// All reports in `bytes`, in their order.
  ///
  /// - Throws: ``ParseError`` of the kind `notRecognised` when there is none; its `structure` says in
  ///   words what the bytes look like. Of the kind `limit` when there is none as far as is searched.
  ///   Another kind when it is a report that could not be read at all.
  /// - Complexity: O(n).
  public static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    if let other = OtherFormat(binary: bytes) { throw other.refusal }
    if let reports = try wholeReports(in: bytes) { return reports }
    let text = ReportText(bytes)
    if text.isCleaned, let reports = try wholeReports(in: text.bytes) { return reports }
    if let other = OtherFormat(before: text.bytes.bytes) { throw other.refusal }
    let reports = loggedReports(in: text)
    if !reports.isEmpty { return reports }
    if let document = PrefixedDocument.stripped(text.bytes.bytes),
      let reports = try wholeReports(in: document)
    {
      return reports
    }
    if text.isCut {
      throw ParseError(
        .limit(name: "bytes searched for a report", value: FormatLimits.searchedBytes),
        in: "report", at: FormatLimits.searchedBytes)
    }
    throw (OtherFormat(text: text.bytes.bytes) ?? .unknown).refusal
  }

  /// The reports of formats that begin with the file.
  private static func wholeReports(in bytes: ByteView) throws(ParseError) -> [CrashReport]? {
    if AppleIPSReader.recognises(bytes) { return try AppleIPSReader.reports(in: bytes) }
    if AppleCrashReader.recognises(bytes) { return try AppleCrashReader.reports(in: bytes) }
    if AppCenterReader.recognises(bytes) { return try AppCenterReader.reports(in: bytes) }
    return nil
  }

  /// The reports that stand in a log.
  private static func loggedReports(in text: ReportText) -> [CrashReport] {
    let bytes = text.bytes.bytes
    let sections = ReportSections(in: bytes)
    var reports: [CrashReport] = []
    // What stands inside a JSON report is a part of it, whatever it looks like.
    var end = 0
    for section in sections.sections where section.headline.start >= end {
      let report: CrashReport? =
        switch section.headline.kind {
        case .sanitizer, .deadlySignal, .runtimeError:
          SanitizerReader.report(of: section, in: bytes)
        case .swiftCrash, .swiftTrace: SwiftBacktraceReader.report(of: section, in: bytes)
        case .swiftJSON:
          SwiftBacktraceJSONReader.report(of: section, in: bytes).map { read in
            end = read.end
            return read.report
          }
        case .swiftSignal, .fatalError: nil
        }
      if let report { reports.append(report) }
    }
    if let last = reports.indices.last {
      if let stopped = sections.stopped {
        reports[last].notes.append(
          "the limit of \(FormatLimits.reports) reports in one file was reached; what follows byte"
            + " \(stopped) was not read")
      }
      if text.isCut {
        reports[last].notes.append(
          "only the first \(FormatLimits.searchedBytes) bytes of the file were searched for reports"
        )
      }
    }
    return reports
  }
}
