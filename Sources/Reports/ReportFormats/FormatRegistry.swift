public import Bytes
public import CrashModel

/// The formats of crash reports that are read, recognised by their content.
///
/// Reports of some formats begin with the file (``DocumentReader``). Others are in the output of programs
/// (``LogReader``): such a file may hold many reports, of several formats.
///
/// Wrappings of reports are removed first, see ``Unwrapping``. The first 256 MiB of a file are searched.
public struct FormatRegistry: Sendable {
  /// All formats. If two recognise a file, the earlier reads it.
  public static let builtIn = FormatRegistry([
    AppleCrashReader.self, AppleIPSReader.self, AppCenterReader.self, SanitizerReader.self,
    // Before the readers of Swift's messages, which PHP prints too.
    PHPReader.self,
    LanguageTraceReader.self,
    SwiftBacktraceReader.self, SwiftBacktraceJSONReader.self, MinidumpReader.self,
    ElfCoreReader.self, MicrodumpReader.self, TombstoneReader.self,
    TombstoneMessageReader.self, ArtTraceReader.self, PLCrashReader.self, KSCrashReader.self,
    MetricKitReader.self, SentryEventReader.self,
    DotNetReader.self, MonoCrashReader.self, JavaScriptReader.self, NodeReportReader.self,
    // Before the reader of Go's panics, which begin with the same word.
    LinuxKernelReader.self, LinuxFaultReader.self, BSDKernelReader.self, FuchsiaReader.self,
    DartReader.self, RubyReader.self, PerlReader.self,
    GoPanicReader.self, RustPanicReader.self, PythonTracebackReader.self,
    JavaTraceReader.self, HotSpotReader.self,
    SocorroReader.self, CasrReader.self, SDKEventReader.self, UnrealReader.self, UnityReader.self,
    SystemdCoredumpReader.self, ApportReader.self, AbrtReader.self, DebuggerReader.self,
    CDBReader.self, TrustyReader.self, StackwalkReader.self, OwnDocumentReader.self,
    ValgrindReader.self, WindowsEventReader.self, VisualStudioReader.self, WineReader.self,
    GodotReader.self, CrashlyticsReader.self, CrashtrackerReader.self, WasmRuntimeReader.self,
    FirmwareReader.self, LaravelReader.self, BunReader.self, OTLPReader.self,
    // After those whose stacks have lines of the same forms.
    NativeLogReader.self,
  ])

  private let readers: [any ReportReader.Type]
  private let binaryDocuments: [any DocumentReader.Type]
  private let textDocuments: [any DocumentReader.Type]
  private let logs: [any LogReader.Type]
  let headlines: HeadlineTable
  /// The texts at the start of reports that are separate files.
  private let openings: OpeningSearch

  init(_ readers: [any ReportReader.Type]) {
    self.readers = readers
    let documents = readers.compactMap { $0.documentReader }
    binaryDocuments = documents.filter { $0.isBinary }
    // Some formats have files of both kinds.
    textDocuments = documents.filter { !$0.isBinary || !$0.openings.isEmpty }
    logs = readers.compactMap { $0.logReader }
    headlines = HeadlineTable(logs)
    openings = OpeningSearch(documents.flatMap { $0.openings })
  }

  /// Splits logs that are too long to be read at once.
  public var logDivider: LogSplitter {
    LogSplitter(headlines, openings: openings) { [binaryDocuments, textDocuments] head in
      // These are unwrapped as a whole.
      if UTF16Text.decoded(head) != nil || MailText.isMail(head.bytes) { return true }
      if binaryDocuments.contains(where: { $0.recognises(head) }) { return true }
      if FileMagic(of: head) != nil || textDocuments.contains(where: { $0.recognises(head) }) {
        return true
      }
      let text = CleanedText(head)
      return text.isCleaned && textDocuments.contains { $0.recognises(text.bytes) }
    }
  }

  /// All formats, in the order in which they are tried.
  public var formats: [KnownFormat] {
    readers.map {
      KnownFormat(format: $0.format, fileExtension: $0.fileExtension, about: $0.about)
    }
  }

  /// The extension of files of `format`: `report` if the format is unknown.
  public func fileExtension(of format: ReportFormat) -> String {
    readers.first { $0.format == format }?.fileExtension ?? "report"
  }

  /// The format of the first report in `bytes`; `nil` when there is none.
  ///
  /// - Complexity: O(n).
  public func format(of bytes: ByteView) -> ReportFormat? {
    do throws(ParseError) { return try reports(in: bytes).first?.format } catch { return nil }
  }

