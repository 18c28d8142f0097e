import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Full disks, other versions and other processes.
@Suite("Hostile homes", .serialized)
struct HostileHomeTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func ingest(_ path: String) -> Run { Run(["ingest", path, "--home", home, "--json"]) }

  @Test("A full output is an error, for every way to print", arguments: [[], ["--json"]])
  func fullOutput(form: [String]) {
    for words in [
      ["triage", Samples.path("apple-ips")], ["symbolicate", Samples.path(Samples.apple)],
    ] {
      let run = Run(after: "", words + form, to: "/dev/full")
      #expect(run.status == 1)
      #expect(run.errors.contains("No space left on device"), "\(run.errors)")
    }
    let page = Run(["triage", Samples.path("apple-ips"), "--html", "/dev/full"])
    #expect(page.status == 1)
    #expect(page.errors.contains("/dev/full: cannot write: No space left on device"))
  }

  @Test("Files that may not grow: an error that names one, nothing counted, fine afterwards")
  func fullFiles() throws {
    for blocks in [1, 40, 200, 400] {
      let run = Run(
        after: "ulimit -f \(blocks)",
        ["ingest", Samples.path("apple-ips"), "--symbols", Samples.symbols, "--home", home])
      #expect(run.status == 1, "\(blocks): \(run.errors)")
      #expect(run.errors.contains(home), "\(blocks): \(run.errors)")
    }
    try checkAfterwards()
  }

  @Test(
    "A full disk: an error that names the file, nothing lost, and fine with more room",
    .enabled(
      if: Run.mayMount, "file systems can be mounted by root only, with `mount` and `unshare`"))
  func fullDisk() throws {
    mkdir(home, 0o700)
    let mount = "mount -t tmpfs -o size=600k none '\(home)' || exit 99"
    let script = """
      \(mount)
      "$0" ingest '\(Samples.path("apple-ips"))' --home '\(home)'; echo "first $?"
      "$0" ingest '\(Samples.path("apple-ips"))' --home '\(home)'; echo "second $?"
      mount -o remount,size=60m '\(home)'
      "$0" groups --home '\(home)' --json >'\(folder.path("before"))'; echo "groups $?"
      "$0" ingest '\(Samples.path("apple-ips"))' --home '\(home)' >/dev/null; echo "third $?"
      "$0" groups --home '\(home)' --json >'\(folder.path("after"))'
      """
    let run = Run(
      ["-m", "/bin/sh", "-c", script, BuiltProgram.mayday], program: "/usr/bin/unshare")
    #expect(run.output.contains("first 1") && run.output.contains("second 1"), "\(run.output)")
    #expect(run.errors.contains(home) && run.errors.contains("no room left"), "\(run.errors)")
    #expect(run.output.contains("groups 0") && run.output.contains("third 0"), "\(run.output)")
    #expect(run.errors.contains("33 reports stored"), "\(run.errors)")
    let after = try JSONDocument.parse(ByteView(reading: folder.path("after"), limit: 1 << 24))
    #expect(StoreFacts.count(after.value) == 33)
  }

  @Test(
    "gc frees room on a disk that is full to the last byte, and keeps what belongs to its reports",
    .enabled(if: Run.mayMount))
  func gcOnFullDisk() throws {
    mkdir(home, 0o700)
    // Thousands of reports of three groups, so that the log of the deletion would exceed the remaining space.
    for file in 0..<300 {
      let line = "WARNING: CPU: 0 PID: 1 at a.c:1 f\(file % 3)+0x1/0x2\n"
      folder.write(
        "in/\(file).txt", Array((String(repeating: line, count: 20) + "\(file)").utf8))
    }
    let script = """
      mount -t tmpfs -o size=64m none '\(home)' || exit 99
      "$0" ingest '\(folder.path("in"))' --app Tern --home '\(home)' >/dev/null 2>&1; echo "ingest $?"
      "$0" gc --home '\(home)' >/dev/null 2>&1; ls -s '\(home)/reserve'
      cat /dev/zero >'\(home)/fill' 2>/dev/null; stat -f -c 'free %a' '\(home)'
      "$0" gc --keep-per-group 5 --grace 0 --home '\(home)'; echo "gc $?"
      stat -f -c 'then %a' '\(home)'; ls -s '\(home)/reserve'
      "$0" reports --home '\(home)' --json >'\(folder.path("after"))'; echo "reports $?"
      "$0" stats --ledger --home '\(home)' >/dev/null; echo "ledger $?"
      """
    let run = Run(
      ["-m", "/bin/sh", "-c", script, BuiltProgram.mayday], program: "/usr/bin/unshare")
    #expect(run.output.contains("ingest 0") && run.output.contains("free 0"), "\(run.output)")
    #expect(run.output.contains("gc 0"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("reports 0") && run.output.contains("ledger 0"), "\(run.output)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("1024 ") }.count == 2, "the reserve is not there again")
    let free = lines.first { $0.hasPrefix("then ") }.flatMap { Int($0.dropFirst(5)) }
    #expect(try #require(free) > 500, "\(run.output)")
    let after = try JSONDocument.parse(ByteView(reading: folder.path("after"), limit: 1 << 24))
    let left = try #require(after.value.array)
    // Five of each group, and the exemplar.
    #expect((15...18).contains(left.count))
  }

  private func checkAfterwards() throws {
    let groups = Run(["groups", "--home", home, "--json"])
    #expect(groups.status == 0, "\(groups.errors)")
    let run = ingest(Samples.path("apple-ips"))
    #expect(run.status == 0, "\(run.errors)")
    let facts = StoreFacts(home)
    #expect(facts.reports.count == 33 && facts.counted == 33)
    let fresh = folder.path("fresh")
    #expect(Run(["ingest", Samples.path("apple-ips"), "--home", fresh]).status == 0)
    #expect(facts == StoreFacts(fresh))
  }

  @Test("A report whose app has no valid name is stored all the same")
  func names() throws {
    let text = String(decoding: try Samples.bytes(Samples.apple), as: UTF8.self)
    for (index, name) in ["\\u0001\\u0000", String(repeating: "é", count: 500), ""].enumerated() {
      let changed = text.replacing("\"Tern\"", with: "\"\(name)\"")
      #expect(changed != text)
      folder.write("in/\(index).ips", Array(changed.utf8))
    }
    try folder.copy(Samples.appleText, as: "in/good.crash")
    let run = ingest(folder.path("in"))
    #expect(run.status == 0 && run.json["reports"]?.integer == 4, "\(run.errors)")
    #expect(StoreFacts(home).reports.count == 4)
  }

  @Test("A home of a newer version is refused, naming both versions, and left as it is")
  func newer() throws {
    #expect(ingest(Samples.path(Samples.apple)).status == 0)
    for name in ["mayday.db", "blobs/small.db"] {
      let whole = try ByteView(reading: "\(home)/\(name)", limit: 1 << 24).array
      var bytes = whole
      // The database's user_version. Source: "Database File Format", section 1.3.
      bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
      folder.write("home/\(name)", bytes)
      for words in [["groups"], ["ingest", Samples.path(Samples.apple)], ["symbols", "list"]] {
        let run = Run(words + ["--home", home])
        #expect(run.status == 1 && run.output == "", "\(words)")
        #expect(run.errors.contains("\(home)/\(name): made by a newer version of the program"))
        #expect(run.errors.contains("its schema version is 99; this version of Mayday reads up to"))
      }
      #expect(try ByteView(reading: "\(home)/\(name)", limit: 1 << 24).array == bytes)
      folder.write("home/\(name)", whole)
    }
    #expect(ingest(Samples.path(Samples.apple)).json["duplicates"]?.integer == 1)
  }

  @Test("A file that is not a database, and a truncated one, are reported with their path")
  func damaged() throws {
    #expect(ingest(Samples.path("apple-ips")).status == 0)
    let whole = try ByteView(reading: "\(home)/mayday.db", limit: 1 << 24).array
    for bytes in [Array(repeating: UInt8(ascii: "x"), count: 9_000), Array(whole.prefix(5_000))] {
      folder.write("home/mayday.db", bytes)
      let run = Run(["groups", "--home", home])
      #expect(run.status == 1 && run.errors.contains("\(home)/mayday.db: "), "\(run.errors)")
      #expect(run.errors.contains("damaged, or no database"), "\(run.errors)")
    }
    folder.write("home/mayday.db", whole)
    #expect(Run(["groups", "--home", home]).status == 0)
  }

  @Test("Two processes take the same folder at once: every report once")
  func sameFolder() throws {
    let home = home
    let processes = (0..<3).map { _ in
      BackgroundRun(["ingest", Samples.path("apple-ips"), "--home", home])
    }
    for process in processes { #expect(process.wait() == 0) }
    let facts = StoreFacts(home)
    #expect(facts.reports.count == 33 && facts.counted == 33)
    let fresh = folder.path("fresh")
    #expect(Run(["ingest", Samples.path("apple-ips"), "--home", fresh]).status == 0)
    #expect(facts.reports == StoreFacts(fresh).reports)
  }

  @Test("Two processes take different folders while debug files arrive: everything is stored")
  func differentFolders() throws {
    let home = home
    let processes = ["apple-ips", "apple-crash", "sanitizer"].map {
      BackgroundRun(["ingest", Samples.path($0), "--home", home])
    }
    let symbols = BackgroundRun(["symbols", "add", Samples.symbols, "--home", home])
    for process in processes + [symbols] { #expect(process.wait() == 0) }
    let fresh = folder.path("fresh")
    for name in ["apple-ips", "apple-crash", "sanitizer"] {
      #expect(Run(["ingest", Samples.path(name), "--home", fresh]).status == 0)
    }
    // In any order, the reports are explained as if the debug files had arrived last.
    #expect(Run(["symbols", "add", Samples.symbols, "--home", fresh]).status == 0)
    let facts = StoreFacts(home)
    let expected = StoreFacts(fresh)
    #expect(facts.reports.map(\.id) == expected.reports.map(\.id))
    let differing = zip(facts.reports, expected.reports).first { $0.signature != $1.signature }
    #expect(differing == nil)
    #expect(facts.counted == facts.reports.count && facts.reports.count > 100)
  }
}
