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

  @Test("Alerts of a server are set up from elsewhere, and print the same as on its home")
  func server() throws {
    let (home, served) = (folder.path("home"), folder.path("served"))
    for each in [home, served] {
      #expect(Run(["apps", "add", "Tern", "--home", each]).status == 0)
    }
    let server = try #require(RunningServer(home: served))
    func ask(_ words: [String]) -> Run {
      Run(
        words,
        environment: [
          "MAYDAY_SERVER": "http://127.0.0.1:\(server.port)", "MAYDAY_TOKEN": server.token,
        ])
    }
    let password = folder.write("password", Array("very secret indeed\n".utf8))
    let mail = [
      "alerts", "target", "ann", "--smtp", "smtps://127.0.0.1:1", "--from", "mayday@example.com",
      "--to", "ann@example.com", "--user", "mayday", "--password-file", password, "--testers",
    ]
    for words in [
      ["alerts", "target", "chat", "--webhook", "http://127.0.0.1:1/abc", "--preset", "slack"],
      mail, ["alerts", "target", "17", "--webhook", "https://a"],
      ["alerts", "target", "x", "--webhook", "ftp://a"],
      [
        "alerts", "add", "spike", "--to", "chat", "--app", "Tern", "--window", "2h", "--factor",
        "2.5",
      ],
      ["alerts", "add", "crash-free", "--to", "ann", "--below", "99.5", "--of", "users"],
      [
        "alerts", "add", "new-group", "--to", "ann", "--query", "version:>=2.4", "--digest",
        "09:00",
        "--quiet", "22:00-07:00", "--zone", "+01:00",
      ],
      ["alerts", "add", "spike", "--to", "nobody"],
      ["alerts", "add", "spike", "--to", "chat", "--app", "Ternn"],
      ["alerts", "add", "new-group", "--to", "chat", "--query", "colour:red"],
      ["alerts", "add", "new-group", "--to", "chat", "--below", "50"],
      ["alerts", "list"], ["alerts", "list", "--json"], ["alerts", "test", "chat"],
      ["alerts", "test", "nobody"], ["alerts", "remove", "chat"], ["alerts", "remove", "1"],
      ["alerts", "remove", "1"], ["alerts", "remove", "chat"], ["alerts", "list"],
    ] {
      let (here, there) = (Run(words + ["--home", home]), ask(words))
      func plain(_ text: String) -> String {
        // The server names its token as the author, and the times are its own.
        text.split(separator: "\n", omittingEmptySubsequences: false)
          .filter { !$0.contains("\"author\"") && !$0.contains("\"created\"") }
          .joined(separator: "\n")
      }
      #expect(plain(there.output) == plain(here.output), "\(words)")
      #expect(there.errors == here.errors && there.status == here.status, "\(words)")
      #expect(!(there.output + there.errors).contains("secret indeed"), "\(words)")
    }
    // A secret is made and printed once, and stays where the address changes.
    let hook = ["alerts", "target", "ci", "--webhook", "http://127.0.0.1:1/"]
    #expect(ask(hook).output.count == 44 && ask(hook).output.isEmpty)
    let log = ask(["alerts", "log", "--json"])
    #expect(log.output == Run(["alerts", "log", "--json", "--home", served]).output)
    #expect(log.json.array?.first?["target"]?.string == "chat")
    // The server got the password itself, not the name of a file on the client's machine.
    let table = AlertsTable(in: try ServerStore(opening: served))
    guard case .mail(let stored) = try table.target(named: "ann").way else { return }
    #expect(stored.password == "text:very secret indeed")
    #expect(try table.testerMailing()?.mail.server == "smtps://127.0.0.1:1")
    let variable = ask(Array(mail.prefix(11)) + ["--password-env", "PATH"])
    #expect(variable.status == 2 && variable.errors.contains("--password-file"))
    for body in [
      #"{"name":"x","smtp":"smtps://a","from":"a@b.c","to":["a@b.c"],"password_file":"/etc/passwd"}"#,
      #"{"name":"x","webhook":"https://a","smtp":"smtps://a"}"#, #"{"name":"x"}"#,
      #"{"name":"x","webhook":"https://a","secret":"short"}"#,
    ] {
      let refused = server.ask("POST", "/api/v1/alerts/targets", body: Array(body.utf8))
      #expect(refused?.status == 400, "\(body)")
    }
    let actions = (server.json("/api/v1/audit")["items"]?.array ?? []).compactMap {
      $0["action"]?.string
    }
    for action in [
      "set alert target", "add alert rule", "test alert target", "remove alert rule",
      "remove alert target",
    ] {
      #expect(actions.contains(action), "\(action)")
    }
    #expect(server.stop() == 0)
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
