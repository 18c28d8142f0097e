import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Secrets on a server, and erasing a person from a running one.
@Suite("Privacy", .serialized)
struct PrivacyTests {
  private let folder = ScratchFolder()

  private func write(_ text: String, to name: String) throws -> String {
    let path = folder.path(name)
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
    return path
  }

  @Test("Rules are checked and tried on a file before they are used")
  func rules() throws {
    let rules = try write(
      "[scrub]\nuse = email\n[patterns]\ncustomer = \\bK-\\d{4}\\b\n", to: "new.conf")
    let log = try write("a\nK-1234 of jo@example.com\nb\n", to: "app.log")
    let preview = Run(["scrub", "preview", log, "--rules", rules])
    #expect(preview.status == 0 && preview.output == "2: [customer] of [email]\n")
    let whole = Run(["scrub", "preview", log, "--rules", rules, "--whole"])
    #expect(whole.output == "a\n[customer] of [email]\nb\n")
    let finds = Run(["scrub", "preview", log, "--rules", rules, "--json"]).json
    #expect(finds.array?.map { $0["column"]?.integer } == [1, 11])
    #expect(Run(["scrub", "check", rules]).status == 0)
    let wrong = try write("[patterns]\nx = (\n", to: "wrong.conf")
    let check = Run(["scrub", "check", wrong])
    let home = folder.path("home")
    mkdir(home, 0o700)
    _ = try write("[patterns]\nx = (\n", to: "home/scrub.conf")
    let refused = Run(["serve", "--listen", "0", "--home", home])
    #expect(refused.status == 1 && refused.errors.contains("scrub.conf:2"))
    #expect(check.status == 1 && check.errors.contains("wrong.conf:2: x: at 2: a ) is missing"))
    #expect(
      Run(["scrub", "show", "--json", "--home", folder.path]).json["lists"]?
        .array?.map(\.string) == ["secrets"])
  }

  @Test("A server stores no secret of a report, and erases an installation while it runs")
  func server() throws {
    let server = try #require(RunningServer(home: folder.path("home"), options: []))
    let log = """
      {"logs":[{"type":"handledError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
      "sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","timestamp":"2026-03-02T10:12:01Z",
      "exception":{"type":"E","message":"password=hunter2","frames":[{"className":"a.B",
      "methodName":"c","lineNumber":3}]},"device":{"osName":"Android","appVersion":"1.2.0"}}]}
      """
    let install = "0D1E2F3A-0000-4000-8000-000000000001"
    let answer = server.ask(
      "POST", "/logs",
      headers: [
        "App-Secret: 5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10", "Install-ID: \(install)",
      ], body: Array(log.utf8))
    #expect(answer?.status == 200)
    #expect(server.waitForQueue())
    let reports = server.json("/api/v1/reports")["items"]?.array ?? []
    let id = try #require(reports.first?["id"]?.string)
    let report = server.json("/api/v1/reports/\(id)")
    #expect(report["reason"]?["exception"]?["message"]?.string == "password=[secret]")
    #expect(report["engine"]?["scrub_rules"]?.string?.hasPrefix("1-") == true)
    let body = Array("{\"install\": \"\(install)\", \"dry_run\": true}".utf8)
    #expect(
      server.ask("POST", "/api/v1/erase", body: body)?.text.contains("\"reports\":1") == true)
    #expect(server.ask("POST", "/api/v1/erase", body: Array("{}".utf8))?.status == 400)
    let erased = Run(["erase", "--install", install, "--home", server.home, "--json"])
    #expect(erased.status == 0 && erased.json["reports"]?.integer == 1)
    #expect(server.json("/api/v1/reports")["items"]?.array?.isEmpty == true)
    let audit = server.json("/api/v1/audit")["items"]?.array ?? []
    let entry = try #require(audit.first { $0["action"]?.string == "erase" })
    #expect(entry["subject"]?.string?.hasPrefix("installation ") == true)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
    #expect(Run(["erase", "--user", "a", "--install", "b"]).status == 2)
    #expect(server.stop() == 0)
    HomeCare.expectWhole(server.home)
  }

  @Test("Submissions in the queue of an erased installation are deleted once processed")
  func queued() throws {
    let server = try #require(RunningServer(home: folder.path("home"), options: []))
    // Nothing is stored while the rules are invalid.
    _ = try write("[patterns]\nx = (\n", to: "home/scrub.conf")
    let report = try ByteView(
      mapping: Samples.root + "/Samples/apple-ips/abort-1.0.0-macos-x86_64.ips")
    let install = "C26AC060-5927-4EAA-80A5-CD405B82C40D"
    #expect(report.text.contains(install))
    let path = "/api/v1/reports?app=Tern"
    #expect(server.ask("POST", path, body: report.array)?.status == 202)
    #expect(RunningMayday.wait { server.errors.contains("scrub.conf:2") })
    let erased = Run(["erase", "--install", install, "--home", server.home, "--json"])
    #expect(erased.status == 0 && erased.json["pending"]?.integer == 1)
    #expect(erased.json["reports"]?.integer == 0)
    let later = report.array + Array("\n".utf8)
    #expect(server.ask("POST", path, body: later)?.status == 202)
    _ = try write("", to: "home/scrub.conf")
    #expect(server.waitForQueue())
    let items = server.json("/api/v1/reports")["items"]?.array ?? []
    #expect(items.count == 1)
    let left = try #require(items.first?["id"]?.string)
    #expect(server.ask("GET", "/api/v1/reports/\(left)/raw")?.body == later)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
    #expect(server.stop() == 0)
  }

  @Test("A backup has rules, tokens and the audit log, and restores them unchanged")
  func backup() throws {
    let rules = "[scrub]\n# kept as written\nuse = email\n"
    mkdir(folder.path("home"), 0o700)
    _ = try write(rules, to: "home/scrub.conf")
    var server = try #require(RunningServer(home: folder.path("home"), options: []))
    let body = Array(#"{"label":"CI","scopes":["symbols"]}"#.utf8)
    let made = try #require(server.ask("POST", "/api/v1/tokens", body: body))
    let token = try #require(try JSONDocument.parse(ByteView(made.body)).value["token"]?.string)
    let audit = server.json("/api/v1/audit")["items"]?.array?.count ?? 0
    let admin = server.token
    #expect(Run(["backup", folder.path("b"), "--home", server.home]).status == 0)
    #expect(server.stop() == 0)
    #expect(!(try ByteView(reading: folder.path("b"), limit: 1 << 26).text.contains(token)))
    let copy = folder.path("copy")
    #expect(Run(["restore", folder.path("b"), "--home", copy]).status == 0)
    #expect(try ByteView(reading: copy + "/scrub.conf", limit: 1 << 10).text == rules)
    #expect(Run(["backup", folder.path("again"), "--home", copy]).status == 0)
    server = try #require(RunningServer(home: copy, token: admin))
    #expect(server.ask("GET", "/api/v1/symbols", token: token)?.status == 200)
    #expect(server.ask("GET", "/api/v1/groups", token: token)?.status == 403)
    #expect(server.json("/api/v1/audit")["items"]?.array?.count == audit && audit > 0)
    #expect(server.stop() == 0)
  }

  @Test("Imports are processed by the rules of the home", arguments: ["keep", "scrub"])
  func importing(submissions: String) throws {
    let log = """
      {"logs":[{"type":"managedError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
      "timestamp":"2026-03-02T10:12:01Z","userId":"jo@example.com",
      "exception":{"type":"E","message":"no jo@example.com","frames":[{"className":"a.B",
      "methodName":"c","lineNumber":3}]},"device":{"osName":"Android","appVersion":"1.2.0"}}]}
      """
    let home = folder.path("home")
    let notes = try write("sent to jo@example.com\n", to: "notes.txt")
    let file = try write(log, to: "log.json")
    let stored = Run(["ingest", file, "--app", "Tern", "--attach", notes, "--home", home])
    #expect(stored.status == 0, "\(stored.errors)")
    #expect(Run(["export", "-o", folder.path("e"), "--home", home]).status == 0)
    // With the same rules: unchanged. With others: without their matches.
    let same = folder.path("same")
    #expect(Run(["import", folder.path("e"), "--home", same]).status == 0)
    let shown = Run(["show", "TERN-1", "--json", "--home", same])
    #expect(shown.output.contains("jo@example.com"))
    let other = folder.path("other")
    mkdir(other, 0o700)
    _ = try write("[scrub]\nuse = email\nsubmissions = \(submissions)\n", to: "other/scrub.conf")
    let run = Run(["import", folder.path("e"), "--json", "--home", other])
    #expect(run.json["reports"]?.integer == 1, "\(run.errors)")
    let id = Run(["reports", "--json", "--home", other]).json[0]?["id"]?.string ?? ""
    let report = Run(["show", id, "--json", "--home", other])
    #expect(report.json["reason"]?["exception"]?["message"]?.string == "no [email]")
    #expect(!report.output.contains("jo@example.com"))
    #expect(report.json["id"]?.string == id)
    #expect(
      Run(["show", id, "--attachment", "notes.txt", "--home", other]).output == "sent to [email]\n")
    let raw = Run(["show", id, "--raw", "--home", other]).output
    #expect(raw.contains("jo@example.com") == (submissions == "keep"))
    // Result of the same report submitted here.
    let own = folder.path("own")
    mkdir(own, 0o700)
    _ = try write("[scrub]\nuse = email\nsubmissions = \(submissions)\n", to: "own/scrub.conf")
    #expect(Run(["ingest", file, "--app", "Tern", "--home", own]).status == 0)
    #expect(Run(["reports", "--json", "--home", own]).json[0]?["id"]?.string == id)
    let twice = Run(["import", folder.path("e"), "--json", "--home", other])
    #expect(twice.json["reports"]?.integer == 0 && twice.json["duplicates"]?.integer == 1)
    #expect(Run(["verify", "--all", "--home", other]).status == 0)
    #expect(Run(["stats", "--ledger", "--home", other]).status == 0)
  }
}