  /// All reports in `bytes`, in their order.
  ///
  /// - Throws: ``ParseError`` of the kind `notRecognised` when there is none; its `structure` describes the
  ///   bytes. Of the kind `limit` when there is none in the searched part. Another kind when a report could
  ///   not be read at all.
  /// - Complexity: O(n).
  public func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var reports = try readReports(in: bytes).map { $0.report }
    for index in reports.indices {
      reports[index].takeSignalSender()
      let isOfProgram = reports[index].format == .nativeLog
      reports[index].markInterruptedFrames(
        isPrintedByHandler: isOfProgram && reports[index].reason.signal != nil)
    }
    return reports
  }

  /// A report, and its start in its text.
  private struct LocatedReport {
    var report: CrashReport
    var start: Int
    /// Its end, if the report defines it.
    var end: Int?
  }

  private func readReports(in bytes: ByteView, layer: Int = 0) throws(ParseError) -> [LocatedReport]
  {
    if let reports = try Self.document(in: bytes, binaryDocuments) { return Self.located(reports) }
    if let text = UTF16Text.decoded(bytes) { return try readText(text, layer: layer) }
    if let other = UnreadFormat(binary: bytes) { throw other.refusal }
    return try readText(bytes, layer: layer)
  }

  private static func located(_ reports: [CrashReport]) -> [LocatedReport] {
    reports.map { LocatedReport(report: $0, start: 0) }
  }

  /// The reports of a text, unwrapped layer by layer.
  private func readText(_ bytes: ByteView, layer: Int) throws(ParseError) -> [LocatedReport] {
    let text = CleanedText(bytes)
    let isOuter = layer < Unwrapping.layers
    let openings = isOuter ? openings.matches(in: text.bytes.bytes) : []
    if isOuter,
      let sources = Unwrapping.blocks(of: text.bytes, headlines: headlines, openings: openings),
      let reports = read(sources, of: text.bytes, layer: layer)
    {
      return reports
    }
    if let reports = try Self.document(in: text.bytes, textDocuments) {
      return Self.located(reports)
    }
    var prefixes = PrefixFinder(
      headlines, overprints: text.overprints, isIdle: !isOuter)
    let reports = loggedReports(in: text, &prefixes)
    if isOuter,
      let sources = Unwrapping.lines(
        of: text.bytes, overprints: text.overprints, openings: openings,
        prefixes: &prefixes,
        reports: reports.compactMap { report in
          report.end.map { report.start..<max($0, report.start) }
        }),
      let unwrapped = read(sources, of: text.bytes, layer: layer)
    {
      return unwrapped
    }
    if !reports.isEmpty { return reports }
    if text.isCut {
      throw ParseError(
        .limit(name: "bytes searched for a report", value: FormatLimits.searchedBytes),
        in: "report", at: FormatLimits.searchedBytes)
    }
    throw (UnreadFormat(text: text.bytes.bytes) ?? .unknown).refusal
  }

  /// The reports of `sources`, in the order of their positions in `text`; `nil` if there are none.
  private func read(
    _ sources: [TextSource], of text: ByteView, layer: Int
  ) -> [LocatedReport]? {
    var found: [LocatedReport] = []
    for source in sources {
      let reports: [LocatedReport]
      do throws(ParseError) {
        reports = try readReports(in: source.bytes, layer: layer + 1)
      } catch {
        // Other text between the reports; an error concerns the whole file.
        continue
      }
      for var located in reports {
        if located.report.time == nil {
          located.report.time = source.time(of: located.start, in: text.bytes)
        }
        if let process = source.process(of: located.start, in: text.bytes),
          located.report.app.name == nil, located.report.process.name == nil
        {
          located.report.app.name = process.name
          located.report.process.pid = located.report.process.pid ?? process.pid
        }
        located.start = source.origin(of: located.start)
        found.append(located)
      }
    }
    guard !found.isEmpty else { return nil }
    let order = found.indices.sorted { (found[$0].start, $0) < (found[$1].start, $1) }
    var reports = order.map { found[$0] }
    if reports.count > FormatLimits.reports {
      reports.removeSubrange(FormatLimits.reports...)
      reports[reports.count - 1].report.notes.append(
        "the limit of \(FormatLimits.reports) reports in one file was reached; the others were not"
          + " read")
    }
    return reports
  }

  /// The reports of the first of `readers` that recognises the file.
  private static func document(
    in bytes: ByteView, _ readers: [any DocumentReader.Type]
  ) throws(ParseError) -> [CrashReport]? {
    for reader in readers where reader.recognises(bytes) { return try reader.reports(in: bytes) }
    return nil
  }

  /// Adds the exception that ended a program to the report of its end.
  private static func join(_ exception: LanguageException?, to report: inout CrashReport) {
    guard let exception else { return }
    if report.reason.exception == nil {
      report.reason.exception = exception
    } else {
      report.reason.exception?.addRoot(exception)
    }
  }

  /// The sections of a log with their reports.
  ///
  /// A headline without a report, such as one that a debugger prints in a local variable, does not end a
  /// report: the section before it is read again, without that headline.
  private func readSections(
    of text: RawSpan, _ prefixes: inout PrefixFinder
  ) -> (ReportSections, [LoggedReport?]) {
    let sections = ReportSections(in: text, headlines: headlines, prefixes: &prefixes)
    var found: [LoggedReport?] = []
    var others: Set<Int> = []
    var ranges: [Int: Int] = [:]
    var end = 0
    for (index, section) in sections.sections.enumerated() {
      let start = section.headline.start
      let read = start < end ? nil : self.report(of: section, at: index, in: sections, of: text)
      if read == nil, start >= end, !ranges.isEmpty { others.insert(start) }
      if read != nil { ranges[start] = index }
      if let readEnd = read?.end { end = max(end, readEnd) }
      found.append(read)
    }
    guard !others.isEmpty else { return (sections, found) }
    let kept = sections.without(others, of: text)
    var again: [LoggedReport?] = []
    end = 0
    for section in kept.sections {
      let start = section.headline.start
      var read: LoggedReport?
      if start < end {
        read = nil
      } else if let index = ranges[start], sections.sections[index].range == section.range {
        read = found[index]
      } else {
        read = report(of: section, at: again.count, in: kept, of: text)
      }
      if let readEnd = read?.end { end = max(end, readEnd) }
      again.append(read)
    }
    return (kept, again)
  }

  /// Whether only output of a sanitizer or fuzzer is between an exception and a process's end, which then
  /// belong together.
  private static func isDirect(_ text: RawSpan) -> Bool {
    let words: [StaticString] = [
      "=", "INFO:", "MS: ", "SUMMARY:", "artifact_prefix", "Base64: ", "AddressSanitizer",
      "UndefinedBehaviorSanitizer", "Caused by: ", "Suppressed: ", "...", "#", "thrown in",
      "note: ", "goroutine ", "created by ", "stack backtrace:", "Stack trace:", "libFuzzer",
      "Reproducer", "reproducer", "DEDUP_TOKEN", "Test unit written", "exit status",
    ]
    var cursor = LineCursor(0..<text.byteCount)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      // Indented lines belong to a stack.
      if line.trimmed.byteCount == 0 || line.byte(0).isBlank { continue }
      guard words.contains(where: { line.has($0) }) else { return false }
    }
    return true
  }

  /// Returns the report in a section.
  ///
  /// A report may quote others, and so continues after the next headline; but not after that of a process's
  /// end in another format.
  private func report(
    of section: ReportSection, at index: Int, in sections: ReportSections, of text: RawSpan
  ) -> LoggedReport? {
    let reader = logs[section.headline.reader]
    guard let read = reader.report(of: section, in: text) else { return nil }
    guard let end = read.end else { return read }
    for next in sections.sections[(index + 1)...] {
      guard next.headline.start < end else { break }
      guard next.headline.role == .begins, next.headline.reader != section.headline.reader,
        logs[next.headline.reader].beginsDeaths
      else { continue }
      return reader.report(
        of: section.ending(at: next.range.lowerBound), in: text.upTo(next.range.lowerBound))
    }
    return read
  }

  /// The reports in a log.
  private func loggedReports(
    in text: CleanedText, _ prefixes: inout PrefixFinder
  ) -> [LocatedReport] {
    let bytes = text.bytes.bytes
    let (sections, found) = readSections(of: bytes, &prefixes)
    var reports: [LocatedReport] = []
    // The starts of messages that a later report may take over.
    var words: [Int] = []
    var end = 0
    // The end of the last one, if it gives the reason why the program ended itself, not how.
    var spoken: (end: Int, isWords: Bool)?
    for (section, read) in zip(sections.sections, found) where section.headline.start >= end {
      guard let read else { continue }
      var report = read.report
      var begin = section.headline.line.lowerBound
      if let start = read.start {
        while let last = words.last, last >= start, let spoke = reports.popLast() {
          words.removeLast()
          spoken = nil
          begin = spoke.start
          Self.join(spoke.report.reason.exception, to: &report)
          if spoke.report.format == .nativeLog { report.take(spoke.report) }
        }
      }
      if let last = spoken, let why = reports.last,
        section.headline.line.lowerBound - last.end < FormatLimits.preludeBytes,
        report.isDeath(after: why.report),
        why.report.format == .nativeLog || why.report.reason.exception == nil
          || Self.isDirect(bytes.between(last.end, section.headline.line.lowerBound))
      {
        reports.removeLast()
        if last.isWords, !words.isEmpty { words.removeLast() }
        begin = why.start
        report.take(why.report)
      }
      let isWords = section.headline.role == .lastWords
      if isWords {
        words.append(section.headline.line.lowerBound)
      } else {
        words.removeAll(keepingCapacity: true)
      }
      let readEnd = read.end ?? section.headline.line.upperBound
      let isReason = read.isMessage || report.reason.exception != nil && report.kind == .crash
      spoken = isReason ? (readEnd, isWords) : nil
      reports.append(LocatedReport(report: report, start: begin, end: read.end))
      if let readEnd = read.end { end = readEnd }
    }
    if let last = reports.indices.last {
      if let stopped = sections.stopped {
        reports[last].report.notes.append(
          "the limit of \(FormatLimits.reports) reports in one file was reached; what follows byte"
            + " \(stopped) was not read")
      }
      if text.isCut {
        reports[last].report.notes.append(
          "only the first \(FormatLimits.searchedBytes) bytes of the file were searched for reports"
        )
      }
    }
    return reports
  }
}

