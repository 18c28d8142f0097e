public import Bytes
public import CrashModel

/// The formats of crash reports that are read, recognised by their content.
///
/// Reports of some formats begin with the file (``DocumentReader``). Others stand in the output of
/// programs (``LogReader``): such a file may hold many reports, and of several formats.
///
/// Byte-order marks, terminal escapes, HTML escapes, indentation, and what loggers and containers
/// put before each line are looked through. Reports are searched in the first 256 MiB of a file.
public struct FormatRegistry: Sendable {
  /// All formats. If two recognise a file, the earlier reads it.
  public static let builtIn = FormatRegistry([
    AppleCrashReader.self, AppleIPSReader.self, AppCenterReader.self, SanitizerReader.self,
    // Before the readers of Swift's words, which are those of PHP too.
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
    CDBReader.self, TrustyReader.self,
    // After those whose stacks have lines of the same shapes.
    NativeLogReader.self,
  ])

  private let readers: [any ReportReader.Type]
  private let binaryDocuments: [any DocumentReader.Type]
  private let textDocuments: [any DocumentReader.Type]
  private let logs: [any LogReader.Type]
  private let headlines: HeadlineTable

  init(_ readers: [any ReportReader.Type]) {
    self.readers = readers
    let documents = readers.compactMap { $0 as? any DocumentReader.Type }
    binaryDocuments = documents.filter { $0.isBinary }
    textDocuments = documents.filter { !$0.isBinary }
    logs = readers.compactMap { $0 as? any LogReader.Type }
    headlines = HeadlineTable(logs)
  }

  /// What divides logs that are too long to be read as a whole.
  public var logDivider: LogDivider {
    LogDivider(headlines) { [binaryDocuments, textDocuments] head in
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

  /// The extension of files of `format`: `report` where nothing is known
  /// of the format.
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
  /// - Throws: ``ParseError`` of the kind `notRecognised` when there is none; its `structure` says
  ///   in words what the bytes look like. Of the kind `limit` when there is none as far as is
  ///   searched. Another kind when it is a report that could not be read at all.
  /// - Complexity: O(n).
  public func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var reports = try readReports(in: bytes)
    for index in reports.indices {
      reports[index].takeSignalSender()
      let isOfProgram = reports[index].format == .nativeLog
      reports[index].markInterruptedFrames(
        isPrintedByHandler: isOfProgram && reports[index].reason.signal != nil)
    }
    return reports
  }

  private func readReports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    if let reports = try Self.document(in: bytes, binaryDocuments) { return reports }
    if let other = UnreadFormat(binary: bytes) { throw other.refusal }
    if let reports = try Self.document(in: bytes, textDocuments) { return reports }
    let text = CleanedText(bytes)
    if text.isCleaned, let reports = try Self.document(in: text.bytes, textDocuments) {
      return reports
    }
    let reports = loggedReports(in: text)
    if !reports.isEmpty { return reports }
    if let document = PrefixedDocument.stripped(
      text.bytes.bytes, openings: textDocuments.flatMap { $0.openings }),
      let reports = try Self.document(in: document, textDocuments)
    {
      return reports
    }
    if text.isCut {
      throw ParseError(
        .limit(name: "bytes searched for a report", value: FormatLimits.searchedBytes),
        in: "report", at: FormatLimits.searchedBytes)
    }
    throw (UnreadFormat(text: text.bytes.bytes) ?? .unknown).refusal
  }

  /// The reports of the first of `readers` that recognises the file.
  private static func document(
    in bytes: ByteView, _ readers: [any DocumentReader.Type]
  ) throws(ParseError) -> [CrashReport]? {
    for reader in readers where reader.recognises(bytes) { return try reader.reports(in: bytes) }
    return nil
  }

  /// Adds what a program died of to the report of what came of it.
  private static func join(_ exception: LanguageException?, to report: inout CrashReport) {
    guard let exception else { return }
    if report.reason.exception == nil {
      report.reason.exception = exception
    } else {
      report.reason.exception?.addRoot(exception)
    }
  }

  /// The sections of a log, and what each of them holds.
  ///
  /// A headline that no report follows, such as one that a debugger quotes among local variables, ends no report:
  /// sections that are followed by such a headline are read once more, without it.
  private func readSections(of text: RawSpan) -> (ReportSections, [LoggedReport?]) {
    let sections = ReportSections(in: text, headlines: headlines)
    var found: [LoggedReport?] = []
    var others: Set<Int> = []
    var ranges: [Int: Int] = [:]
    var end = 0
    for (index, section) in sections.sections.enumerated() {
      let start = section.headline.start
      let read = start < end ? nil : logs[section.headline.reader].report(of: section, in: text)
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
        read = logs[section.headline.reader].report(of: section, in: text)
      }
      if let readEnd = read?.end { end = max(end, readEnd) }
      again.append(read)
    }
    return (kept, again)
  }

  /// The reports that stand in a log.
  private func loggedReports(in text: CleanedText) -> [CrashReport] {
    let bytes = text.bytes.bytes
    let (sections, found) = readSections(of: bytes)
    var reports: [CrashReport] = []
    // Where each of them begins, as long as a later one may take it over.
    var words: [Int] = []
    var end = 0
    // Where the last of them ends, if it says why the program ended itself and not how.
    var spoken: (end: Int, isWords: Bool)?
    for (section, read) in zip(sections.sections, found) where section.headline.start >= end {
      guard let read else { continue }
      var report = read.report
      if let start = read.start {
        while let last = words.last, last >= start, let spoke = reports.popLast() {
          words.removeLast()
          spoken = nil
          Self.join(spoke.reason.exception, to: &report)
          if spoke.format == .nativeLog { report.take(spoke) }
        }
      }
      if let last = spoken, let why = reports.last,
        section.headline.line.lowerBound - last.end < FormatLimits.preludeBytes,
        report.isDeath(after: why)
      {
        reports.removeLast()
        if last.isWords, !words.isEmpty { words.removeLast() }
        report.take(why)
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
      reports.append(report)
      if let readEnd = read.end { end = readEnd }
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

extension CrashReport {
  /// Whether this is how the process died, of which `why` says the reason: the program ended itself.
  ///
  /// An exception of a language is one only where a fuzzer or sanitizer watched: elsewhere the log goes on
  /// after one.
  fileprivate func isDeath(after why: CrashReport) -> Bool {
    guard kind == .crash, reason.exception == nil, why.format != format else { return false }
    let isFuzzed = format == .sanitizer
    guard isFuzzed || why.reason.exception == nil || why.format == .nativeLog else { return false }
    switch reason.signal {
    case "SIGABRT", "SIGTRAP", "SIGILL": return true
    case nil:
      let types = ["deadly signal", "fuzz target exited", "breakpoint"]
      return isFuzzed
        ? reason.type.map { types.contains($0) } ?? false
        : threads.contains { $0.frames.first?.address != nil }
    default: return false
    }
  }

  /// Takes over what the program itself said of its death.
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
    if reason.exception == nil { reason.exception = words.reason.exception }
    tags.merge(words.tags) { own, _ in own }
  }
}
