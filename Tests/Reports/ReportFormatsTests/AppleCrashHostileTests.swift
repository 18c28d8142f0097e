import Bytes
import CrashModel
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Apple text reports, damaged")
struct AppleCrashHostileTests {
  @Test("Each prefix", arguments: [AppleSamples.iOSText, AppleSamples.macOSText])
  func prefixes(sample: String) throws {
    let bytes = Array(sample.utf8)
    let whole = try AppleCrashReaderTests.report(sample)
    for length in stride(from: 0, to: bytes.count, by: 5) {
      let view = ByteView(bytes[..<length])
      guard AppleCrashReader.recognises(view) else { continue }
      let report = try #require(try AppleCrashReader.reports(in: view).first)
      #expect(report.threads.count <= whole.threads.count)
      #expect(report.process.name == whole.process.name)
    }
  }

  @Test("Changed bytes neither crash nor hang", arguments: 0..<8 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var mutator = Mutator(seed: seed)
    let samples = [
      Array(AppleSamples.iOSText.utf8), Array(AppleSamples.macOSText.utf8),
      Array((AppleSamples.header + "\n" + AppleSamples.iOSText + AppleSamples.ips).utf8),
    ]
    var outcomes = Outcomes()
    for round in 0..<90 {
      let view = ByteView(mutator.mutated(samples[round % 3]))
      _ = AppleCrashReader.recognises(view)
      outcomes.count { FormatRegistryTests.check(try AppleCrashReader.reports(in: view)) }
    }
    #expect(outcomes.all == 90 && outcomes.read > 45)
  }

  @Test("Many lines take linear time")
  func manyLines() throws {
    var bytes = Array(AppleSamples.iOSText.utf8)
    let line = Array("Jan  1 00:00:00 tern[1]: nothing to see: here\n".utf8)
    for _ in 0..<40_000 { bytes.append(contentsOf: line) }
    for _ in 0..<100_000 { bytes.append(contentsOf: [0x0A]) }
    let report = try #require(try AppleCrashReader.reports(in: ByteView(bytes)).first)
    #expect(report.threads.count == 3 && report.images.count == 3)
  }

  @Test("More frames, threads, images and registers than the limit leave notes")
  func limits() throws {
    let frame = "1   Tern  0x1234 f + 4\n"
    let text =
      "Exception Type: SIGABRT\nThread 0:\n" + String(repeating: frame, count: 10)
      + String(repeating: "Thread 1:\n", count: AppleLimits.threads + 5)
      + "Thread 0 crashed with ARM Thread State:\n"
      + String(repeating: " r: 0x1", count: AppleLimits.registers + 5) + "\n\nBinary Images:\n"
      + (0..<(AppleLimits.images + 5)).map {
        "0x\(String($0 * 16 + 16, radix: 16)) - 0xfffffff x\n"
      }
      .joined()
    let report = try AppleCrashReaderTests.report(text)
    #expect(report.threads.count == AppleLimits.threads)
    #expect(report.threads[0].frames.count == 10)
    #expect(report.threads[0].registers.count == AppleLimits.registers)
    #expect(report.images.count <= AppleLimits.images + 1)
    #expect(
      report.notes == [
        "Only the first 8192 threads are kept.",
        "Only the first 512 registers of a thread are kept.",
        "Only the first 32768 images are kept.",
      ])
  }

  @Test("A very long line is truncated, with a note")
  func longLine() throws {
    let long = String(repeating: "x", count: 3_000_000)
    let report = try AppleCrashReaderTests.report(
      "Exception Type: SIGABRT\nThread 0 Crashed:\n0   Tern  0x1234 f\(long) + 4\n"
        + "1   Tern  0x1234 g + 4\n")
    #expect(report.threads[0].frames.count == 2)
    #expect(report.notes == ["1 line was cut at 65536 bytes."])
  }

  @Test("NULs and bytes that are not UTF-8")
  func wildBytes() throws {
    var bytes = Array("Exception Type: SIGABRT\nThread 0 Crashed: a".utf8)
    bytes += [0xFF, 0xFE, 0x00, 0x62, 0x0A]
    bytes += Array("0   Te".utf8) + [0xC3] + Array("rn  0x1234 f".utf8) + [0x80, 0x0A, 0x00, 0x00]
    let reports = try AppleCrashReader.reports(in: ByteView(bytes))
    #expect(reports.count == 1)
    #expect(reports[0].threads[0].name == "a\u{FFFD}\u{FFFD}\0b")
    #expect(reports[0].threads[0].frames[0].function == "f\u{FFFD}")
    #expect(reports[0].images.map(\.name) == ["Te\u{FFFD}rn"])
  }

  @Test("Unclosed objects cost no more than a window each")
  func openObjects() {
    let text =
      "Exception Type: SIGABRT\nThread 0:\n" + String(repeating: "{\"a\":[\n", count: 20_000)
    _ = try? AppleCrashReader.reports(in: ByteView(text.utf8))
  }

  @Test("Many reports in one file, up to the limit")
  func manyReports() throws {
    let one = "Process: Tern [1]\nException Type: SIGABRT\nThread 0:\n0   Tern  0x1234 f + 4\n"
    let text = String(repeating: one, count: AppleLimits.reports + 3)
    let reports = try AppleCrashReader.reports(in: ByteView(text.utf8))
    #expect(reports.count == AppleLimits.reports)
    #expect(reports.last?.notes == ["Only the first 1024 reports of the file are read."])
  }
}
