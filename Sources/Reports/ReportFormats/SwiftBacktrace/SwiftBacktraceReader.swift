internal import Bytes
internal import CrashModel

/// Crashes as `swift-backtrace` of Swift 5.9 and later prints them, with every preset, in colour or not; and
/// the stack that older runtimes print themselves.
///
/// The runtime prints the reason of a fatal error before the report, on a line of its own.
enum SwiftBacktraceReader: LogReader {
  static let format = ReportFormat.swiftBacktrace
  static let fileExtension = "txt"
  static let beginsDeaths = true
  static let headlines =
    SwiftHeadlines.text + SwiftFatalLine.headlines + SwiftFatalLine.spoken + SwiftHeadlines.before

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let kind = section.headline.kind
    if kind == .swiftFatalLine || kind == .swiftFailed {
      return SwiftFatalLine.report(of: section, in: text)
    }
    let report: CrashReport? =
      switch section.headline.kind {
      case .swiftCrash: crash(section, in: text)
      case .swiftTrace: SwiftTrace.report(of: section, in: text)
      default: nil
      }
    return report.map { LoggedReport(report: $0) }
  }

  private static func crash(_ section: ReportSection, in text: RawSpan) -> CrashReport {
    let headline = section.headline
    var line = text.part(headline.content..<headline.line.upperBound).trimmed
    if line.ends(with: " ***") { line = line.upTo(line.byteCount - 4) }
    var description = line
    var address: UInt64?
    if line.has("Program crashed: ") {
      description = line.from(17)
      if let at = description.findLast(" at 0x") {
        var position = at + 4
        address = description.hexadecimal(at: &position)
        description = description.upTo(at)
      }
    }
    var builder = SwiftTextParser()
    section.forEachLine(in: text) { builder.take($0) }
    var report = CrashReport(format: .swiftBacktrace)
    let system = builder.os.name
    builder.finish(&report)
    let words = SwiftCrashMessage(before: section, in: text)
    report.reason = words.reason(
      description: description.trimmed.name, faultAddress: address,
      isDarwin: system.map { $0 != "Linux" && $0 != "Windows" } ?? false)
    addProgramCounter(of: report.crashedThread, to: &report)
    return report
  }

  /// Adds the program counter: a trap has only the address of its instruction, which the headline of a
  /// runtime failure does not repeat.
  private static func addProgramCounter(of thread: Int?, to report: inout CrashReport) {
    guard report.reason.address == nil, report.reason.type == "Swift runtime failure", let thread
    else { return }
    report.reason.address = report.threads[thread].frames.first?.address
  }
}
