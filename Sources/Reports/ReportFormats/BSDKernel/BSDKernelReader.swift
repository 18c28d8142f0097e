internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A panic or a trap of the kernels of FreeBSD, DragonFly, NetBSD and OpenBSD.
  static let bsdKernel = ReportFormat("bsd-kernel")
}

extension Headline.Kind {
  /// `panic: …`.
  static let bsdPanic = Headline.Kind("BSD panic")
  /// A panic after the trap that led to it.
  static let bsdFollowUp = Headline.Kind("BSD follow-up")
  /// `Fatal trap 12: page fault while in kernel mode` of FreeBSD and DragonFly.
  static let bsdTrap = Headline.Kind("BSD trap")
  /// `kernel: page fault trap, code=0` of OpenBSD.
  static let openBSDTrap = Headline.Kind("OpenBSD trap")
  /// `fatal page fault in supervisor mode` of NetBSD.
  static let netBSDTrap = Headline.Kind("NetBSD trap")
  /// `lock order reversal:`.
  static let bsdLockOrder = Headline.Kind("BSD lock order")
}

/// Panics and traps in the logs and on the consoles of BSD kernels:
///
///     Fatal trap 12: page fault while in kernel mode              FreeBSD, DragonFly
///     fault virtual address   = 0x18
///     current process         = 3094 (tern)
///     panic: page fault
///     KDB: stack backtrace:
///     tern_close() at tern_close+0x47/frame 0xfffffe000c95b2f0
///
///     panic: WORDS                                                OpenBSD
///     Stopped at      db_enter+0x18:  addq    $0x8,%rsp
///     tern_close(ffff800000a92400,3) at tern_close+0x79
///
///     [  39.1692281] cpu0: Begin traceback...                     NetBSD
///     [  39.1914195] tern_close() at netbsd:tern_close+0x29d
///
/// Sources: `sys/kern/kern_shutdown.c`, `sys/kern/subr_kdb.c` and `sys/ddb` of FreeBSD, `sys/kern/subr_prf.c`
/// and `sys/ddb` of OpenBSD and NetBSD, `sys/platform/pc64/x86_64/db_trace.c` of DragonFly.
enum BSDKernelReader: LogReader {
  static let format = ReportFormat.bsdKernel
  static let fileExtension = "txt"
  static let beginsDeaths = true

  static let headlines =
    [
      HeadlineRule(.bsdPanic, "panic: ") { text, mark, lines in
        guard isPanic(text, mark), !followsTrap(text, mark) else { return nil }
        return location(text, mark, mark, &lines)
      },
      HeadlineRule(.bsdFollowUp, "panic: ", role: .continues) { text, mark, lines in
        guard isPanic(text, mark), followsTrap(text, mark) else { return nil }
        return location(text, mark, mark, &lines)
      },
      HeadlineRule(.bsdLockOrder, "lock order reversal:") { text, mark, lines in
        guard let end = text.find(10, from: mark),
          text.between(end, end + 512).contains(" 1st 0x")
        else { return nil }
        return location(text, mark, mark, &lines)
      },
      HeadlineRule(.netBSDTrap, "netbsd:") { text, mark, lines in
        let line = text.between(max(lines.start(of: mark, in: text), mark - 160), mark)
        guard line.contains("Stopped in pid ") else { return nil }
        return earlier("fatal ", " in supervisor mode", text, mark, &lines)
      },
    ]
    + instructionPointers.map { words in
      HeadlineRule(.bsdTrap, words) { text, mark, lines in
        earlier("Fatal trap ", "", text, mark, &lines)
      }
    }
    + openBSDTraps.map { words in
      HeadlineRule(.openBSDTrap, words) { text, mark, lines in
        location(text, mark, mark + 8, &lines)
      }
    }

  /// The segments of the kernels, and of programs ended by a disallowed trap.
  private static let instructionPointers: [StaticString] = [
    "= 0x20:0x", "= 0x8:0x", "= 0x43:0x", "= 0x33:0x",
  ]

  /// Source: `trap_type` in `sys/arch/amd64/amd64/trap.c` of OpenBSD.
  private static let openBSDTraps: [StaticString] = [
    "kernel: page fault trap, code=", "kernel: protection fault trap, code=",
    "kernel: integer divide fault trap, code=", "kernel: privileged instruction fault trap, code=",
    "kernel: double fault trap, code=", "kernel: stack fault trap, code=",
    "kernel: alignment fault trap, code=", "kernel: machine check trap, code=",
    "kernel: segment not present fault trap, code=", "kernel: invalid TSS fault trap, code=",
    "kernel: SSE FP exception trap, code=", "kernel: FPU not available fault trap, code=",
  ]