extension CrashReport {
  /// Whether this report shows how the process died, and `why` the reason: the program ended itself.
  ///
  /// A language's exception counts only under a fuzzer or sanitizer: elsewhere the log continues after it.
  fileprivate func isDeath(after why: CrashReport) -> Bool {
    guard kind == .crash, reason.exception == nil, why.format != format else { return false }
    let isFuzzed = format == .sanitizer
    // Swift's and .NET's reports give the reason themselves.
    if format == .swiftBacktrace || format == .swiftBacktraceJSON || format == .dotNet,
      reason.message != nil
    {
      return false
    }
    // glog ends a program by `abort`.
    if why.isOfGlog, reason.signal != nil, reason.signal != "SIGABRT" { return false }
    if let signal = why.reason.signal, reason.signal != nil, signal != reason.signal {
      return false
    }
    guard isFuzzed || why.reason.exception == nil || why.format == .nativeLog else { return false }
    switch reason.signal {
    case "SIGABRT", "SIGTRAP", "SIGILL": return true
    case nil:
      let types = ["deadly signal", "fuzz target exited", "breakpoint"]
      // A debugger does not always print the signal; others would.
      return isFuzzed
        ? reason.type.map { types.contains($0) } ?? false
        : format == .debugger && threads.contains { $0.frames.first?.address != nil }
    default: return false
    }
  }

  /// Whether glog printed the stack of a failed check.
  private var isOfGlog: Bool {
    format == .nativeLog
      && threads.contains { thread in
        thread.frames.contains { $0.function?.hasPrefix("google::LogMessage") == true }
      }
  }

  /// Takes over the program's own message.
  fileprivate mutating func take(_ words: CrashReport) {
    if let exception = words.reason.exception, reason.message == nil {
      let text = [exception.type, exception.message].compactMap { $0 }
      if !text.isEmpty { reason.message = text.joined(separator: ": ") }
    }
    for thread in words.threads where thread.frames.contains(where: { $0.address != nil }) {
      otherStacks.append(NamedStack(title: "printed by the program", frames: thread.frames))
      for frame in otherStacks[otherStacks.count - 1].frames.indices {
        otherStacks[otherStacks.count - 1].frames[frame].image = nil
      }
    }
    if words.kind != .crash { kind = words.kind }
    if reason.message == nil { reason.message = words.reason.message }
    if reason.type == nil { reason.type = words.reason.type }
    if reason.exception == nil { reason.exception = words.reason.exception }
    tags.merge(words.tags) { own, _ in own }
  }
}
