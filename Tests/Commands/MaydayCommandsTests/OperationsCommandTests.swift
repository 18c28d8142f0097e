import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Retention, the ledger, backups and exports, by the built program.
@Suite("Operations", .serialized)
struct OperationsCommandTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func mayday(_ words: String..., home: String? = nil) -> Run {
    Run(words + ["--home", home ?? self.home])
  }

  private func fill(_ name: String = "home") {
    let home = folder.path(name)
    #expect(mayday("ingest", Samples.path("apple-ips"), home: home).status == 0)
    #expect(mayday("symbols", "add", Samples.symbols, home: home).status == 0)
  }

  /// Facts that must not depend on the home.
  private func answers(_ home: String) -> [String] {
    [
      ["groups", "--json", "--limit", "0"], ["reports", "--json", "--limit", "0"],
      ["stats", "--ledger", "--json"], ["symbols", "list", "--json"], ["apps", "list", "--json"],
      ["show", "TERN-1", "--json"],
    ].map { words in
      let run = Run(words + ["--home", home])
      return run.status == 0 ? run.output : "\(words): \(run.errors)"
    }
  }

  @Test(
    "Before anything is stored, the missing home is an error, and nothing is made",
    arguments: [["stats"], ["stats", "--ledger"], ["apps", "list"], ["gc"], ["gc", "--dry-run"]])
  func empty(words: [String]) throws {
    let run = Run(words + ["--home", home])
    #expect(run.status == 3 && run.errors.contains(home), "\(run.errors)")
    #expect(Run(words + ["--home", home, "--json"]).status == 3)
    #expect(try folder.names().isEmpty)
    for words in [
      ["stats", "--app", "X"], ["gc", "--app", "X"], ["apps", "set", "X", "--keep-days", "1"],
      ["backup", folder.path("b")], ["export", "-o", folder.path("b")], ["remove", "00"],
    ] {
      #expect(Run(words + ["--home", home]).status == 3, "\(words)")
    }
    #expect(try folder.names().isEmpty)
  }

  @Test(
    "gc shows what it would delete, then does so; space is freed, and groups stay as they were")
  func retention() throws {
    fill()
    let groups = mayday("groups", "--json", "--limit", "0").output
    let shown = mayday("gc", "--dry-run", "--keep-days", "0", "--json")
    let planned = try #require(shown.json["expired"]?.array)
    #expect(planned.count == 1 && planned[0]["reason"]?.string == "age")
    let count = try #require(planned[0]["reports"]?.integer)
    #expect(count > 0 && shown.json["disk"]?["before"] == shown.json["disk"]?["after"])
    #expect(mayday("reports", "--json").json.array?.count == 33)

    let run = mayday("gc", "--keep-days", "0", "--grace", "0", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.json["expired"]?.array == planned)
    #expect(run.json["contents"]?["count"]?.integer ?? 0 >= 2 * count)
    let disk = Run(["-s", "--block-size=1", home], program: "/usr/bin/du").output
    #expect(Int(disk.prefix { $0.isNumber }) == run.json["disk"]?["after"]?.integer)
    let after = run.json["disk"]?["after"]?.integer ?? 0
    #expect(after < run.json["disk"]?["before"]?.integer ?? 0)

    #expect(mayday("groups", "--json", "--limit", "0").output == groups)
    #expect(mayday("reports", "--json").json.array?.count == 33 - count)
    for group in mayday("groups", "--json").json.array ?? [] {
      let id = group["id"]?.string ?? ""
      #expect(mayday("show", id, "--raw").status == 0, "\(id)")
    }
    let ledger = mayday("stats", "--ledger", "--app", "Tern")
    #expect(ledger.status == 0 && ledger.output.contains("ok: all sums agree"), "\(ledger.errors)")
    #expect(ledger.output.contains("too old"))
    // The same folder once more: all reports are known.
    let again = mayday("ingest", Samples.path("apple-ips"), "--json")
    #expect(again.json["reports"]?.integer == 0 && again.json["duplicates"]?.integer == 33)
    #expect(mayday("groups", "--json", "--limit", "0").output == groups)
    #expect(mayday("stats", "--ledger").status == 0)
  }

  @Test("An app's own limits apply, and are checked")
  func policies() {
    fill()
    let set = mayday("apps", "set", "Tern", "--keep-days", "90", "--keep-bytes", "10GB")
    #expect(set.status == 0 && set.output.contains("90 days, 10.0 GB"), "\(set.output)")
    #expect(mayday("apps", "list", "--json").json[0]?["keep"]?["bytes"]?.integer == 10_000_000_000)
    #expect(mayday("gc", "--json").json["expired"]?.array?.isEmpty == true)
    let changed = mayday("apps", "set", "Tern", "--keep-days", "none", "--keep-per-group", "2")
    #expect(changed.output.contains("10.0 GB, 2 a group"), "\(changed.output)")
    let run = mayday("gc", "--dry-run")
    #expect(run.output.contains("beyond 2 of a group"), "\(run.output)")
    for words in [
      ["apps", "set", "Tern"], ["apps", "set", "Tern", "--keep-days", "soon"],
      ["apps", "set", "Tern", "--keep-days", "-1"], ["gc", "--keep-bytes", "many"],
      ["gc", "--keep-days", "-1"], ["export"],
    ] {
      #expect(Run(words + ["--home", home]).status == 2, "\(words)")
    }
  }

  @Test("apps set --prefix renames groups; former ids still find them, and are completed no more")
  func prefix() {
    fill()
    let set = mayday("apps", "set", "Tern", "--prefix", "till")
    #expect(set.status == 0 && set.output.contains("TILL-…"), "\(set.output)")
    #expect(mayday("show", "TERN-1").output.hasPrefix("TILL-1 "))
    #expect(mayday("groups", "group:TERN-1", "--json").json[0]?["id"]?.string == "TILL-1")
    #expect(mayday("resolve", "TERN-1").output.hasPrefix("TILL-1 "))
    let wrong = mayday("apps", "set", "Tern", "--prefix", "TERN-1")
    #expect(wrong.status == 2 && wrong.errors.contains("letters and digits"), "\(wrong.errors)")
    #expect(mayday("ingest", Samples.path("sanitizer")).status == 0)
    let taken = mayday("apps", "set", "tern", "--prefix", "TERN")
    #expect(taken.status == 1 && taken.errors.contains("group ids of Tern"), "\(taken.errors)")
  }

  @Test("A removed report is deleted with its bytes; its group stays")
  func removing() throws {
    fill()
    let all = mayday("reports", "group:TERN-1", "--json").json.array ?? []
    let ids = all.compactMap { $0["id"]?.string }
    #expect(mayday("remove", String(ids[0].prefix(10)), "nothing").status == 3)
    #expect(mayday("reports", "group:TERN-1", "--json").json.array?.count == ids.count)
    #expect(mayday("remove", "--dry-run", ids[0]).output.contains(ids[0].prefix(10)))
    let run = Run(["remove"] + ids + ["--home", home])
    #expect(run.status == 0 && run.errors.contains("removed"), "\(run.errors)")
    #expect(mayday("show", ids[0]).status == 3)
    let group = mayday("show", "TERN-1")
    #expect(group.status == 0 && group.output.contains("All of its reports were removed"))
    let figures = mayday("show", "TERN-1", "--json").json
    #expect(figures["reports"]?.integer == ids.count && figures["report"] == nil)
    #expect(mayday("stats", "--ledger").status == 0)
    #expect(mayday("ingest", Samples.path("apple-ips"), "--json").json["reports"]?.integer == 0)
    #expect(mayday("gc", "--grace", "0", "--json").json["contents"]?["count"]?.integer ?? 0 > 0)
  }

  @Test("Falsified counts are listed line by line, and make stats fail")
  func ledger() throws {
    fill()
    #expect(mayday("stats").output.contains("ON THE DISK"))
    let sql = "UPDATE ledger SET count = count + 1 WHERE what = 'reports stored'"
    let script =
      "import sqlite3,sys;d=sqlite3.connect(sys.argv[1]);d.execute(sys.argv[2]);d.commit()"
    let change = Run(
      ["-c", script, home + "/mayday.db", sql], program: "/usr/bin/python3")
    #expect(change.status == 0, "\(change.errors)")
    let run = mayday("stats", "--ledger")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "Tern: reports stored and only counted: reports that groups count: 34 in the books"))
    let json = mayday("stats", "--ledger", "--json")
    #expect(json.status == 1)
    #expect(json.json["disagreements"]?[0]?["counted"]?.integer == 33)
  }

  @Test("A restored home gives the same output as the original, to the byte")
  func backup() throws {
    fill()
    #expect(mayday("gc", "--keep-per-group", "1").status == 0)
    let file = folder.path("b.tar.zst")
    let run = mayday("backup", file)
    #expect(run.status == 0 && run.errors.contains("Backed up"), "\(run.errors)")
    #expect(mayday("backup", file).status == 1)
    #expect(mayday("backup", file, "--force").status == 0)
    let copy = folder.path("copy")
    let restored = mayday("restore", file, home: copy)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(answers(copy) == answers(home))
    let again = mayday("restore", file, home: copy)
    #expect(again.status == 1 && again.errors.contains("--force"), "\(again.errors)")
    let bytes = try ByteView(reading: file, limit: 1 << 26).array
    let piped = Run(
      after: "", ["backup", "-", "--home", copy], to: "'\(folder.path("piped"))'")
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try ByteView(reading: folder.path("piped"), limit: 1 << 26).array == bytes)
    folder.write("cut", Array(bytes.prefix(bytes.count / 2)))
    let cut = mayday("restore", folder.path("cut"), home: folder.path("never"))
    #expect(cut.status == 1 && cut.errors.contains("damaged"), "\(cut.errors)")
    #expect(try !folder.names().contains { $0.hasPrefix("never") })
    #expect(mayday("restore", Samples.path(Samples.apple), home: folder.path("never")).status == 1)
  }

  @Test("An export is imported once, with groups, debug files and their symbols")
  func exporting() throws {
    fill()
    let file = folder.path("e.tar.zst")
    #expect(mayday("export", "app:Tern", "-o", file).status == 0)
    #expect(mayday("restore", file, home: folder.path("new")).status == 1)
    let other = folder.path("other")
    let run = mayday("import", file, "--json", home: other)
    #expect(run.status == 0 && run.json["reports"]?.integer == 33, "\(run.errors)")
    #expect(run.json["debug_files"]?.integer ?? 0 > 0)
    let facts = StoreFacts(other)
    #expect(facts.reports.map(\.id) == StoreFacts(home).reports.map(\.id))
    #expect(facts.reports.map(\.signature) == StoreFacts(home).reports.map(\.signature))
    let twice = mayday("import", file, "--json", home: other)
    #expect(twice.json["reports"]?.integer == 0 && twice.json["duplicates"]?.integer == 33)
    #expect(StoreFacts(other) == facts)
    #expect(mayday("stats", "--ledger", home: other).status == 0)
    let small = folder.path("s.tar.zst")
    #expect(mayday("export", "group:TERN-1", "--no-symbols", "-o", small).status == 0)
    let third = mayday("import", small, "--json", home: folder.path("third"))
    #expect(third.json["debug_files"]?.integer == 0 && third.json["groups"]?.integer == 1)
  }

  @Test("Reports are stored, deleted and backed up at once: no referenced content is lost")
  func sideBySide() {
    let home = home
    // A home that does not exist yet is an error for gc.
    #expect(mayday("apps", "add", "Tern").status == 0)
    let runs = ["apple-ips", "apple-crash", "sanitizer"].map {
      BackgroundRun(["ingest", Samples.path($0), "--home", home])
    }
    for round in 0..<4 {
      #expect(mayday("gc", "--keep-per-group", "1").status == 0)
      let backup = mayday("backup", folder.path("b\(round)"))
      #expect(backup.status == 0 || round == 0, "\(backup.errors)")
    }
    for run in runs { #expect(run.wait() == 0) }
    #expect(mayday("gc", "--keep-per-group", "1").status == 0)
    let ledger = mayday("stats", "--ledger")
    #expect(ledger.status == 0, "\(ledger.errors)")
    #expect(mayday("backup", folder.path("b")).status == 0)
    #expect(mayday("restore", folder.path("b3"), home: folder.path("then")).status == 0)
  }

  @Test("Killed at random instants, gc leaves a home whose sums agree, and ends the same")
  func killedCleaning() throws {
    fill("origin")
    let origin = folder.path("origin")
    let words = ["gc", "--keep-days", "0", "--grace", "0"]
    func copy(_ name: String) -> String {
      let home = folder.path(name)
      #expect(Run(["-r", origin, home], program: "/bin/cp").status == 0)
      return home
    }
    let whole = copy("whole")
    let duration = seconds { #expect(Run(words + ["--home", whole]).status == 0) }
    let expected = answers(whole)
    var window = KillWindow(duration, seed: 11 &+ TestSize.seed)
    let rounds = TestSize.of(small: 4, all: 25)
    for round in 0..<rounds {
      let home = copy("home\(round)")
      for _ in 0..<2 {
        window.kill(BackgroundRun(words + ["--home", home]))
        // A backup reads every content that a row names.
        let backup = Run(["backup", folder.path("b"), "--force", "--home", home])
        #expect(backup.status == 0, "round \(round): \(backup.errors)")
        let ledger = Run(["stats", "--ledger", "--home", home])
        #expect(ledger.status == 0, "round \(round): \(ledger.errors)")
      }
      #expect(Run(words + ["--home", home]).status == 0)
      #expect(answers(home) == expected, "round \(round)")
    }
    #expect(window.killed > rounds / 2)
  }

  @Test("Killed at random instants and run again, an import ends as if it had not been killed")
  func killedImport() throws {
    fill()
    let file = folder.path("b")
    #expect(mayday("backup", file).status == 0)
    let whole = folder.path("whole")
    let duration = seconds { #expect(mayday("import", file, home: whole).status == 0) }
    let expected = StoreFacts(whole)
    var window = KillWindow(duration, seed: 12 &+ TestSize.seed)
    let rounds = TestSize.of(small: 4, all: 25)
    for round in 0..<rounds {
      let home = folder.path("home\(round)")
      for _ in 0..<2 {
        window.kill(BackgroundRun(["import", file, "--home", home]))
        let ledger = Run(["stats", "--ledger", "--home", home])
        // It may have been killed before the home existed.
        #expect(
          ledger.status == 0 || ledger.errors.contains("there is no home"),
          "round \(round): \(ledger.errors)")
      }
      #expect(mayday("import", file, home: home).status == 0)
      #expect(StoreFacts(home) == expected, "round \(round)")
      #expect(try folder.names("home\(round)/caches").allSatisfy { !$0.hasPrefix("import") })
    }
  }

  @Test("Killed at random instants and resumed, a change of rules ends as if never killed")
  func killedRules() throws {
    fill("origin")
    let origin = folder.path("origin")
    let rules = folder.write(
      "own.rules",
      Array("function:tern::* extend\nfunction:tern::invariant fingerprint=\"broken books\"".utf8))
    let words = ["rules", "apply", rules, "--app", "Tern"]
    func copy(_ name: String) -> String {
      let home = folder.path(name)
      #expect(Run(["-r", origin, home], program: "/bin/cp").status == 0)
      return home
    }
    func groups(_ home: String) -> [String] {
      [["groups", "--json", "--limit", "0"], ["reports", "--json", "--limit", "0"]].map {
        Run($0 + ["--home", home]).output
      }
    }
    let before = groups(origin)
    let whole = copy("whole")
    let duration = seconds { #expect(Run(words + ["--home", whole]).status == 0) }
    let expected = groups(whole)
    #expect(expected != before && expected[0].contains("broken books"))
    var window = KillWindow(duration, seed: 13 &+ TestSize.seed)
    let rounds = TestSize.of(small: 4, all: 25)
    for round in 0..<rounds {
      let home = copy("home\(round)")
      for _ in 0..<2 { window.kill(BackgroundRun(words + ["--home", home])) }
      // If they were set before the kill, the rules are in effect: then the change is resumed, not restarted.
      let again = Run(words + ["--home", home])
      let rest = Run(["symbols", "retry", "--home", home])
      #expect(rest.status == 0, "round \(round): \(again.errors)\(rest.errors)")
      #expect(groups(home) == expected, "round \(round): \(again.errors)")
      let history = Run(["rules", "history", "--json", "--home", home]).json.array
      #expect(history?.count == 1, "round \(round)")
      #expect(Run(["rules", "rollback", "--home", home]).status == 0)
      #expect(groups(home) == before, "round \(round)")
    }
    #expect(window.killed > rounds / 2)
  }
}
