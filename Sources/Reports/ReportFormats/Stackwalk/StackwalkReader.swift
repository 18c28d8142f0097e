internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The text output of `minidump-stackwalk`.
  static let stackwalk = ReportFormat("minidump-stackwalk")
}

extension Headline.Kind {
  /// `Operating system: Linux`, with the processor below.
  fileprivate static let stackwalk = Headline.Kind("stackwalk")
}

/// The text of `minidump-stackwalk`, of Breakpad and of rust-minidump, which Mayday prints as well:
///
///     Operating system: Linux
///                       6.1.0 #1 SMP
///     CPU: amd64
///          4 CPUs
///
///     Crash reason:  SIGSEGV / SEGV_MAPERR
///     Crash address: 0x0000000000000018
///     Process uptime: 93 seconds
///
///     Thread 7 worker (crashed) - tid: 4611
///      0  libtern.so!tern::pay() [till.cc : 12 + 0x4]
///         rax = 0x0000000000000000   rip = 0x00007ff81b2c3fb6
///         Found by: given as instruction pointer in context
///      1  tern + 0x1257d
///         Found by: stack scanning
///
///     Loaded modules:
///     0x00400000 - 0x00419fff  tern  ???  (main)
///     0x7ff81afb0000 - 0x7ff81b9affff  libtern.so  1.2  (WARNING: No symbols, libtern.so, 0A1B…1)
///
/// An offset is that of the call; the registers of a caller have the return address.
///
/// Source: `stackwalk_common.cc` of Breakpad, `process_state.rs` of rust-minidump.
enum StackwalkReader: LogReader {
  static let format = ReportFormat.stackwalk
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.stackwalk, "Operating system: ") { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      guard mark - start <= FormatLimits.prefixBytes else { return nil }
      var cursor = LineCursor(mark..<min(text.byteCount, mark + 2048))
      for _ in 0..<5 {
        guard let range = cursor.next(in: text) else { return nil }
        if text.part(range).contains("CPU: ") {
          return Headline.Location(start: mark, content: mark + 18)
        }
      }
      return nil
    }
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var lines = TraceLines(of: section, in: text)
    var parser = StackwalkParser()
    var end = lines.position
    var others = 0
    while let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes)
      switch parser.read(line) {
      case .taken: others = 0
      case .other: others += 1
      case .end:
        return parser.finished().map { LoggedReport(report: $0, end: min(end, text.byteCount)) }
      }
      if others > 8 { break }
      if others == 0, line.trimmed.byteCount > 0 { end = lines.position }
    }
    return parser.finished().map {
      LoggedReport(report: $0, end: min(end, text.byteCount))
    }
  }
}
