internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The panic of a microcontroller's firmware.
  static let firmware = ReportFormat("firmware")
}

extension Headline.Kind {
  /// `Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.`
  fileprivate static let espPanic = Headline.Kind("ESP-IDF panic")
  /// `abort() was called at PC 0x400d1a3c on core 0`, `assert failed: …`
  fileprivate static let espAbort = Headline.Kind("ESP-IDF abort")
  /// `>>> ZEPHYR FATAL ERROR 19: Unknown error on CPU 0`
  fileprivate static let zephyrError = Headline.Kind("Zephyr fatal error")
  /// `++ MbedOS Fault Handler ++` and others of Cortex-M.
  fileprivate static let cortexFault = Headline.Kind("Cortex-M fault")
}

/// Panics of firmware, as it prints them to a serial line.
///
///     Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.     ESP-IDF
///     PC      : 0x400d1a3c  PS      : 0x00060a30  A0      : 0x800d1a80
///     EXCVADDR: 0x00000000
///     Backtrace: 0x400d1a3c:0x3ffb1f70 0x400d1a7d:0x3ffb1f90
///     ELF file SHA256: 9a1c2b3d4e5f6071
///
///     ***** MPU FAULT *****                                                                  Zephyr
///       Data Access Violation
///       MMFAR Address: 0x0
///     r0/a1:  0x00000000  r1/a2:  0x20000a10  r14/lr:  0x000045f9
///     Faulting instruction address (r15/pc): 0x00004610
///     >>> ZEPHYR FATAL ERROR 19: Unknown error on CPU 0
///     Current thread: 0x20000530 (main)
///
///     ++ MbedOS Fault Handler ++                                                             Mbed OS
///     FaultType: HardFault
///     PC   : 00001234
///
/// Addresses refer to the ELF file, which is not named.
///
/// Source: `esp_system/panic.c` and `debug_helpers.c` of ESP-IDF, `arch/*/core/fatal.c` and `kernel/fatal.c` of
/// Zephyr, `mbed_fault_handler.c` of Mbed OS, `cm_backtrace.c`, `vectors_cortexm.c` of RIOT.
enum FirmwareReader: LogReader {
  static let format = ReportFormat.firmware
  static let beginsDeaths = true
  static let fileExtension = "txt"
  static let headlines =
    [
      HeadlineRule(.espPanic, "Guru Meditation Error: "),
      HeadlineRule(.espAbort, "abort() was called at PC 0x"),
      HeadlineRule(.espAbort, "assert failed: ", locate: beforeBacktrace),
      HeadlineRule(.espAbort, "***ERROR*** A stack overflow in task "),
      HeadlineRule(.espAbort, "Task watchdog got triggered.", locate: beforeBacktrace),
      HeadlineRule(.zephyrError, "ZEPHYR FATAL ERROR ") { text, mark, _ in
        Headline.Location(
          start: text.has(">>> ", at: mark - 4) ? mark - 4 : mark, content: mark + 19)
      },
    ]
    + [
      "++ MbedOS Fault Handler ++", "Context before hardfault:", "[Hard fault handler",
      "Firmware name: ",
    ].map { HeadlineRule(.cortexFault, $0, locate: beforeRegisters) }
    + [
      "HardFault", "Hard Fault", "Hard fault", "HARD FAULT", "BusFault", "UsageFault", "MemManage",
    ]
    .map { HeadlineRule(.cortexFault, $0, locate: beforeRegisters) }

  /// Text that other programs print too.
  private static let beforeBacktrace: HeadlineRule.Locate = { text, mark, _ in
    text.between(mark, mark + 4096).contains("Backtrace:")
      ? Headline.Location(start: mark, content: mark) : nil
  }

  /// A program counter and a link register follow, on lines of their own or of others.
  private static let beforeRegisters: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard mark - start <= FormatLimits.prefixBytes else { return nil }
    var cursor = LineCursor(mark..<min(text.byteCount, mark + 2048))
    var names: Set<String> = []
    _ = cursor.next(in: text)
    for _ in 0..<24 {
      guard let range = cursor.next(in: text) else { break }
      FirmwareParser.forEachRegister(of: text.part(range).upTo(512)) { name, _ in names.insert(name)
      }
      if names.contains("pc"), names.contains("lr") {
        return Headline.Location(start: mark, content: mark)
      }
    }
    return nil
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = FirmwareParser()
    let line = text.between(headline.content, headline.line.upperBound).trimmed
    section.forEachLineBefore(in: text) { parser.readBefore($0) }
    switch headline.kind {
    case .espPanic: parser.readGuru(line)
    case .espAbort: parser.readAbort(text.between(headline.start, headline.line.upperBound).trimmed)
    case .zephyrError: parser.readZephyr(line)
    default: parser.readFault(text.between(headline.start, headline.line.upperBound).trimmed)
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 12, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      if line.has("Rebooting") || line.has("-- MbedOS Fault Handler --")
        || line.contains("Halting system")
      {
        end = lines.position
        break
      }
      if line.byteCount == 0 { continue }
      // The next one begins.
      if line.has("Guru Meditation Error: ") || line.has("***** ")
        || line.contains("ZEPHYR FATAL ERROR ")
      {
        break
      }
      if parser.read(line) {
        others = 0
        end = lines.position
      } else {
        others += 1
      }
    }
    return parser.finished().map {
      LoggedReport(report: $0, end: min(end, text.byteCount))
    }
  }
}
