import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Apple reports with a JSON body, damaged")
struct AppleIPSHostileTests {
  @Test("Truncated anywhere, the data before the cut is there, with a note")
  func prefixes() throws {
    let bytes = Array(AppleSamples.ips.utf8)
    let whole = try AppleIPSReaderTests.report(AppleSamples.ips)
    var longest = 0
    for length in stride(from: 0, to: bytes.count - 1, by: 3) {
      let view = ByteView(bytes[..<length])
      guard AppleIPSReader.recognises(view) else { continue }
      let reports = try AppleIPSReader.reports(in: view)
      #expect(reports.count == 1)
      let report = reports[0]
      #expect(!report.notes.isEmpty, "\(length)")
      #expect(report.threads.count <= whole.threads.count)
      for (part, all) in zip(report.threads, whole.threads) {
        #expect(part.frames.count <= all.frames.count)
      }
      let frames = report.threads.reduce(0) { $0 + $1.frames.count }
      #expect(frames >= longest)
      longest = frames
    }
    #expect(longest == 7)
  }

  @Test("Changed bytes neither crash nor hang", arguments: 0..<8 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var mutator = Mutator(seed: seed)
    let sample = Array(AppleSamples.ips.utf8)
    var outcomes = Outcomes()
    for _ in 0..<60 {
      let view = ByteView(mutator.mutated(sample))
      _ = AppleIPSReader.recognises(view)
      outcomes.count { FormatRegistryTests.check(try AppleIPSReader.reports(in: view)) }
    }
    #expect(outcomes.all == 60 && outcomes.read > 30)
  }

  @Test("Numbers that point nowhere")
  func wildNumbers() throws {
    let report = try AppleIPSReaderTests.report(
      #"""
      {"bug_type":"309","os_version":"macOS 14.0 (23A1)"}
      {"faultingThread":4294967295,"pid":-1,"legacyInfo":{"threadTriggered":{"index":-4}},
      "exception":{"type":"EXC_BAD_ACCESS","rawCodes":[-1,1e300,"x"]},
      "threads":[{"id":-5,"frames":[{"imageOffset":18446744073709551615,"imageIndex":4294967295},
        {"imageOffset":18446744073709551615,"imageIndex":0},{"imageOffset":-3,"imageIndex":-1},
        {"symbolLocation":-1,"sourceLine":-7},7,null,[{}]]},"no thread",[[]]],
      "usedImages":[{"base":18446744073709551615,"size":18446744073709551615,"uuid":"not hexadecimal"},
        5]}
      """#)
    #expect(report.crashedThread == nil)
    #expect(report.threads.count == 1)
    #expect(report.threads[0].frames.count == 4)
    #expect(report.threads[0].frames[1].address == Address(0xffff_ffff_ffff_fffe))
    #expect(report.images.count == 1 && report.images[0].debugID == nil)
    #expect(report.notes.contains { $0.contains("name images that the report does not list") })
  }

  @Test("The first of repeated members counts")
  func repeated() throws {
    let text = String(AppleSamples.ips.dropLast(2))
    let twice =
      text + #","pid":9,"threads":[{"id":5}],"usedImages":[{"name":"X","base":1}],"procName":"No"}"#
    #expect(try AppleIPSReaderTests.report(twice) == AppleIPSReaderTests.report(AppleSamples.ips))
  }

  @Test("Nested a hundred thousand deep, the rest is kept")
  func deep() throws {
    let deep = String(repeating: "[", count: 100_000)
    let text = String(AppleSamples.ips.dropLast(2)) + ",\"x\":" + deep
    let report = try AppleIPSReaderTests.report(text)
    #expect(report.threads.count == 3)
    #expect(report.notes.contains { $0.contains("limit of 128 levels of nesting reached") })
  }

  @Test("Damage in one report does not affect the next")
  func damageBetween() throws {
    let text =
      AppleSamples.header + "\n{\"pid\":1,\"threads\":[{\"id\":1,\"frames\":[{\"imageOffset\"!\n"
      + AppleSamples.ips
    let reports = try AppleIPSReader.reports(in: ByteView(text.utf8))
    #expect(reports.count == 2)
    #expect(reports[0].threads.count == 1)
    #expect(reports[0].notes.first?.hasPrefix("The report is damaged") == true)
    #expect(try reports[1] == AppleIPSReaderTests.report(AppleSamples.ips))
  }

  @Test("More threads, registers and images than the limit leave notes")
  func limits() throws {
    let threads = String(repeating: "{},", count: AppleLimits.threads + 5)
    let images = String(repeating: "{\"base\":1},", count: AppleLimits.images + 5)
    let registers = String(repeating: "{\"value\":1},", count: AppleLimits.registers + 5)
    let report = try AppleIPSReaderTests.report(
      "{\"bug_type\":\"309\"}{\"threads\":[{\"threadState\":{\"x\":[\(registers)]}},\(threads)],"
        + "\"usedImages\":[\(images)]}")
    #expect(report.threads.count == AppleLimits.threads)
    #expect(report.threads[0].registers.count == AppleLimits.registers)
    #expect(report.images.count == AppleLimits.images)
    #expect(
      report.notes == [
        "Only the first 512 registers of a thread are kept.",
        "Only the first 8192 threads are kept.", "Only the first 32768 images are kept.",
      ])
  }
}
