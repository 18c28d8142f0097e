import Bytes
import CrashService
import CrashStore
import Database
import Glibc
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing
import Updates

@testable import MaydayCommands
@testable import ProgramSupport

/// A home with every kind of data that Mayday stores, made by the commands and the server that store it.
struct WholeHome {
  let folder = ScratchFolder()
  var path: String { folder.path("home") }

  private static let secret = "8e14e67c-0000-4000-8000-000000000001"
  private static let install = "0d1e2f3a-0000-4000-8000-000000000001"

  private func mayday(
    _ words: String..., location: SourceLocation = #_sourceLocation
  ) -> Run {
    let run = Run(words, environment: ["MAYDAY_HOME": path, "MAYDAY_AS": "ann"])
    #expect(run.status == 0, "\(words): \(run.errors)", sourceLocation: location)
    return run
  }

  init() throws {
    _ = mayday("apps", "add", "Tern", "--secret", Self.secret)
    try reports()
    try releases()
    try groups()
    try server()
    try decisions()
    try interrupted()
  }

  /// Reports of several formats before and after their debug files, mappings and scripts; expired ones.
  private func reports() throws {
    folder.write("home/scrub.conf", Array("[scrub]\nuse = none\n".utf8))
    let formats = ["apple-ips", "android-tombstone", "java-trace", "javascript", "swift-backtrace"]
    // Reports keep the paths that they are read from: those of a recorded home name no machine.
    let root = Samples.root + "/"
    let samples = formats.map { Samples.path($0).replacing(root, with: "") }
    _ = Run(["ingest"] + samples + ["--home", path])
    let core = Samples.path("elf-core/null-read-1.1.0-gcc-O2.core").replacing(root, with: "")
    _ = Run(["ingest", core, "--app", "Desk", "--home", path])
    _ = Run(["ingest", folder.write("none.txt", Array("no report at all".utf8)), "--home", path])
    _ = mayday(
      "symbols", "add", Samples.debugFile("android"), "--app", "Tern", "--release", "1.0.0 (1)")
    _ = mayday("symbols", "add", Samples.symbols)
    // A bundle that names its release.
    let contents = "Tern.app.dSYM/Contents"
    folder.write(
      "\(contents)/Info.plist",
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>CFBundleShortVersionString</key><string>1.1.0</string>
        <key>CFBundleVersion</key><string>117</string></dict></plist>
        """.utf8))
    let program = "Contents/Resources/DWARF/Tern"
    let dSYM = try ByteView(mapping: Samples.debugFile("apple/1.1.0/ios/Tern.app.dSYM/\(program)"))
    folder.write("Tern.app.dSYM/\(program)", dSYM.array)
    _ = mayday("symbols", "add", folder.path("Tern.app.dSYM"))
    _ = mayday("symbols", "sharing", "per-app")
  }

  /// Files with and without icons, their audiences, who has them, and how far they are rolled out.
  private func releases() throws {
    let root = Samples.root + "/Artefacts/"
    _ = mayday("releases", "add", root + "Tern-1.1.0.ipa", "--app", "Tern", "--notes", "Fixes.")
    for (number, name) in ["Tern.zip", "Tern.pkg", "Tern.dmg", "Tern.msi"].enumerated() {
      try store { store in
        var package = AppPackage(.zip)
        (package.version, package.build) = ("1.\(number)", "")
        _ = try store.distribution.add(
          ByteView("the bytes of \(name)".utf8), named: name, package: package, to: "Tern",
          by: "ann")
      }
    }
    _ = mayday("testers", "add-group", "Beta", "--app", "Tern")
    _ = mayday(
      "testers", "invite", "ada@example.org", "--group", "Beta", "--app", "Tern", "--address",
      "https://crashes.example.org")
    _ = mayday("releases", "edit", "#1", "--app", "Tern", "--groups", "Beta", "--mandatory")
    _ = mayday("releases", "rollout", "1.1.0", "25%", "--app", "Tern")
    _ = mayday("apps", "updates", "Tern", "--store-id", "5")
    try store { store in
      _ = try store.distribution.countInstall(of: 1, app: "Tern", install: "phone", group: "")
      // As a tester who was told of a release, and wants no mail now.
      let code = try store.distribution.inviteAgain(
        "ada@example.org", of: "Tern", by: "ann"
      ).invitation
      let holder = try store.distribution.holder(of: code, .invitation)
      _ = try store.distribution.acceptInvitation(code)
      let beta = try store.distribution.group("Beta", of: "Tern")
      try store.distribution.publish(
        1, of: "Tern", to: [.init(.group, id: beta.id, isMandatory: true)], by: "ann",
        notifies: true)
      if let holder {
        try store.distribution.refuseMail(true, of: holder)
        try store.distribution.noteSighting(ofTester: holder.tester, app: "Tern", at: .now)
      }
      _ = try store.distribution.inviteAgain("ada@example.org", of: "Tern", by: "ann")
      try store.distribution.countDownloads(of: 1, app: "Tern", group: "", at: .now)
      try store.distribution.countKnownFix(
        in: Release(version: "1.1.0", build: "117"), of: "Tern", .report, at: .now)
    }
    let document = """
      {"appUpdate": {"availableVersion": "1.2", "url": "https://example.org", "type": "recommended",
        "localizedStrings": [{"languageCode": "en", "title": "T", "text": "T",
          "options": [{"title": "Yes", "isUpdateAction": true}]}]}}
      """
    _ = mayday(
      "remote-config", "publish", "Tern", folder.write("document.json", Array(document.utf8)))
  }

  /// Every kind of group decision, and custom rules of an app with links by likeness.
  private func groups() throws {
    let ids =
      mayday("groups", "app:Tern", "--json", "--limit", "0").json.array?
      .compactMap { $0["id"]?.string } ?? []
    try #require(ids.count > 6)
    _ = mayday("merge", ids[0], ids[1])
    _ = mayday("note", ids[0], "a note")
    _ = mayday("assign", ids[2], "ann")
    _ = mayday("ticket", ids[2], "https://github.com/acme/tern/issues/7")
    _ = mayday("apps", "set", "Tern", "--tracker", "https://github.com/acme/tern")
    _ = mayday("apps", "protect", "Tern", "--user", "triage")
    _ = mayday("resolve", ids[2], "--in", "1.2.0")
    _ = mayday("ignore", ids[3], "--until", "100")
    _ = mayday("distinct", ids[4], ids[5])
    _ = mayday("undo", ids[3])
    let key = mayday("split", ids[0]).output.split(whereSeparator: \.isWhitespace)
      .first { $0.count == 12 && $0.allSatisfy(\.isHexDigit) }
    _ = mayday("split", ids[0], "--key", String(try #require(key)))
    let rules = folder.write(
      "own.rules", Array("function:tern::invariant fingerprint=\"broken books\"\n".utf8))
    _ = mayday("rules", "apply", rules, "--app", "Tern")
    _ = mayday("apps", "set", "Tern", "--prefix", "TILL", "--keep-per-group", "2", "--link", "0.10")
    _ = mayday("gc")
  }

  /// Submissions over HTTP: logs with sessions, events and attachments, one of them for a report that has not
  /// arrived and one that is refused; a minidump with files; quarantined and waiting submissions.
  private func server() throws {
    let server = try #require(RunningServer(home: path))
    // Some clients do not send an installation id.
    for (number, install) in [Self.install, nil].enumerated() {
      sendLogs(to: server, install: install, number: number)
    }
    #expect(
      server.ask("POST", "/api/v1/reports?app=Tern", body: Array("no report at all".utf8))?.status
        == 202)
    let token = #"{"label":"CI","scopes":["read"],"app":"Tern"}"#
    #expect(server.ask("POST", "/api/v1/tokens", body: Array(token.utf8))?.status == 201)
    #expect(server.waitForQueue())
    sendCounted(to: server)
    #expect(server.waitForQueue())
    #expect(server.stop() == 0)
  }

  /// Crashes beyond the daily limit of their group, and sessions that a client counts.
  private func sendCounted(to server: RunningServer) {
    _ = mayday("apps", "set", "Tern", "--keep-per-day", "1")
    for (number, install) in [Self.install, Self.install, nil].enumerated() {
      let log = """
        {"type":"managedError","id":"c3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a1\(number)",
        "timestamp":"2026-03-02T10:12:00Z","processId":1,"processName":"t","fatal":true,
        "device":{"appVersion":"1.2.0","appBuild":"7"},"exception":{"type":"java.lang.Error",
        "message":"m","frames":[{"className":"org.tern.Nest","methodName":"open",
        "fileName":"Nest.java","lineNumber":7}]}}
        """
      let answer = server.ask(
        "POST", "/logs?api-version=1.0.0", token: "",
        headers: ["App-Secret: " + Self.secret] + (install.map { ["Install-ID: " + $0] } ?? []),
        body: Array(#"{"logs":[\#(log)]}"#.utf8))
      #expect(answer?.status == 200)
      #expect(server.waitForQueue())
    }
    let counts = """
      {"counts":[{"id":"c1","version":"1.2.0","build":"7","started":"2026-03-02T10:12:00Z",
      "sessions":10,"crashed":1}]}
      """
    let answer = server.ask("POST", "/api/v1/sessions?app=Tern", body: Array(counts.utf8))
    #expect(answer?.status == 200, "\(answer?.text ?? "")")
  }

  private func sendLogs(to server: RunningServer, install: String?, number: Int) {
    let id = "b3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a1\(number)"
    let session = "B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0B1\(number)"
    let time = "2026-03-02T10:12:00Z"
    let device = #""device":{"appVersion":"1.2.0","appBuild":"7"}"#
    func send(_ log: String) {
      let answer = server.ask(
        "POST", "/logs?api-version=1.0.0", token: "",
        headers: ["App-Secret: " + Self.secret] + (install.map { ["Install-ID: " + $0] } ?? []),
        body: Array(#"{"logs":[\#(log)]}"#.utf8))
      #expect(answer?.status == 200)
    }
    func sendAttachment(_ file: Int, of report: String, _ data: String) {
      send(
        """
        {"type":"errorAttachment","timestamp":"\(time)","id":"00000000-0000-4000-8000-0000000000\(number)\(file)",
        "errorId":"\(report)","contentType":"text/plain","fileName":"log \(file).txt","data":"\(data)"}
        """)
    }
    send(#"{"type":"startSession","sid":"\#(session)","timestamp":"\#(time)",\#(device)}"#)
    send(
      """
      {"type":"event","id":"e\(number)","name":"tapped","timestamp":"\(time)","sid":"\(session)",\(device)}
      """)
    send(
      """
      {"type":"managedError","id":"\(id)","timestamp":"\(time)","processId":1,"processName":"t",
      "sid":"\(session)","userId":"ada","appLaunchTimestamp":"\(time)","fatal":true,\(device),
      "exception":{"type":"java.lang.Error","message":"m",
      "frames":[{"className":"org.tern.Nest","methodName":"open","fileName":"Nest.java","lineNumber":7}]}}
      """)
    sendAttachment(1, of: id, "aGFyYm91cg==")
    sendAttachment(2, of: "ffffffff-5b7e-4e19-8c3a-6f2d1b9e0a1\(number)", "aGFyYm91cg==")
    sendAttachment(3, of: id, String(repeating: "QUFB", count: 3 << 20))
  }

  /// Accounts, alerts, and an erasure while a submission waits.
  private func decisions() throws {
    _ = mayday("accounts", "add", "bob", "--role", "triage", "--app", "Tern")
    _ = mayday("alerts", "target", "ci", "--webhook", "http://127.0.0.1:9/hook")
    _ = mayday("alerts", "add", "new-group", "--to", "ci", "--app", "Tern")
    let server = try ServerStore(opening: path)
    try server.write { database in
      // As `DELETE /v0.1/apps/O/A/symbols/ID` ignores one.
      try database.run(
        "INSERT INTO ignored_symbols (app, symbol) VALUES (?1, ?2)", "Tern",
        String(repeating: "ab", count: 16))
    }
    try IntakeQueue(in: server).submit(
      IntakeRecord(
        route: "reports", received: .now, facts: ["app": "Tern"],
        body: ByteView("a report that waits".utf8)))
    _ = mayday("erase", "--install", "nobody")
  }

  /// Leftovers of a killed process, and data that only time and many sessions create.
  private func interrupted() throws {
    let database = try Connection(opening: path + "/mayday.db")
    for sql in [
      "INSERT INTO redo (app, report, problem) SELECT app, id, 'damaged' FROM reports LIMIT 1",
      "INSERT INTO regroup (app, origin) SELECT 1, id FROM origins LIMIT 1",
      """
      INSERT INTO regroup_changes (origin, old_text, new_text, arrived, reports)
        SELECT id, 'a', 'b', '', 1 FROM origins LIMIT 1
      """,
      """
      INSERT INTO rollout_looks (app, version, build, number, time, crashed, sessions, crashed_installs,
        former, former_crashed, former_sessions) SELECT id, '1.1.0', '117', 1, 1, 1, 200, 1, '1.0', 1, 200
        FROM apps WHERE name = 'Tern'
      """,
      """
      INSERT INTO image_packages (debug_id, name) SELECT debug_id, 'tern' FROM images LIMIT 1
      ON CONFLICT DO NOTHING
      """,
    ] { try database.execute(sql) }
  }

  private func store(_ body: (CrashStore) throws -> Void) throws {
    try body(CrashStore(opening: path))
  }
}
