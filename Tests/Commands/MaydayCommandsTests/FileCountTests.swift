import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Files, submissions and reports: text and figures that account for each and add up.
@Suite("Counts of files and reports", .serialized)
struct FileCountTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  /// Two reports of one app in one file, the same report twice, two reports of two apps in one
  /// file, a truncated report, a program, a text, random bytes, and a report with two attachments.
  private func fill() throws {
    let swift = try bytes("swift-backtrace/core-null-read-1.0.0-release.txt")
    let abort = try bytes("sanitizer/abort-asan-1.0.0-gcc-O0.txt")
    let trap = try bytes("apple-ips/trap-1.1.0-ios-arm64.ips")
    folder.write(
      "in/two.txt",
      abort + Array("\n".utf8) + (try bytes("sanitizer/null-read-asan-1.0.0-gcc-O0.txt")))
    folder.write("in/apps.txt", abort + Array("\n".utf8) + swift)
    folder.write("in/a.ips", trap)
    folder.write("in/again.ips", trap)
    folder.write("in/a.ips.log", Array("log".utf8))
    folder.write("in/a.ips.attachments/screen.png", Array("png".utf8))
    folder.write("in/program", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + Array(repeating: 0, count: 57))
    folder.write("in/readme.txt", Array("hello".utf8))
    folder.write("in/cut.ips", Array(trap.prefix(20)))
  }

  private func bytes(_ sample: String) throws -> [UInt8] {
    try ByteView(reading: Samples.path(sample), limit: 1 << 20).array
  }

  private func sum(_ counts: JSONValue) -> Int {
    ["with_reports", "duplicates", "attachments", "debug_files", "not_reports", "unreadable"]
      .reduce(0) { $0 + (counts[$1]?.integer ?? -1000) }
  }

  private func said(_ run: Run) -> String {
    run.errors.split(separator: "\n").joined(separator: " ")
  }

  @Test("triage and ingest print the outcome of each file, and the parts add up")
  func parts() throws {
    try fill()
    let files = folder.path("in")
    let triage = Run(["triage", files])
    let parts =
      "from 9 files: 3 with reports, 1 duplicate, 2 attachments, 1 debug file, 2 not reports"
    #expect(
      said(triage).contains("5 reports in ") && said(triage).contains(parts), "\(said(triage))")
    let counts = try #require(Run(["triage", files, "--json"]).json["counts"])
    #expect(
      counts["files"]?.integer == 9 && sum(counts) == 9 && counts["in_archives"]?.integer == 0)

    let ingest = Run(["ingest", files, "--home", home])
    #expect(
      said(ingest).contains("5 reports stored in 4 groups (4 new), \(parts)"), "\(said(ingest))")
    #expect(
      said(ingest).contains("4 submissions, as a file with reports of two apps is one of each"))
    let stats = Run(["stats", "--home", home])
    #expect(stats.output.contains("The 5 reports kept are from 4 submissions"), "\(stats.output)")

    // Nothing is new the second time, including the file with reports of two apps.
    let again = Run(["ingest", files, "--home", home])
    #expect(
      said(again).contains(
        "0 reports stored, from 9 files: 4 duplicates, 2 attachments, 1 debug file, 2 not reports"),
      "\(said(again))")
    let json = Run(["ingest", files, "--home", home, "--json"]).json
    #expect(json["files"]?.integer == 9 && sum(json) == 9 && json["submissions"]?.integer == 0)
  }

  @Test(
    "Files in archives are distinct, a repeated archive is duplicates, a damaged one is unreadable"
  )
  func archives() throws {
    try fill()
    let archive = folder.path("in.tar")
    #expect(OtherTool.output(of: "tar -C '\(folder.path("in"))' -cf '\(archive)' .") != nil)
    let run = Run(["ingest", archive, "--home", home])
    #expect(
      said(run).contains(
        "from 9 files in archives: 3 with reports, 1 duplicate, 1 attachment, 1 debug file, 3 not reports"
      ),
      "\(said(run))")
    let copy = folder.write("copy.tar", try ByteView(reading: archive, limit: 1 << 20).array)
    let counts = try #require(
      Run(["triage", archive, copy, folder.path("in/two.txt"), "--json"]).json["counts"])
    #expect(counts["files"]?.integer == 19 && counts["in_archives"]?.integer == 18)
    #expect(sum(counts) == 19 && counts["duplicates"]?.integer == 6)
    // A file that is named twice is one file.
    let twice = try #require(Run(["triage", archive, archive, "--json"]).json["counts"])
    #expect(twice["files"]?.integer == 9 && twice["duplicates"]?.integer == 1)

    folder.write("cut.zip", Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0x61, count: 40))
    let cut = Run(["triage", folder.path("cut.zip"), folder.path("in/two.txt")])
    #expect(said(cut).contains("from 2 files: 1 with reports, 1 unreadable"), "\(said(cut))")
  }

  @Test("Where each file contains one report, there is nothing to explain")
  func plain() {
    let run = Run(["triage", Samples.path("apple-ips")])
    #expect(said(run).contains("33 reports in ") && said(run).contains(", from 33 files;"))
  }
}
