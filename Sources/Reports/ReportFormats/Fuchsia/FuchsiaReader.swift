internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A panic of Fuchsia's kernel or of Starnix, or a crash of a program on Fuchsia.
  static let fuchsia = ReportFormat("fuchsia")
}

extension Headline.Kind {
  /// `ZIRCON KERNEL PANIC`.
  static let zirconPanic = Headline.Kind("Zircon panic")
  /// `STARNIX KERNEL PANIC`.
  static let starnixPanic = Headline.Kind("Starnix panic")
  /// `<== fatal exception: process NAME[PID] thread NAME[TID]`.
  static let fuchsiaCrash = Headline.Kind("Fuchsia crash")
  /// `welcome to Zircon`.
  static let zirconBoot = Headline.Kind("Zircon boot")
}

/// Panics and crashes as Fuchsia prints them:
///
///     ZIRCON KERNEL PANIC
///     UPTIME: 124582ms
///     dso: id=c9e63845b8cc355bb42713bfb8eec04942ec7bcd base=0xffffffff00100000 name=zircon.elf
///     panic (caller 0xffffffff0015ae53 frame 0xffffff921934cdb0): WORDS
///     bt#00: 0xffffffff00105972                          or, since 2019:
///     {{{module:0:zircon.elf:elf:c9e63845b8cc355bb42713bfb8eec04942ec7bcd}}}
///     {{{mmap:0xffffffff00100000:0x2d2000:load:0:rx:0xffffffff80100000}}}
///     {{{bt:0:0xffffffff00105972:ra}}}                   or, through its symbolizer:
///     [[[ELF module #0x0 "zircon.elf" BuildID=c9e63845b8cc355b 0xffffffff00100000]]]
///     #0    0xffffffff00105972 in platform_halt() kernel/platform/pc/power.cpp:122 <zircon.elf>+0x5972
///
/// Starnix, which runs Linux's programs, is written in Rust: its panic's stack follows after lines of other
/// sources. A program's crash begins with `<== fatal exception: process NAME[PID] thread NAME[TID]`.
///
/// Sources: `zircon/kernel/lib/debug`, `zircon/kernel/lib/crashlog` and `src/bringup/bin/svchost/crashsvc` of
/// Fuchsia; "Symbolizer markup format" of Fuchsia and LLVM.
enum FuchsiaReader: LogReader {
  static let format = ReportFormat.fuchsia
  static let fileExtension = "txt"

  static let headlines = [
    HeadlineRule(.zirconPanic, "ZIRCON KERNEL PANIC") { text, mark, lines in
      panic(text, mark, mark + 19, &lines)
    },
    HeadlineRule(.starnixPanic, "X KERNEL PANIC") { text, mark, lines in
      guard text.has("STARNIX", at: mark - 6) else { return nil }
      return panic(text, mark - 6, mark + 14, &lines)
    },
    HeadlineRule(.fuchsiaCrash, "exception: process ") { text, mark, lines in
      crash(text, mark + 11, &lines)
    },
    HeadlineRule(.fuchsiaCrash, "<== CRASH: process ") { text, mark, lines in
      crash(text, mark + 11, &lines)
    },
    HeadlineRule(.zirconBoot, "> welcome to Zircon") { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      return Headline.Location(start: start, content: mark + 2)
    },
  ]

  /// Text that is alone in its line.
  private static func panic(
    _ text: RawSpan, _ start: Int, _ end: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let line = lines.start(of: start, in: text)
    let stop = text.find(10, from: end) ?? text.byteCount
    guard text.between(end, stop).trimmed.byteCount == 0,
      line + FuchsiaLine.content(text.between(line, start)) == start || line == start
        || text.between(line, start).trimmed.byteCount == 0
    else { return nil }
    return Headline.Location(start: line, content: start)
  }

  private static func crash(
    _ text: RawSpan, _ content: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let line = lines.start(of: content, in: text)
    let stop = text.find(10, from: content) ?? text.byteCount
    guard text.between(max(line, content - 64), content).contains("<== "),
      text.between(content, stop).contains("] thread ")
    else { return nil }
    return Headline.Location(start: line, content: content + 8)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    if headline.kind == .zirconBoot { return restart(section, in: text) }
    var parser = FuchsiaParser(headline.kind)
    if headline.kind == .fuchsiaCrash {
      parser.readProcess(text.between(headline.content, headline.line.upperBound).trimmed.name)
    }
    // Lines of other sources are in between, and a Rust panic of Starnix begins with its own message.
    var cursor = LineCursor(headline.line.upperBound..<text.byteCount)
    var end = headline.line.upperBound
    while cursor.position < headline.line.upperBound + FormatLimits.finalMessageBytes,
      let range = cursor.next(in: text)
    {
      let line = text.part(range)
      if range.lowerBound >= section.range.upperBound, headline.kind != .starnixPanic { break }
      let content = FuchsiaLine.content(line)
      let words = line.from(content).trimmed
      if words.has("ZIRCON KERNEL PANIC") || words.has("STARNIX KERNEL PANIC")
        || words.contains("<== CRASH: process ")
      {
        break
      }
      if parser.take(words) { end = range.upperBound }
      if parser.isComplete { break }
    }
    guard let report = parser.finished() else { return nil }
    return LoggedReport(report: report, end: headline.kind == .starnixPanic ? end : nil)
  }

  /// Reports a kernel's start after another one that ended without an explanation.
  private static func restart(_ section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var ran = 0.0
    section.forEachLineBefore(in: text) { line in
      guard let time = FuchsiaLine.time(line) else { return }
      ran = time > 0 ? max(ran, time) : ran
    }
    guard ran > 1 else { return nil }
    var report = CrashReport(format: .fuchsia)
    report.reason.type = "unexpected kernel reboot"
    report.tags[.title] = report.reason.type
    report.app.name = FuchsiaParser.system
    report.os.name = FuchsiaParser.system
    report.process.name = "kernel"
    report.process.uptime = ran
    return LoggedReport(report: report)
  }
}

/// A line of Fuchsia's log, whose text follows time, process, thread and tags: `[00037.711] 07800.07847>
/// TEXT`, `[00226.917][1102][1192][core/starnix_runner] WARN: TEXT`.
enum FuchsiaLine {
  /// Where the text begins.
  static func content(_ line: RawSpan) -> Int {
    guard line.byteOrZero(0) == UInt8(ascii: "["), line.byteOrZero(1).isDigit else { return 0 }
    let head = line.upTo(FormatLimits.prefixBytes)
    for level in levels {
      if let found = head.find(level) {
        let end = found + level.utf8CodeUnitCount
        return line.skippingBlanks(from: end)
      }
    }
    guard let close = head.find("] "), let angle = head.find("> "), angle > close,
      angle < close + 24
    else { return 0 }
    return line.skippingBlanks(from: angle + 2)
  }

  private static let levels: [StaticString] = [
    "] WARN: ", "] ERROR: ", "] INFO: ", "] FATAL: ", "] DEBUG: ", "] TRACE: ",
  ]

  /// The seconds at the start of the line.
  static func time(_ line: RawSpan) -> Double? {
    guard line.byteOrZero(0) == UInt8(ascii: "["), let close = line.upTo(32).find("]") else {
      return nil
    }
    return Double(line.between(1, close).name)
  }
}
