internal import Bytes
internal import CrashModel
internal import Identifiers

/// Reports of the sanitizer runtimes of clang and GCC: Address, HWAddress, Thread, Memory, Leak,
/// UndefinedBehavior and the rarer ones, and libFuzzer's, which print their stacks in the same way.
///
/// They are in the middle of a program's output. Printed addresses have already been moved back into the
/// call, so no frame is adjusted again. If a signal ended the program, the youngest frame is the instruction
/// itself.
enum SanitizerReader: LogReader {
  static let format = ReportFormat.sanitizer
  static let fileExtension = "txt"
  static let beginsDeaths = true

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let line = text.part(headline.start..<headline.line.upperBound)
      .upTo(FormatLimits.lineBytes)
    switch headline.kind {
    case .sanitizer:
      guard let head = SanitizerHeadline(line, name: headline.content - headline.start) else {
        return nil
      }
      return report(head, of: section, in: text, location: nil, followsAtOnce: false)
    case .deadlySignal:
      let end = line.find(UInt8(ascii: ":")) ?? 0
      var head = SanitizerHeadline(
        sanitizer: SanitizerHeadline.sanitizer(endOf: line.upTo(end)))
      head.isFault = true
      var report = report(head, of: section, in: text, location: nil, followsAtOnce: false)
      report?.report.notes.append("the line that names the error is missing")
      return report
    case .runtimeError:
      var head = SanitizerHeadline(sanitizer: "UndefinedBehaviorSanitizer")
      let message = text.part(headline.content..<headline.line.upperBound).trimmed
      head.type = RuntimeError.category(of: message)
      head.message = message.name
      if let at = message.find(" address ") {
        var position = at + 9
        head.address = message.hexadecimal(at: &position).map(Address.init)
      }
      let source = SourceLocation(text.part(headline.start..<headline.content - 17))
      var location: Frame?
      if source.file != nil, source.line != nil {
        location = Frame(
          position: .adjusted, file: source.file, line: source.line, column: source.column)
      }
      return report(head, of: section, in: text, location: location, followsAtOnce: true)
    default: return nil
    }
  }

  private static func report(
    _ head: SanitizerHeadline, of section: ReportSection, in text: RawSpan, location: Frame?,
    followsAtOnce: Bool
  ) -> LoggedReport? {
    var builder = SanitizerParser(head, stackFollowsAtOnce: followsAtOnce)
    section.forEachLine(in: text) { builder.take($0) }
    let words =
      head.endedItself || head.signal == "SIGSEGV" ? FinalMessage(before: section, in: text) : nil
    let isCertain =
      head.endedItself || words?.endsProcess == true && words?.aborts == false
    var report = builder.report(location: location, finalMessage: isCertain ? words?.text : nil)
    // V8 ends the process when its memory has run out.
    if isCertain, let text = words?.text,
      text.hasPrefix("Fatal process out of memory: ")
        || text.hasPrefix("Fatal JavaScript out of memory: ")
    {
      report.kind = .oom
    }
    return LoggedReport(report: report, start: isCertain ? words?.start : nil)
  }
}
