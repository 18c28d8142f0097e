internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The output of .NET's runtimes: .NET, .NET Framework, NativeAOT and Mono.
  static let dotNet = ReportFormat("dotnet")
}

/// Exceptions and crashes that the runtimes of .NET print.
///
///     Unhandled exception. System.X: message           .NET; `Unhandled Exception:` of .NET Framework and Mono
///        at Shop.Till.Charge(Decimal sum) in /src/Till.cs:line 40
///
///     Process terminated. message                      Environment.FailFast, Debug.Fail
///     Fatal error. System.AccessViolationException: …  the runtime itself
///     Stack overflow.
///     Repeat 12056 times:
///     --------------------------------
///        at Program.Main()
///     --------------------------------
///
/// An exception and its stack in a log are read too; see ``DotNetTrace``. For Mono's native crashes see
/// ``MonoNativeCrash``.
enum DotNetReader: LogReader {
  static let format = ReportFormat.dotNet
  static let fileExtension = "txt"

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    switch section.headline.kind {
    case .monoNative: return MonoNativeCrash.report(of: section, in: text)
    case .monoStack: return MonoNativeCrash.oldReport(of: section, in: text)
    case .monoFailFast: return nil
    case .dotNetFatal: return fatal(section, in: text)
    default: return thrown(section, in: text)
    }
  }

  // MARK: Exceptions

  private static func thrown(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var header = text.part(headline.content..<headline.line.upperBound).trimmed
    while header.byteCount == 0, let next = lines.next(in: text) {
      guard next.lowerBound - headline.line.upperBound < FormatLimits.preludeBytes else { break }
      header = text.part(next).trimmed
    }
    guard header.byteCount > 0 else { return nil }
    var trace = DotNetTrace(header: header)
    var end = read(&trace, &lines, in: text)
    let frames = trace.frameCount
    let (exception, code, note) = trace.finished()
    guard let exception, frames > 0 || headline.kind != .dotNetThrown else { return nil }
    var report = CrashReport(format: .dotNet)
    setException(exception, of: &report)
    report.reason.code = code
    if let note { report.notes.append(note) }
    switch headline.kind {
    case .dotNetThrown: report.kind = isCaught(section, in: text) ? .handled : .crash
    case .dotNetEvent: readEvent(section, in: text, into: &report)
    default: break
    }
    if headline.kind == .dotNetUnhandled { end = skipRepetition(exception, lines, end, in: text) }
    return LoggedReport(report: report, end: end)
  }

  /// Reads lines while they belong to the trace.
  ///
  /// - Returns: The end of the last one.
  private static func read(_ trace: inout DotNetTrace, _ lines: inout TraceLines, in text: RawSpan)
    -> Int
  {
    var end = lines.position
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { return end }
      let line = text.part(range)
      let trimmed = line.trimmed
      guard trace.read(trimmed, isIndented: line.byteOrZero(0).isBlank) else { return end }
      lines = ahead
      if trimmed.byteCount > 0 { end = lines.position }
    }
  }

  static func setException(_ exception: LanguageException, of report: inout CrashReport) {
    var exception = exception
    for index in exception.frames.indices {
      // A program compiled ahead of time names itself, and an offset into it.
      guard exception.frames[index].imageOffset != nil,
        let name = exception.frames[index].symbol
      else { continue }
      exception.frames[index].symbol = nil
      if report.images.isEmpty { report.images.append(LoadedImage(name: name)) }
      exception.frames[index].image = report.images.firstIndex { $0.name == name }
    }
    report.reason.exception = exception
    report.reason.type = exception.type
    report.reason.message = exception.message?.cutMessage
  }

  /// Mono prints an unhandled exception twice.
  private static func skipRepetition(
    _ exception: LanguageException, _ lines: TraceLines, _ end: Int, in text: RawSpan
  ) -> Int {
    let mark: StaticString = "[ERROR] FATAL UNHANDLED EXCEPTION: "
    var lines = lines
    var line: RawSpan
    repeat {
      guard let range = lines.next(in: text) else { return end }
      line = text.part(range).trimmed
    } while line.byteCount == 0
    guard line.has(mark) else { return end }
    var trace = DotNetTrace(header: line.from(mark.utf8CodeUnitCount))
    let repeated = read(&trace, &lines, in: text)
    return trace.finished().exception?.type == exception.type ? repeated : end
  }

  /// Text of other languages after `Unhandled Exception: `.
  private static let unhandled: [StaticString] = [
    "nhandled", "Unbehandelte Ausnahme", "Exception non g", "Необработанное исключение",
    "Excepción no controlada", "Eccezione non gestita", "Exceção sem tratamento",
    "ハンドルされていない例外", "未经处理的异常", "未處理的例外狀況", "처리되지 않은 예외",
    "Onverwerkte uitzondering", "Nieobsługiwany wyjątek", "Neošetřená výjimka",
    "Ohanterat undantag", "Kezeletlen kivétel", "İşlenmeyen Özel Durum",
  ]

  /// Whether a logger wrote the exception: its text precedes it.
  private static func isCaught(_ section: ReportSection, in text: RawSpan) -> Bool {
    let before = text.part(section.headline.line.lowerBound..<section.headline.start).trimmed
    guard before.byteCount > 0 else { return false }
    return !unhandled.contains { before.contains($0) }
  }

  /// The lines before the exception in Windows' event log: `Application: tern.exe`.
  private static func readEvent(
    _ section: ReportSection, in text: RawSpan, into report: inout CrashReport
  ) {
    section.forEachLineBefore(in: text) { line in
      if line.has("Application: ") { report.app.name = line.from(13).trimmed.name }
      for key: StaticString in ["Framework Version: ", "CoreCLR Version: ", ".NET Version: "]
      where line.has(key) {
        report.tags[.wrapperRuntime] = line.from(key.utf8CodeUnitCount).trimmed.name
      }
    }
    report.os.name = "Windows"
  }

  // MARK: Fatal errors

  private static func fatal(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    let isOverflow = headline.content == headline.start
    var message = text.part(headline.content..<headline.line.upperBound).trimmed.name
    var exception = LanguageException()
    if isOverflow {
      exception.type = "System.StackOverflowException"
      message = ""
    } else if let type = DotNetType(ByteView(message.utf8).bytes), message.contains(".") {
      exception.type = type.name
      message = ByteView(message.utf8).bytes.from(type.end).trimmed.name
    }
    var budget = StackBudget()
    var end = lines.position
    var repeated: (count: Int, from: Int)?
    while let range = lines.next(in: text) {
      let line = text.part(range).trimmed
      if case .dotNet? = ManagedFrameShape(line), let frame = ManagedStackText.frame(line.name) {
        if budget.takeFrame() { exception.frames.append(frame) }
      } else if line.has("Repeat "), let count = line.number(after: "Repeat ") {
        repeated = (Int(min(count, 1 << 30)), exception.frames.count)
      } else if line.has("-----") {
        if let turn = repeated, exception.frames.count > turn.from { repeated = nil }
      } else if exception.frames.isEmpty, message.utf8.count < FormatLimits.nameBytes,
        line.byteCount > 0 || !message.isEmpty
      {
        if !isOverflow { message += "\n" + line.name }
      } else {
        break
      }
      if line.byteCount > 0 { end = lines.position }
    }
    guard !exception.frames.isEmpty else { return nil }
    while message.utf8.last == 10 { message.removeLast() }
    var report = CrashReport(format: .dotNet)
    exception.message = message.isEmpty ? nil : message
    setException(exception, of: &report)
    if exception.type == nil {
      report.reason.type = text.part(headline.start..<headline.content).trimmed.name
    }
    if let note = budget.note { report.notes.append(note) }
    return LoggedReport(report: report, end: end)
  }
}