  /// A headline at `start`, before which a kernel may have written the time.
  private static func location(
    _ text: RawSpan, _ start: Int, _ content: Int, _ lines: inout LineStarts, lineEnd: Int? = nil
  ) -> Headline.Location {
    let line = max(lines.start(of: start, in: text), start - FormatLimits.prefixBytes)
    var first = start
    // The console's prompt, printed while the system runs.
    if text.between(line, start).ends(with: "login: ") { first -= 7 }
    let time = BSDKernelLine.timeStart(text.between(line, first))
    return Headline.Location(
      start: time.map { line + $0 } ?? first, content: content, lineEnd: lineEnd)
  }

  /// The headline that begins with `lead` and ends with `end`, in a line before the mark.
  private static func earlier(
    _ lead: StaticString, _ end: StaticString, _ text: RawSpan, _ mark: Int,
    _ lines: inout LineStarts
  ) -> Headline.Location? {
    let from = max(0, mark - 1024)
    guard let found = text.between(from, mark).findLast(lead) else { return nil }
    let start = from + found
    let stop = text.find(10, from: start) ?? text.byteCount
    let line = text.between(start, stop).trimmed
    guard end.utf8CodeUnitCount == 0 || line.ends(with: end), !line.has("fatal breakpoint trap")
    else { return nil }
    let before = text.between(max(0, start - FormatLimits.prefixBytes), start)
    let first = before.byteCount - ((before.findLast(10) ?? -1) + 1)
    let time = BSDKernelLine.timeStart(text.between(start - first, start))
    return Headline.Location(
      start: time.map { start - first + $0 } ?? start, content: start, lineEnd: stop)
  }

  /// Text that follows a panic's message, in one of the next lines.
  private static let evidence: [StaticString] = [
    "cpuid = ", "KDB: ", "Stopped at ", "Stopped in pid ", "Starting stack trace",
    "Begin traceback",
    "Trace beginning at frame ", "panic() at ", "db_enter() at ", "Debugger(\"panic\")",
    "syncing disks",
  ]

  /// Whether the panic at `mark` is one of these kernels: Go's runtime uses the same word.
  private static func isPanic(_ text: RawSpan, _ mark: Int) -> Bool {
    let before = text.byteOrZero(mark - 1)
    guard !before.isLetter, !before.isDigit, before != UInt8(ascii: "_") else { return false }
    if before == UInt8(ascii: "\t") { return false }
    var cursor = LineCursor(mark..<min(text.byteCount, mark + 2048))
    _ = cursor.next(in: text)
    for _ in 0..<16 {
      guard let range = cursor.next(in: text) else { return false }
      let line = text.part(range)
      // Two panics are two reports.
      if line.contains("panic: ") || line.contains("goroutine ") { return false }
      for words in evidence where line.contains(words) { return true }
    }
    return false
  }

  /// Whether a trap or another panic led to the panic at `mark`, without a start of the system between.
  private static func followsTrap(_ text: RawSpan, _ mark: Int) -> Bool {
    let before = text.between(max(0, mark - 4096), mark)
    var last = -1
    for words in traps {
      if let found = before.findLast(words) { last = max(last, found) }
    }
    guard last >= 0 else { return false }
    let since = before.from(last)
    // Without the debugger the panic itself is the first line with a mark.
    if since.has(" fault in supervisor mode"), !since.contains("Stopped in pid ") { return false }
    for words in restarts where since.contains(words) { return false }
    return true
  }

  private static let traps: [StaticString] = [
    "Fatal trap ", " fault in supervisor mode", "fault trap, code=", "KDB: stack backtrace:",
    "Starting stack trace...",
  ]
  private static let restarts: [StaticString] = [
    "Copyright (c)", "ebooting", "Uptime: ", "---<<BOOT>>---", "syncing disks",
    "lock order reversal:",
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let line = text.between(headline.content, headline.line.upperBound).trimmed
    var parser = BSDKernelParser(headline.kind, line)
    section.forEachLineBefore(in: text) { parser.takeBefore($0) }
    section.forEachLine(in: text) { parser.take($0) }
    return parser.finished().map { LoggedReport(report: $0) }
  }
}
