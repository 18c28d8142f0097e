import Alerts
import Bytes
import CrashService
import CrashStore
import JSON
import ServerStore
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Alerts on the command line") struct AlertsCommandTests {
  private let folder = ScratchFolder()

  private func run(_ words: String...) -> Run {
    Run(words + ["--home", folder.path("home")])
  }

  private static let sample = Samples.root + "/Samples/apple-ips/abort-1.0.0-macos-x86_64.ips"
  private static let samples = Samples.root + "/Samples/apple-ips"

  /// The names of groups about which a server of the home would alert.
  private func look() throws -> [String] {
    let table = AlertsTable(in: try ServerStore(opening: folder.path("home")))
    let last = try table.log(1).first?.number ?? 0
    try AlertRound(
      store: CrashStore(opening: folder.path("home")),
      server: ServerStore(opening: folder.path("home"))
    ).run(now: .now) { true }
    return try table.log(100).filter { $0.number > last }
      .flatMap { try table.alerts(of: $0.number).map(\.name) }
  }

  @Test("A secret is printed once; an address that contains one is never printed")
  func secrets() throws {
    let made = run("alerts", "target", "ci", "--webhook", "https://example.org/hook/abc")
    #expect(made.status == 0)
    let secret = made.output.filter { !$0.isNewline }
    #expect(secret.utf8.count == 43)
    // The secret stays the same when the address changes.
    let changed = run("alerts", "target", "ci", "--webhook", "http://127.0.0.1:1/other/abc")
    #expect(changed.status == 0 && changed.output.isEmpty)
    #expect(run("alerts", "add", "spike", "--to", "ci").status == 0)
    let tested = run("alerts", "test", "ci")
    #expect(tested.status == 1 && tested.output.hasPrefix("ci: failed, "))
    for words in [["list"], ["list", "--json"], ["log"], ["log", "--json"]] {
      let listed = Run(["alerts"] + words + ["--home", folder.path("home")])
      #expect(listed.status == 0 && listed.output.contains("ci"))
      #expect(!listed.output.contains(secret) && !listed.output.contains("abc"))
    }
    #expect(run("alerts", "remove", "ci").status != 0)
    #expect(run("alerts", "remove", "1", "ci").status == 0)
    #expect(run("alerts", "remove", "1").status == 3)
  }

  @Test("Usage errors name the mistake and the remedy")
  func usage() throws {
    #expect(run("alerts", "target", "ci", "--webhook", "https://example.org").status == 0)
    for (words, message) in [
      (["add", "regresion", "--to", "ci"], "did you mean 'regression'"),
      (["add", "spike"], "--to is missing"),
      (["add", "spike", "--to", "x"], "no target named x"),
      (["add", "spike", "--to", "ci", "--app", "Tern"], "no app named Tern"),
      (["add", "new-group", "--to", "ci", "--digest", "9"], "immediately, hourly or 09:00"),
      (["add", "new-group", "--to", "ci", "--query", "version:"], "query"),
      (["add", "new-group", "--to", "ci", "--query", "colour:red"], "colour:red\n"),
      (["add", "new-group", "--to", "ci", "--below", "50"], "new-group has no rate"),
      (["add", "regression", "--to", "ci", "--window", "3h"], "that is for spike and crash-free"),
      (["add", "crash-free", "--to", "ci", "--factor", "2"], "crash-free has no factor"),
      (["add", "crash-free", "--to", "ci", "--below", "101"], "0.01 to 100"),
      (["target", "x"], "either --webhook or --smtp"),
      (["target", "x", "--smtp", "smtp://a", "--from", "a@b"], "--to is missing"),
      (["target", "x", "--webhook", "ftp://a"], "not the address of a webhook"),
      (["target", "17", "--webhook", "https://a"], "cannot be a target's name"),
    ] {
      let done = Run(["alerts"] + words + ["--home", folder.path("home")])
      #expect(done.status != 0 && done.errors.contains(message), "\(words): \(done.errors)")
    }
  }

  @Test("The list as JSON has every figure of a rule")
  func json() throws {
    #expect(run("alerts", "target", "ci", "--webhook", "https://example.org").status == 0)
    for words in [
      ["spike", "--window", "2h", "--factor", "2.5", "--quiet", "22:00-07:00", "--zone", "+01:00"],
      ["crash-free", "--below", "99.5", "--of", "users", "--digest", "09:00"], ["new-group"],
    ] {
      let added = Run(["alerts", "add", "--to", "ci", "--home", folder.path("home")] + words)
      #expect(added.status == 0, "\(added.errors)")
    }
    let text = run("alerts", "list", "--json").output
    let rules = try #require(
      try JSONDocument.parse(ByteView(text.utf8)).value["rules"]?.array)
    #expect(rules.map { $0["window"]?.integer } == [7_200, 86_400, nil])
    #expect(rules.map { $0["least"]?.integer } == [10, 100, nil])
    #expect(rules.map { $0["of"]?.string } == ["groups", "users", nil])
    #expect(rules.map { $0["digest"]?.string } == ["immediately", "09:00", "immediately"])
    #expect(rules.map { $0["quiet"]?.string } == ["22:00-07:00", nil, nil])
    #expect(rules.map { $0["zone"]?.string } == ["+01:00", "UTC", "UTC"])
    #expect(text.contains("\"factor\": 2.5") && text.contains("\"below\": 99.5"))
  }

  @Test("Groups imported with their history are not new, those of new reports are")
  func imported() throws {
    let other = folder.path("other")
    let archive = folder.path("archive.tar.zst")
    #expect(Run(["ingest", Self.sample, "--home", other]).status == 0)
    #expect(Run(["export", "-o", archive, "--home", other]).status == 0)
    #expect(run("alerts", "target", "ci", "--webhook", "http://127.0.0.1:1").status == 0)
    #expect(run("alerts", "add", "new-group", "--to", "ci").status == 0)
    #expect(run("import", archive).status == 0)
    #expect(try look() == [])
    _ = run("ingest", Self.samples)
    #expect(try look().count > 5)
    #expect(try look() == [])
  }

  @Test("A backup keeps rules and targets; a restored home does not alert about old groups")
  func restored() throws {
    #expect(run("alerts", "target", "ci", "--webhook", "http://127.0.0.1:1").status == 0)
    #expect(run("alerts", "add", "new-group", "--to", "ci", "--digest", "hourly").status == 0)
    #expect(run("ingest", Self.sample).status == 0)
    let archive = folder.path("backup.tar.zst")
    #expect(run("backup", archive).status == 0)
    let restored = folder.path("restored")
    #expect(Run(["restore", archive, "--home", restored]).status == 0)
    let listed = Run(["alerts", "list", "--home", restored]).output
    #expect(listed == run("alerts", "list").output && listed.contains("hourly"))
    let server = try ServerStore(opening: restored)
    try AlertRound(store: CrashStore(opening: restored), server: server).run(now: .now) { true }
    #expect(try AlertsTable(in: server).waiting().isEmpty)
  }
}
