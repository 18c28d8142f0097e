import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// The server, by requests to the built program.
@Suite("The server", .serialized)
struct ServeTests {
  private let folder = ScratchFolder()

  private func server(_ name: String = "home", _ options: [String] = []) throws -> RunningServer {
    try #require(RunningServer(home: folder.path(name), options: options))
  }

  private func file(_ name: String) throws -> [UInt8] {
    try ByteView(mapping: Samples.path(name)).array
  }

  private var reports: [String] {
    Array(Samples.all(in: "apple-ips").prefix(12))
  }

  @Test("Reports that are sent are in the same groups as when ingested")
  func sameAsIngest() throws {
    let server = try server()
    for name in reports {
      #expect(server.ask("POST", "/api/v1/reports", body: try file(name))?.status == 202)
    }
    #expect(server.waitForQueue())
    let sent = server.json("/api/v1/groups?sort=first-seen&limit=1000")
    let paths = reports.map { Samples.path($0) }
    let other = folder.path("other")
    #expect(Run(["ingest", "--home", other] + paths).status == 0)
    func facts(_ groups: JSONValue?) -> [String] {
      (groups?.array ?? []).map {
        "\($0["signature"]?["hash"]?.string ?? "") \($0["reports"]?.integer ?? 0) \($0["state"]?.string ?? "")"
      }.sorted()
    }
    let ingested = Run(["groups", "--json", "--limit", "0", "--home", other]).json
    #expect(facts(sent["items"]) == facts(ingested) && !facts(ingested).isEmpty)
    #expect(sent["total"]?.integer == ingested.array?.count)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
    #expect(server.stop() == 0)
  }

  @Test("Whenever no admin can sign in, it prints a link for one")
  func adminLink() throws {
    let home = folder.path("home")
    #expect(Run(["accounts", "add", "bob", "--role", "triage", "--home", home]).status == 0)
    let first = try server()
    #expect(first.errors.contains("No admin can sign in. Sign in to the pages as admin with"))
    #expect(first.errors.contains("http://127.0.0.1:\(first.port)/sign-in"))
    #expect(first.stop() == 0)
    // The link is good for a day.
    let second = try #require(RunningServer(home: home, token: first.token))
    #expect(second.ask("GET", "/api/v1/apps")?.status == 200)
    #expect(!second.errors.contains("No admin can sign in"))
    #expect(second.stop() == 0)
  }

