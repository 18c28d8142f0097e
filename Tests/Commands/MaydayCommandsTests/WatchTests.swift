import Bytes
import CrashModel
import CrashStore
import Glibc
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Watched folders")
struct WatchTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  init() { mkdir(folder.path("in"), 0o755) }

  private func watch(_ words: String..., settle: Int = 0) -> RunningMayday {
    RunningMayday(
      ["ingest", "--watch", folder.path("in"), "--settle", "\(settle)"] + words, home: home)
  }

  /// A small report; no two numbers give the same bytes.
  private static func report(_ number: Int) -> [UInt8] {
    Array(
      """
      ==\(number)==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc \
      0x000000401234 bp 0x7ffc00000000 sp 0x7ffc00000008
      READ of size 4 at 0x602000000010 thread T0
          #0 0x401234 in take /app/src/basket.cpp:\(number % 7 + 1):5
          #1 0x401334 in main /app/src/main.cpp:3:5

      SUMMARY: AddressSanitizer: heap-use-after-free /app/src/basket.cpp:7:5 in take
      ==\(number)==ABORTING

      """.utf8)
  }

  private func exists(_ name: String) -> Bool { access(folder.path(name), F_OK) == 0 }

  private func count(_ name: String) -> Int {
    OtherTool.output(of: "ls -A \(folder.path(name)) 2>/dev/null | wc -l")
      .flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private func totals() throws -> StoreTotals { try CrashStore(opening: home).reports.totals() }

  @Test("Existing and new files are stored and moved away")
  func arrival() throws {
    folder.write("in/before.txt", Self.report(1))
    folder.write("in/sub/before.txt", Self.report(2))
    symlink("/etc/passwd", folder.path("in/link.txt"))
    symlink("/etc", folder.path("in/etc"))
    let running = watch()
    #expect(RunningMayday.wait { exists("in/done/sub/before.txt") && exists("in/done/before.txt") })
    // Moved in, into an existing folder and with a new one.
    folder.write("in/.new", Self.report(3))
    rename(folder.path("in/.new"), folder.path("in/sub/moved.txt"))
    folder.write("other/deep/inside.txt", Self.report(4))
    rename(folder.path("other"), folder.path("in/other"))
    folder.write("in/before.txt", Self.report(5))
    folder.write("in/junk.txt", Array("words".utf8))
    folder.write("in/fetching.txt.part", Self.report(6))
    #expect(
      RunningMayday.wait {
        exists("in/done/sub/moved.txt") && exists("in/done/other/deep/inside.txt")
          && exists("in/done/before-2.txt") && exists("in/refused/junk.txt")
      })
    let reason = try ByteView(reading: folder.path("in/refused/junk.txt.reason.txt"), limit: 999)
    #expect(reason.text == "no report of a known format\n")
    #expect(exists("in/fetching.txt.part") && exists("in/link.txt") && exists("in/etc"))
    #expect(running.stop() == 0)
    #expect(
      running.errors.contains(
        "Stopped. 5 reports stored, from 6 files: 5 with reports, 1 not a report."))
    #expect(running.output.split(separator: "\n").allSatisfy { $0.contains(" UTC  ") })
    #expect(try totals().reports == 5)
    #expect(Run(["reports", "--json"], environment: ["MAYDAY_HOME": home]).status == 0)
  }

  @Test("A file that is still being written is left alone until it is complete")
  func slow() throws {
    let running = watch(settle: 1)
    #expect(RunningMayday.wait { running.errors.contains("Watching") })
    let bytes = Self.report(1)
    let path = folder.path("in/slow.txt")
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #expect(write(file, bytes, 100) == 100)
    usleep(1_800_000)
    #expect(exists("in/slow.txt") && count("in") == 1)
    #expect(bytes.withUnsafeBytes { write(file, $0.baseAddress! + 100, $0.count - 100) } > 0)
    close(file)
    #expect(RunningMayday.wait { exists("in/done/slow.txt") })
    #expect(running.stop(SIGTERM) == 0)
    #expect(try totals().reports == 1)
  }

  @Test("Attachments go with their report; those in its folder may come first")
  func attachments() throws {
    folder.write("in/crash.txt.attachments/app.log", Array("words".utf8))
    folder.write("in/crash.txt.png", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
    folder.write("in/.crash", Self.report(1))
    rename(folder.path("in/.crash"), folder.path("in/crash.txt"))
    let running = watch()
    #expect(RunningMayday.wait { exists("in/done/crash.txt") })
    #expect(exists("in/done/crash.txt.attachments/app.log") && exists("in/done/crash.txt.png"))
    #expect(!exists("in/crash.txt.attachments") && !exists("in/crash.txt.png"))
    folder.write("in/next.txt.attachments/app.log", Array("words".utf8))
    usleep(600_000)
    #expect(exists("in/next.txt.attachments/app.log") && count("in/refused") == 0)
    folder.write("in/next.txt", Self.report(2))
    #expect(RunningMayday.wait { exists("in/done/next.txt.attachments/app.log") })
    #expect(running.stop() == 0)
    #expect(running.output.contains("1 with a report, 2 attachments"))
    #expect(running.output.contains("1 with a report, 1 attachment"))
  }

  @Test("Files that are kept are taken once, also by the next watch, until they change")
  func keep() throws {
    for number in 0..<5 { folder.write("in/\(number).txt", Self.report(number)) }
    folder.write("in/junk.txt", Array("words".utf8))
    let first = watch("--after", "keep", "--json")
    #expect(RunningMayday.wait { first.output.contains("\"files\":6") })
    usleep(400_000)
    #expect(first.stop() == 0 && first.output.split(separator: "\n").count == 1)
    let second = watch("--after", "keep", "--json")
    usleep(400_000)
    #expect(second.output == "")
    folder.write("in/junk.txt", Self.report(7))
    #expect(RunningMayday.wait { second.output.contains("\"reports\":1") })
    #expect(second.stop() == 0)
    #expect(second.output.split(separator: "\n").count == 1 && count("in") == 6)
    #expect(try totals().reports == 6)
  }

  @Test(
    "Core files that systemd-coredump packed are stored and left to it",
    .enabled(if: OtherTool.path("zstd") != nil, "zstd is not installed"))
  func coreFiles() throws {
    let running = watch("--after", "keep")
    for (number, bug) in ["abort-1.1.0-gcc-O2", "null-read-1.1.0-gcc-O2"].enumerated() {
      let boot = String(repeating: "0f", count: 16)
      let name = "core.tern.1000.\(boot).\(4000 + number).1790000000000000.zst"
      let sample = Samples.path("elf-core/\(bug).core")
      // As systemd does: under another name first.
      let packed = OtherTool.output(
        of: "cd \(folder.path("in")) && zstd -q -o .#core \(sample) && mv .#core \(name) && ls")
      #expect(packed?.contains(name) == true)
    }
    #expect(RunningMayday.wait { (try? totals().reports) == 2 })
    #expect(running.stop() == 0)
    let report = try #require(try CrashStore(opening: home).reports.list().items.first)
    #expect(report.format == ReportFormat("elf-core") && count("in") == 2)
  }

  @Test("Files are deleted on request, but never if they were not understood")
  func delete() throws {
    folder.write("in/a.txt", Self.report(1))
    folder.write("in/a.txt.attachments/log", Array("words".utf8))
    folder.write("in/junk.txt", Array("words".utf8))
    let running = watch("--after", "delete")
    #expect(RunningMayday.wait { exists("in/refused/junk.txt.reason.txt") && !exists("in/a.txt") })
    #expect(!exists("in/a.txt.attachments") && !exists("in/done"))
    #expect(running.stop() == 0)
    #expect(try totals().reports == 1)
  }

  @Test("A folder that is deleted and created again is still watched")
  func removed() throws {
    let running = watch()
    #expect(RunningMayday.wait { running.errors.contains("Watching") })
    rmdir(folder.path("in"))
    #expect(RunningMayday.wait { running.errors.contains("is missing") })
    mkdir(folder.path("in"), 0o755)
    #expect(RunningMayday.wait { running.errors.contains("is back") })
    folder.write("in/a.txt", Self.report(1))
    #expect(RunningMayday.wait { exists("in/done/a.txt") })
    #expect(running.stop() == 0)
  }

  @Test("Two thousand files at once are all stored")
  func many() throws {
    // They are all of one group, of which no more than a thousand are stored a day.
    try CrashStore(opening: home).retention.setDailyLimit(0)
    let running = watch()
    for number in 0..<1000 { folder.write("in/\(number).txt", Self.report(number)) }
    for number in 1000..<2000 { folder.write("more/\(number).txt", Self.report(number)) }
    rename(folder.path("more"), folder.path("in/more"))
    #expect(RunningMayday.wait { count("in/done") == 1001 && count("in/done/more") == 1000 })
    #expect(running.stop() == 0)
    let totals = try totals()
    #expect(totals.reports == 2000 && totals.counted == 2000 && totals.submissions == 2000)
  }

  @Test("Killed at any instant, nothing is lost and nothing counts twice")
  func killed() throws {
    // They are all of one group, of which no more than a thousand are stored a day.
    try CrashStore(opening: home).retention.setDailyLimit(0)
    var random = SplitMix(seed: TestSize.seed)
    var number = 0
    // How many died with files before them.
    var interrupted = 0
    for _ in 0..<TestSize.of(small: 8, all: 50) {
      let running = watch()
      for _ in 0..<30 {
        if number.isMultiple(of: 10) {
          folder.write("in/\(number).txt.attachments/log", Array("words \(number)".utf8))
        }
        folder.write("in/\(number).txt", Self.report(number))
        number += 1
      }
      usleep(UInt32.random(in: 0..<100_000, using: &random))
      running.stop(SIGKILL)
      if count("in") > 1 { interrupted += 1 }
    }
    #expect(interrupted > 1)
    let last = watch()
    #expect(RunningMayday.wait { last.errors.contains("Watching") && count("in") == 1 })
    #expect(last.stop() == 0 && !exists("in/refused"))
    let totals = try totals()
    #expect(totals.reports == number && totals.counted == number)
    // A file whose move was interrupted is not there twice.
    #expect(
      OtherTool.output(of: "find \(folder.path("in/done")) -maxdepth 1 -type f | wc -l")
        .flatMap { Int($0.filter(\.isNumber)) } == number)
  }

  @Test(
    "What arrives while nothing runs is taken at the next start, each file once, whenever it is killed",
    arguments: ["move", "keep", "delete"])
  func restarted(after: String) throws {
    var random = SplitMix(seed: 7)
    var number = 0
    func arrive(_ count: Int, in place: String = "in") {
      for _ in 0..<count {
        folder.write("\(place)/\(number).txt", Self.report(number))
        number += 1
      }
    }
    for round in 0..<6 {
      // Nothing runs: files are written, and a folder of them is moved here.
      arrive(5)
      arrive(5, in: "later")
      rename(folder.path("later"), folder.path("in/round-\(round)"))
      let running = watch("--after", after)
      arrive(10)
      usleep(UInt32.random(in: 0..<400_000, using: &random))
      running.stop(SIGKILL)
      arrive(3)
    }
    let last = watch("--after", after)
    #expect(try RunningMayday.wait { try totals().reports == number })
    #expect(
      RunningMayday.wait {
        switch after {
        case "move": count("in/done") == number - 6 * 5 + 6
        case "keep": true
        default: OtherTool.output(of: "find \(folder.path("in")) -type f") == ""
        }
      })
    #expect(last.stop() == 0 && !exists("in/refused"))
    let stored = try totals()
    #expect(stored.reports == number && stored.submissions == number)
    #expect(stored.counted == number, "none counts twice")
    // And nothing is left to do.
    let again = watch("--after", after, "--json")
    #expect(RunningMayday.wait { again.errors.contains("Watching") })
    usleep(500_000)
    #expect(again.stop() == 0 && again.output == "")
    #expect(try totals().counted == number)
  }

  @Test(
    "Words that do not go together are wrong usage",
    arguments: [
      ["--after", "keep"], ["--settle", "5"], ["--watch", "-"],
      ["--watch", "--attach", "/dev/null"], ["--watch", "--settle", "-1"],
      ["--watch", "/dev/null"],
    ])
  func usage(words: [String]) {
    let run = Run(["ingest", folder.path("in")] + words, environment: ["MAYDAY_HOME": home])
    #expect(run.status == 2, "\(run.errors)")
  }
}
