internal import Bytes

/// The last message of a program, or of its language's runtime, before it ended itself under a
/// sanitizer.
///     thread 'main' panicked at src/lib.rs:5:9:           Rust, the text on the next line since 1.73
///     panic: TEXT                                         Go
///     === Uncaught Python exception: ===                  Atheris, the exception on the next line
///     == Java Exception: CLASS: TEXT                      Jazzer
///     PROGRAM: FILE:12: FUNCTION: Assertion `X' failed.   glibc
///     terminate called after throwing …                   libstdc++; libc++ writes `terminating due to …`
///     [1:1:0908/07:FATAL:FILE(51)] Check failed: X        Chromium
///     F0813 00:29:27.775753 4711 FILE:130] TEXT           glog and abseil
///     [FILE : 12] RAW: TEXT                               abseil, in signal handlers and the like
///     GLib:ERROR:FILE:12:FUNCTION: assertion failed: (X)  GLib
///     ASSERTION FAILED: X                                 WebKit
///     FILE:12: libc++ Hardening assertion X failed: TEXT  libc++
///     # Fatal error in FILE, line 12                      V8, the text on the next line
///     # Fatal process out of memory: TEXT                 V8
///     abort: CSA_ASSERT failed: X [FILE:12]               V8
///     MODULE/FILE:12: Fatal error: TEXT                   Swift
///
/// Source: these runtimes, in the output of fuzzers.
struct FinalMessage {
  private(set) var text = ""
  /// Whether the program cannot continue after the message: a panic can be caught, a failed check cannot.
  private(set) var endsProcess = false
  /// Whether glog's stack follows, after which it calls `abort`: no other signal comes from it.
  private(set) var aborts = false
  /// The start of the message's first line.
  private(set) var start = 0
  /// Whether glog's stack follows next.
  private var isBeforeStack = false
  /// The number of further lines that may belong to the message.
  private var wanted = 0

  /// Reads the lines before the report of `section`; `nil` when none of them is known.
  init?(before section: ReportSection, in text: RawSpan) {
    var found = FinalMessage()
    section.forEachLineBefore(in: text, having: Self.marks) { line, start in
      found.take(line, at: start)
      return found.wanted > 0 || found.isBeforeStack
    }
    guard !found.text.isEmpty else { return nil }
    self = found
  }

  /// A part of each line that ``take(_:)`` recognises.
  private static let marks = MarkSearch(
    [
      "panicked at ", "panic: ", "fatal error: ", "=== Uncaught Python exception: ===",
      "== Java Exception: ", "terminate called ", "terminating due to uncaught exception",
      "terminating with uncaught exception", "Assertion `", "Assertion failed: ",
      "ASSERTION FAILED: ",
      "assertion failed: ", "assertion '", ": assertion ", "Hardening assertion ", ":FATAL:",
      "] Check failed: ", " RAW: ", "F0", "F1", "# Fatal ", "abort: ", "irtual method called",
      "irtual function called!", "Fatal error: ", "Fatal Python error: ",
      "*** stack smashing detected ***", "*** buffer overflow detected ***", "SUMMARY: ",
      "==ABORTING", "*** Check failure stack trace: ***",
    ].map { MarkSearch.Mark($0) })

  private init() {}

  private mutating func take(_ line: RawSpan, at start: Int) {
    if begin(line) {
      self.start = start
      return
    }
    // Lines before the end of another report belong to that report.
    if line.has("SUMMARY: ") || line.ends(with: "==ABORTING") {
      self = FinalMessage()
      return
    }
    if isBeforeStack, line.has("@ ") { aborts = true }
    isBeforeStack = line.has("*** Check failure stack trace: ***")
    guard wanted > 0 else { return }
    // A kernel panic.
    if line.has("cpuid = ") {
      self = FinalMessage()
      return
    }
    guard line.byteCount > 0, !Self.isAfterwards(line) else {
      wanted = 0
      return
    }
    wanted -= 1
    add(line.has("# ") ? line.from(2).trimmed : line)
  }

  /// Takes the first line of a message.
  private mutating func begin(_ line: RawSpan) -> Bool {
    if line.contains("panicked at "), line.contains("thread '") || line.has("thread ") {
      start(line, more: line.ends(with: ":") ? 8 : 0)
    } else if line.has("panic: ") || line.has("fatal error: ") {
      start(line, more: 8)
    } else if line.has("=== Uncaught Python exception: ==="), line.byteCount < 64 {
      start(line.upTo(0), more: 1)
    } else if line.has("== Java Exception: ") {
      start(line.from(19), more: 0)
    } else if line.has("terminate called ")
      || line.contains("terminating due to uncaught exception")
      || line.contains("terminating with uncaught exception")
    {
      start(line, more: line.contains(" throwing ") ? 1 : 0)
    } else if Self.isFailedCheck(line) {
      start(line, more: 0)
      endsProcess = true
    } else if line.has("# Fatal ") {
      let isBare = line.byteCount == 13 && line.has("# Fatal error")
      start(line.from(2), more: isBare || line.has("# Fatal error in ") ? 1 : 0)
      endsProcess = true
    } else if line.contains(": Fatal error: ") || line.has("Fatal error: ")
      || line.has("Fatal Python error: ") || line.has("*** stack smashing detected ***")
      || line.has("*** buffer overflow detected ***")
      || line.contains(": assertion '") && line.contains("' failed")
      || line.contains("ure virtual method called") || line.has("libc++abi: ")
    {
      start(line, more: 0)
    } else {
      return false
    }
    return true
  }

  /// Whether a line is the last one that a program prints: a check failed, or a fatal message was logged.
  private static func isFailedCheck(_ line: RawSpan) -> Bool {
    line.contains("Assertion `") && line.contains("' failed") || line.has("Assertion failed: ")
      || line.has("ASSERTION FAILED: ")
      || line.contains(":ERROR:") && line.contains(": assertion failed: ")
      || line.contains(" failed: ")
        && (line.contains(": libc++ Hardening assertion ") || line.contains(": assertion "))
      || line.contains(":FATAL:") && line.has("[") || line.contains("] Check failed: ")
      || line.contains("] RAW: ") && line.has("[")
      || line.has("abort: ") && line.contains(" failed: ") || isFatalLog(line)
  }

  /// Whether a line is one of glog or abseil of the level `FATAL`: `F0813 00:29:27.775753 4711 FILE:130] …`.
  private static func isFatalLog(_ line: RawSpan) -> Bool {
    line.byteOrZero(0) == UInt8(ascii: "F") && (1...4).allSatisfy { line.byteOrZero($0).isDigit }
      && line.byteOrZero(5) == 32 && line.contains("] ")
  }

  private mutating func start(_ line: RawSpan, more: Int) {
    self = FinalMessage()
    wanted = more
    if line.byteCount > 0 { add(line) }
  }

  private mutating func add(_ line: RawSpan) {
    if !text.isEmpty { text += "\n" }
    text += line.name
    text = text.cut(FormatLimits.nameBytes)
  }

  /// Whether a line follows the message: stacks, and advice on how to get one.
  private static func isAfterwards(_ line: RawSpan) -> Bool {
    line.has("note: ") || line.has("stack backtrace:") || line.has("goroutine ")
      || line.has("[signal ") || line.has("Traceback ") || line.has("==") || line.has("#0")
      || line.contains("Sanitizer:DEADLYSIGNAL")
  }
}
