internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A crash in the output of Wine's debugger.
  static let wine = ReportFormat("wine")
}

extension Headline.Kind {
  /// `Unhandled exception: page fault on read access to 0x00000018 in 64-bit code (0x0000000140001a2c).`
  fileprivate static let wineException = Headline.Kind("Wine exception")
  /// `wine: Unhandled page fault on read access to 00000018 at address 00401A2C (thread 0024), starting debugger...`
  fileprivate static let wineNotice = Headline.Kind("Wine notice")
}

/// Crashes of Windows programs under Wine, as `winedbg --auto` prints them:
///
///     Unhandled exception: page fault on read access to 0x00000018 in 64-bit code (0x0000000140001a2c).
///     Register dump:
///      rip:0000000140001a2c rsp:000000000011fe60 …
///     Backtrace:
///     =>0 0x0000000140001a2c tern::Till::pay+0x1c(this=…) [C:\src\till.cc:212] in tern (0x000000000011fe90)
///       1 0x0000000140001b30 in tern (+0x1b30) (0x000000000011fed0)
///       2 0x00006fffffa2e4b9 BaseThreadInitThunk+0x9() in kernel32 (0x000000000011ff00)
///     Modules:
///     PE	       140000000-       14001f000	Dwarf           tern
///     Threads:
///     00000120 (D) C:\tern\tern.exe
///     System information:
///         Wine build: wine-9.0
///
/// Source: `programs/winedbg` of Wine (`info.c`, `stack.c`, `tgt_active.c`).
enum WineReader: LogReader {
  static let format = ReportFormat.wine
  static let fileExtension = "txt"
  static let beginsDeaths = true
  static let headlines = [
    HeadlineRule(.wineException, "Unhandled exception: ") { text, mark, _ in
      let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 1024)
      let line = text.between(mark, end)
      let isWine =
        line.contains("-bit code (") || line.contains("-bit code.") || line.contains(" in wow64 ")
      return isWine ? Headline.Location(start: mark, content: mark + 21) : nil
    },
    HeadlineRule(.wineNotice, "wine: Unhandled ", role: .announces(.wineException)) {
      text, mark, _ in
      Headline.Location(start: mark, content: mark + 16)
    },
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = WineParser()
    parser.readReason(text.between(headline.content, headline.line.upperBound).trimmed)
    if headline.kind == .wineNotice {
      return parser.finished().map { LoggedReport(report: $0) }
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 24, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      // The next one begins.
      if line.has("Unhandled exception: ") || line.has("wine: Unhandled ") { break }
      if parser.read(line) {
        // After an empty line, another report may begin.
        if line.trimmed.byteCount == 0 { continue }
        others = 0
        end = lines.position
      } else {
        others += 1
      }
      if parser.isComplete { break }
    }
    return parser.finished().map {
      LoggedReport(report: $0, end: min(end, text.byteCount))
    }
  }
}
