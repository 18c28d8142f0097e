import Bytes
import JSON
import TestSupport
import Testing

@testable import CommandSupport
@testable import CrashInput
@testable import OfflineCommands
@testable import Pipeline
@testable import ProgramSupport

@Suite("Progress") struct ProgressTests {
  private func file(
    _ name: String, ordinal: Int, seconds: Double = 0, bytes: Int = 1_000, isFailed: Bool = false
  ) -> FileProgress {
    var file = FileProgress(source: name, ordinal: ordinal, isContinued: false, bytes: bytes)
    file.reports = isFailed ? 0 : 1
    file.isFailed = isFailed
    file.format = isFailed ? nil : "minidump"
    file.times.parsing = seconds / 4
    file.times.symbolicating = seconds * 3 / 4
    return file
  }

  private func document(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONDocument.parse(ByteView(bytes)).value
  }

  @Test("Rates and the time left follow from the files on disk")
  func counts() throws {
    var counts = ProgressCounts()
    var total = InputCount()
    total.files = 400
    for ordinal in 0..<100 {
      counts.add(file("\(ordinal)", ordinal: ordinal, bytes: 20_000, isFailed: ordinal % 50 == 7))
      // Members of an archive are files, but found with it.
      counts.add(file("\(ordinal)!a", ordinal: ordinal, bytes: 20_000))
    }
    #expect(counts.files == 200 && counts.found == 100)
    #expect(counts.detail(10, of: total) == "198 reports, 400.0 kB/s, 2 failed, 0:30 left")
    #expect(counts.detail(10, of: nil) == "198 reports, 400.0 kB/s, 2 failed")
    let line = counts.document(10, of: total)
    #expect(!line.contains(0x0a))
    let value = try document(line)
    #expect(value["elapsed"]?.double == 10 && value["seconds_left"]?.double == 30)
    #expect(value["files"]?.integer == 200 && value["found"]?.integer == 400)
    #expect(value["bytes_per_second"]?.double == 400_000 && value["failed"]?.integer == 2)
    #expect(value["finished"]?.bool == false && value["slowest"] == nil)
  }

  @Test("The ten slowest files are named, the slowest first, with the step that took longest")
  func slowest() throws {
    var counts = ProgressCounts()
    var random = SplitMix(seed: 3)
    for number in (0..<50).shuffled(using: &random) {
      counts.add(file("\(number).dmp", ordinal: number, seconds: Double(number)))
    }
    #expect(counts.slowest.map(\.source) == (40..<50).reversed().map { "\($0).dmp" })
    let value = try document(counts.document(60, of: nil, isFinished: true))
    #expect(value["slowest"]?.array?.count == 10 && value["finished"]?.bool == true)
    #expect(value["slowest"]?[0]?["source"]?.string == "49.dmp")
    #expect(value["slowest"]?[0]?["symbolicating"]?.double == 36.75)
    #expect(
      ProgressCounts.words(counts.slowest[0])
        == "49.0 s  49.dmp: 36.8 s for symbols; 1.0 kB, minidump")
  }

  @Test("Times read as on a clock", arguments: [(0.4, "0:00"), (61, "1:01"), (3_723, "1:02:03")])
  func clock(seconds: Double, text: String) {
    #expect(ProgressCounts.clock(seconds) == text)
    #expect(
      ProgressCounts.clock(.infinity) == "277777:46:40" && ProgressCounts.clock(.nan) == "0:00")
  }

  @Test(
    "With --progress json a summary ends the run; nothing is said about progress without a terminal"
  )
  func summary() throws {
    let reports = Samples.path("apple-ips")
    let folder = ScratchFolder()
    let part = folder.path("a.mdp")
    let quiet = Run(["triage", reports, "--partial", part])
    #expect(quiet.errors.split(separator: "\n").count == 1)
    let run = Run(["triage", reports, "--partial", part, "--progress", "json"])
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2)
    let value = try document(Array((lines.first ?? "").utf8))
    #expect(value["files"]?.integer == 33 && value["found"]?.integer == 33)
    #expect(value["reports"]?.integer == 33 && value["finished"]?.bool == true)
    #expect(value["slowest"]?.array?.count == 10)
    let rows = Run(
      ["symbolicate", "--ndjson", reports, folder.path("a.mdp"), "--progress", "json"])
    let last = try document(Array((rows.errors.split(separator: "\n").last ?? "").utf8))
    #expect(last["files"]?.integer == 34 && last["failed"]?.integer == 1)
    #expect(rows.output.split(separator: "\n").count == 34)
    #expect(Run(["triage", reports, "--progress", "yes"]).status == 2)
  }
}
