import Bytes
import CrashModel
import ReportFormats
import TestSupport
import Testing

@Suite struct FormatRegistryTests {
  static let samples: [String] = [
    SanitizerReaderTests.asan, SanitizerReaderTests.tsan, SanitizerReaderTests.ubsan,
    SanitizerReaderTests.leaks, SwiftBacktraceTests.full, SwiftBacktraceJSONTests.logged,
  ]

  static func reports(_ bytes: [UInt8]) -> [CrashReport] {
    do throws(ParseError) { return try FormatRegistry.builtIn.reports(in: ByteView(bytes)) } catch {
      return []
    }
  }

  @Test("The format of the first report")
  func formats() {
    #expect(
      Self.samples.map { FormatRegistry.builtIn.format(of: ByteView($0.utf8)) } == [
        .sanitizer, .sanitizer, .sanitizer, .sanitizer, .swiftBacktrace, .swiftBacktraceJSON,
      ])
    #expect(FormatRegistry.builtIn.format(of: ByteView("nothing".utf8)) == nil)
  }

  @Test("Reports of several kinds in one file come in their order")
  func mixed() {
    let text = Self.samples.joined(separator: "some log: with colons\n")
    let reports = Self.reports(Array(text.utf8))
    #expect(
      reports.map(\.format.description) == [String](repeating: "sanitizer", count: 7) + [
        "swift-backtrace", "swift-backtrace-json",
      ])
  }

  /// The same report, transformed as a log is on its way.
  enum Dress: String, CaseIterable, Sendable {
    case mark, lineEnds, indentation, quotation, composeLogs, journal, logcat, colour, html, blanks

    func on(_ text: String) -> String {
      var number = 0
      func eachLine(_ prefix: (Int) -> String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
          number += 1
          return prefix(number) + line
        }.joined(separator: "\n")
      }
      func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return switch self {
      case .mark: "\u{feff}" + text
      case .lineEnds:
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(
          separator: "\r\n")
      case .indentation: eachLine { _ in "        " }
      case .quotation: eachLine { _ in "> " }
      case .composeLogs: eachLine { _ in "boat-1  | " }
      case .journal: eachLine { "May 01 10:\(padded($0 % 60)):00 harbour boat[\(900 + $0)]: " }
      case .logcat:
        eachLine { "05-01 10:11:\(padded($0 % 60)).\(100 + $0)  2211  \(2000 + $0) I wrap.sh : " }
      case .colour: eachLine { _ in "\u{1b}[0m\u{1b}[38;5;12m" }
      case .html:
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
          String(
            line.flatMap { character -> String in
              switch character {
              case "<": "&lt;"
              case ">": "&gt;"
              case "&": "&amp;"
              case "\"": "&quot;"
              default: String(character)
              }
            })
        }.joined(separator: "\n")
      case .blanks: "\n\n   \n\t\n" + text
      }
    }
  }

  @Test("Transformations of a log do not hide the report", arguments: Dress.allCases)
  func dress(_ dress: Dress) {
    for sample in Self.samples {
      let plain = Self.reports(Array(sample.utf8))
      let dressed = Self.reports(Array(dress.on(sample).utf8))
      #expect(dressed == plain)
    }
  }

  @Test(
    "An Apple report behind a logger's prefixes",
    arguments: [Dress.quotation, .composeLogs, .journal])
  func prefixedDocument(dress: Dress) {
    let text = """
      Incident Identifier: 00112233-4455-6677-8899-AABBCCDDEEFF
      Process:             Boat [71]
      Version:             1.2 (3)
      OS Version:          iPhone OS 16.0 (20A362)
      Report Version:      104

      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      Crashed Thread:  0

      Thread 0 Crashed:
      0   Boat                          0x0000000100004000 0x100000000 + 16384

      Binary Images:
      0x100000000 - 0x10000ffff Boat arm64  <00112233445566778899aabbccddeeff> /private/Boat

      """
    let plain = Self.reports(Array(text.utf8))
    #expect(plain.map(\.format) == [.appleCrash])
    #expect(Self.reports(Array(dress.on(text).utf8)) == plain)
  }

  @Test(
    "A file of another kind is refused with what it is",
    arguments: [
      ([], "empty file"),
      (Array(" \r\n\t\n".utf8), "no text but blanks"),
      (
        [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [3, 0],
        "an ELF executable or debug file, not a report: pass it with --symbols"
      ),
      (
        [0xcf, 0xfa, 0xed, 0xfe, 12, 0, 0, 1, 0, 0, 0, 0, 10, 0, 0, 0],
        "a Mach-O executable or debug file, not a report: pass it with --symbols"
      ),
      ([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61], "a Java class, not a report"),
      ([0x1f, 0x8b, 8], "a gzip file, not a report by itself"),
      (Array("{\"boat\": 1}".utf8), "JSON, but no report of a known format"),
      (Array("a boat in the harbour\n".utf8), "no report of a known format"),
      ([UInt8](repeating: 0, count: 100), "binary data, no report of a known format"),
    ] as [([UInt8], String)])
  func refusal(bytes: [UInt8], words: String) {
    let error = #expect(throws: ParseError.self) {
      try FormatRegistry.builtIn.reports(in: ByteView(bytes))
    }
    #expect(error?.kind == .notRecognised)
    #expect(error?.structure == words)
  }

  @Test("Truncated anywhere, a report is read or refused", arguments: samples.indices)
  func prefixes(index: Int) {
    let bytes = Array(Self.samples[index].utf8)
    for count in stride(from: 0, through: bytes.count, by: 3) {
      for report in Self.reports(Array(bytes[..<count])) { Self.check(report) }
    }
  }

  @Test("Damaged anywhere, a report is read or refused", arguments: samples.indices)
  func mutations(index: Int) {
    let bytes = Array(Self.samples[index].utf8)
    var mutator = Mutator(seed: UInt64(index) + 1)
    for _ in 0..<300 {
      for report in Self.reports(mutator.mutated(bytes)) { Self.check(report) }
    }
  }

  static func check(_ reports: [CrashReport]) {
    for report in reports { check(report) }
  }

  /// Properties of every report, whatever it was read from.
  static func check(_ report: CrashReport) {
    if let crashed = report.crashedThread { #expect(report.threads.indices.contains(crashed)) }
    let frames = report.threads.flatMap(\.frames) + report.otherStacks.flatMap(\.frames)
    for frame in frames {
      if let image = frame.image { #expect(report.images.indices.contains(image)) }
      #expect(frame.line ?? 1 > 0)
      #expect(frame.column ?? 1 > 0)
    }
  }

  @Test(
    "Input that wants to be expensive is not",
    .timeLimit(.minutes(3)),
    arguments: [
      ("x\n", 75_000), ("#0 0x1 in f /a.c:1\n", 25_000), (":", 250_000),
      ("==1==ERROR: AddressSanitizer: x\n", 5_000), ("a.c:1:2: runtime error: b\n", 5_000),
      ("a.c:1:2: runtime error: b", 10_000), (": runtime error: ", 15_000),
      ("ERROR: AddressSanitizer x", 15_000), ("AddressSanitizer:DEADLYSIGNAL\n", 5_000),
      ("*** Program crashed: x ***\n", 5_000),
      ("1: Fatal error: ", 15_000), ("{\"kind\": \"crashReport\"", 5_000),
      ("{\"kind\": \"crashReport\"\n", 1_250), ("(", 75_000), (")+0x1", 50_000),
      ("a | ==1==ERROR: AddressSanitizer: x\nb | ==1==ERROR: AddressSanitizer: x\n", 2_500),
      ("\u{0}", 250_000), ("\u{ff}", 75_000), ("\r", 125_000), ("\u{1b}[", 50_000),
      ("&lt;", 50_000), ("Thread 4000000000 crashed:\n", 12_500),
      ("isolate_dso_base: 7526, vm_dso_base: 7526\n", 20_000), ("Register dump:\n", 1_000),
      ("*** Check failure stack trace: ***\n", 1_000), ("*** Aborted at 1\n", 1_000),
      ("----- Native stack trace -----\n", 1_000), ("Register dump:\nMemory map:\n1-2 r\n", 500),
      ("./a(b+0x1)[0x401234]\n\n", 1_000), ("#\n# Fatal error in a\n", 1_000),
    ] as [(String, Int)])
  func hostile(unit: String, count: Int) {
    let filling = [UInt8](
      [[UInt8]](repeating: Array(unit.utf8), count: count).joined())
    for lead in [
      "", "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x1 (pc 0x1)\n    #0 ",
      "*** Program crashed: Trap at 0x1 ***\nThread 0 crashed:\n 0 [ra] 0x1 ",
    ] {
      for report in Self.reports(Array(lead.utf8) + filling) { Self.check(report) }
    }
  }

  @Test("A reached limit leaves a note")
  func limits() throws {
    let many = String(repeating: "a.c:1:2: runtime error: b\n", count: 10_001)
    let reports = Self.reports(Array(many.utf8))
    #expect(reports.count == 10_000)
    #expect(reports.last?.notes.last?.contains("10000 reports") == true)
    let deep =
      "*** Program crashed: Trap at 0x1 ***\nThread 0 crashed:\n"
      + String(repeating: "1 [ra] 0x1 f() + 1 in boat\n", count: 16_400)
    let report = try #require(Self.reports(Array(deep.utf8)).first)
    #expect(report.threads[0].frames.count == 16_384)
    #expect(report.notes == ["16 frames beyond the limit of 16384 a stack were left out"])
  }

  @Test("Invalid UTF-8 becomes U+FFFD where it is kept")
  func invalidText() throws {
    let bytes =
      Array(
        "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x1 (pc 0x1)\n    #0 0x1 in f".utf8)
      + [0xff, 0xfe] + Array(" /a.c:1\n".utf8)
    let report = try #require(Self.reports(bytes).first)
    #expect(report.threads[0].frames.map(\.function) == ["f\u{fffd}\u{fffd}"])
  }
}