  @Test("A debug file that arrives later explains waiting reports")
  func lateSymbols() throws {
    let server = try server()
    let name = "apple-ips/abort-1.0.0-macos-x86_64.ips"
    #expect(server.ask("POST", "/api/v1/reports", body: try file(name))?.status == 202)
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/symbols/missing")["items"]?.array?.isEmpty == false)
    let path =
      Samples.debugFile("apple/1.0.0/macos/Tern.app.dSYM/Contents/Resources/DWARF/Tern")
    let bytes = try ByteView(mapping: path).array
    let first = server.ask("PUT", "/api/v1/symbols?name=Tern", body: bytes)
    #expect(first?.status == 201, "\(first?.text ?? "")")
    #expect(first?.text.contains("\"file\":\"Tern\"") == true)
    #expect(server.ask("PUT", "/api/v1/symbols?name=Tern", body: bytes)?.status == 200)
    #expect(server.waitForQueue())
    #expect(
      RunningMayday.wait {
        server.json("/api/v1/groups")["items"]?[0]?["signature"]?["text"]?.string?.contains("[Tern")
          == false
      })
    let text = server.ask("PUT", "/api/v1/symbols", body: Array("no debug file".utf8))
    #expect(text?.status == 422)
  }

  @Test("A form contains reports with their attachments")
  func form() throws {
    let server = try server()
    let report = String(decoding: try file("apple-ips/abort-1.0.0-macos-x86_64.ips"), as: UTF8.self)
    let body = """
      --xx\r
      Content-Disposition: form-data; name="file"; filename="../../a.ips"\r
      \r
      \(report)\r
      --xx\r
      Content-Disposition: form-data; name="attachment"; filename="log.txt"\r
      \r
      what went before\r
      --xx--\r

      """
    let answer = server.ask(
      "POST", "/api/v1/reports?app=Form",
      headers: ["Content-Type: multipart/form-data; boundary=xx"],
      body: Array(body.utf8))
    #expect(answer?.status == 202, "\(answer?.text ?? "")")
    #expect(server.waitForQueue())
    let found = server.json("/api/v1/reports?query=app:Form")["items"]?[0]
    let id = try #require(found?["id"]?.string)
    #expect(
      server.ask("GET", "/api/v1/reports/\(id)/attachments/log.txt")?.text == "what went before")
    #expect(server.ask("GET", "/api/v1/reports/\(id)/raw")?.text == report)
    #expect(server.json("/api/v1/reports/\(id)")["id"]?.string == id)
  }

  @Test("Each token is limited to its scopes")
  func tokens() throws {
    let server = try server()
    func token(_ scopes: String) throws -> (text: String, id: String) {
      let answer = try #require(
        server.ask(
          "POST", "/api/v1/tokens", body: Array(#"{"label":"t","scopes":[\#(scopes)]}"#.utf8)))
      #expect(answer.status == 201)
      let value = try JSONDocument.parse(ByteView(answer.body)).value
      return (value["token"]?.string ?? "", value["id"]?.string ?? "")
    }
    let doors: [(scope: String, method: String, path: String)] = [
      ("ingest", "POST", "/api/v1/reports"), ("symbols", "GET", "/api/v1/symbols"),
      ("read", "GET", "/api/v1/groups"), ("triage", "POST", "/api/v1/groups/TERN-1/resolve"),
      ("admin", "GET", "/api/v1/tokens"),
    ]
    for door in doors {
      let (text, _) = try token("\"\(door.scope)\"")
      for other in doors {
        let body: [UInt8]? = other.method == "POST" ? Array("{}".utf8) : nil
        let status = server.ask(other.method, other.path, token: text, body: body)?.status ?? 0
        let isAllowed = other.scope == door.scope || door.scope == "admin"
        #expect((status != 403) == isAllowed, "\(door.scope) at \(other.path): \(status)")
      }
    }
    for door in doors {
      let body: [UInt8]? = door.method == "POST" ? Array("{}".utf8) : nil
      for wrong in ["mayday_aaaaaaaaaaaa_" + String(repeating: "a", count: 43), "x"] {
        #expect(server.ask(door.method, door.path, token: wrong, body: body)?.status == 401)
      }
    }
    let (text, id) = try token("\"read\"")
    #expect(server.ask("GET", "/api/v1/groups", token: text)?.status == 200)
    #expect(server.ask("DELETE", "/api/v1/tokens/\(id)")?.status == 204)
    #expect(
      RunningMayday.wait { server.ask("GET", "/api/v1/groups", token: text)?.status == 401 })
    let audit = server.json("/api/v1/audit")["items"]?.array ?? []
    #expect(audit.first?["action"]?.string == "revoke token")
    // No line of the log repeats a secret.
    #expect(!server.errors.contains(text))
  }

  @Test("The key of an app submits its reports; a wrong one is refused, the first time, too")
  func appKey() throws {
    let server = try server()
    func send(_ key: String, _ path: String = "/api/v1/reports") throws -> Int? {
      server.ask(
        "POST", path, token: "", headers: ["X-App-Key: \(key)"],
        body: try file("apple-ips/abort-1.0.0-macos-x86_64.ips"))?.status
    }
    #expect(try send("no-key-at-all") == 401)
    #expect(Run(["apps", "add", "Tern", "--home", server.home]).status == 0)
    let key = try #require(server.json("/api/v1/apps")["items"]?[0]?["intake_key"]?.string)
    #expect(try send(key) == 202)
    #expect(try send(key, "/api/v1/reports?app=Other") == 403)
    #expect(try send(key + "x") == 401)
    #expect(
      server.ask("GET", "/api/v1/groups", token: "", headers: ["X-App-Key: \(key)"])?.status == 401)
    #expect(server.stop() == 0)
  }

  @Test("Decisions made through the server are in the history, under the token's name")
  func triage() throws {
    let server = try server()
    let name = "apple-ips/abort-1.0.0-macos-x86_64.ips"
    #expect(server.ask("POST", "/api/v1/reports", body: try file(name))?.status == 202)
    #expect(server.waitForQueue())
    let answer = server.ask("POST", "/api/v1/groups/TERN-1/resolve", body: [])
    #expect(answer?.status == 200, "\(answer?.text ?? "")")
    let note = Array(#"{"text":"seen on one machine only"}"#.utf8)
    #expect(server.ask("POST", "/api/v1/groups/TERN-1/note", body: note)?.status == 200)
    let group = server.json("/api/v1/groups/TERN-1")
    #expect(group["state"]?.string == "resolved")
    let authors = (group["history"]?.array ?? []).compactMap { $0["author"]?.string }
    #expect(authors.contains("first"))
    #expect(server.ask("POST", "/api/v1/groups/TERN-9/resolve", body: [])?.status == 404)
    #expect(server.ask("GET", "/api/v1/groups?query=colour:red")?.status == 400)
    let meant = server.ask("GET", "/api/v1/groups?query=version%3E%3D1.1")
    #expect(meant?.status == 400 && meant?.text.contains("Did you mean version:>=1.1?") == true)
    // The token's name is the one that the history has.
    let assignee = Array(#"{"to":"first"}"#.utf8)
    #expect(server.json("/api/v1/groups?query=assignee%3Ame")["total"]?.integer == 0)
    #expect(server.ask("POST", "/api/v1/groups/TERN-1/assign", body: assignee)?.status == 200)
    #expect(server.json("/api/v1/groups?query=assignee%3Ame")["total"]?.integer == 1)
    #expect(server.json("/api/v1/groups?query=is%3Aunassigned")["total"]?.integer == 0)
  }

  @Test("Submissions of no known format are quarantined, not lost, and intake never returns 4xx")
  func unknown() throws {
    let server = try server()
    let answer = server.ask("POST", "/api/v1/reports", body: Array("hello".utf8))
    #expect(answer?.status == 202)
    #expect(server.waitForQueue())
    #expect(server.metric("mayday_queue_quarantined") == 1)
    #expect(server.ask("POST", "/api/v1/reports", body: [])?.status == 400)
  }

  @Test("Beyond the limit of the queue nothing is accepted, and the response says when to retry")
  func full() throws {
    let server = try server("home", ["--queue", "1", "--rate", "0"])
    var statuses: Set<Int> = []
    var wait: String?
    for index in 0..<200 where !statuses.contains(503) {
      let answer = server.ask("POST", "/api/v1/reports", body: Array("no report \(index)".utf8))
      statuses.insert(answer?.status ?? 0)
      wait = answer?.headers["retry-after"]
    }
    #expect(statuses == [202, 503])
    #expect(wait != nil)
  }
}
