import Bytes
import Crypto
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// `mayday upload` against `mayday serve`, both the built program.
@Suite("Uploads", .serialized)
struct UploadTests {
  private let folder = ScratchFolder()
  private static let bundle = Samples.debugFile("apple/1.0.0/macos/Tern.app.dSYM")
  private static let crash = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")

  private func server() throws -> RunningServer {
    try #require(RunningServer(home: folder.path("home")))
  }

  private func upload(
    _ paths: [String], to server: RunningServer, token: String? = nil, _ more: [String] = []
  ) -> Run {
    Run(
      ["upload"] + paths + ["--to", "http://127.0.0.1:\(server.port)"] + more,
      environment: ["MAYDAY_TOKEN": token ?? server.token])
  }

  private func verdicts(_ run: Run) -> [String] {
    (run.json.array ?? []).map {
      "\($0["kind"]?.string ?? "-") \($0["verdict"]?.string ?? "-")"
    }
  }

  @Test("A folder of debug files and crash files is sent once")
  func folderOfBoth() throws {
    let server = try server()
    let both = folder.path("both")
    #expect(mkdir(both, 0o700) == 0)
    #expect(symlink(Self.bundle, both + "/Tern.app.dSYM") == 0)
    _ = folder.write("both/a.ips", try ByteView(mapping: Self.crash).array)
    _ = folder.write("both/a.ips.log", Array("what went before".utf8))
    _ = folder.write("both/notes.txt", Array("no crash".utf8))
    let first = upload([both], to: server, ["--json"])
    #expect(first.status == 0, "\(first.errors)")
    #expect(verdicts(first).sorted() == ["- skipped", "report sent", "symbols sent"])
    #expect(first.errors.contains("3 files: 2 sent, 0 known, 0 refused, 1 skipped"))
    #expect(server.waitForQueue())
    let report = server.json("/api/v1/reports")["items"]?[0]?["id"]?.string ?? ""
    #expect(
      server.ask("GET", "/api/v1/reports/\(report)/attachments/log")?.text == "what went before")
    #expect(
      server.json("/api/v1/groups")["items"]?[0]?["signature"]?["text"]?.string?.contains("[Tern")
        == false)
    let accepted = server.metric("mayday_intake_accepted_total")
    let second = upload([both], to: server, ["--json"])
    #expect(second.status == 0)
    #expect(verdicts(second).sorted() == ["- skipped", "report known", "symbols known"])
    #expect(server.metric("mayday_intake_accepted_total") == accepted)
    // A release makes the file a new one to the server.
    for outcome in ["symbols known", "symbols known"] {
      let run = upload(
        [Self.bundle], to: server, ["--json", "--app", "Tern", "--release", "1.0.0 (7)"])
      #expect(verdicts(run) == [outcome])
    }
    #expect(server.json("/api/v1/releases?app=Tern")["items"]?.array?.isEmpty == false)
    HomeCare.expectWhole(server.home)
  }

  @Test("Every file gets a verdict, and with --strict none may be skipped")
  func strict() throws {
    let server = try server()
    _ = folder.write("all/a.ips", try ByteView(mapping: Self.crash).array)
    _ = folder.write("all/notes.txt", Array("no crash".utf8))
    _ = folder.write("all/empty", [])
    #expect(symlink(Self.bundle, folder.path("all/Tern.dSYM")) == 0)
    let run = upload([folder.path("all")], to: server, ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    let names = (run.json.array ?? []).map { verdict in
      let name = verdict["file"]?.string?.split(separator: "/").last ?? ""
      return "\(name) \(verdict["verdict"]?.string ?? "")"
    }
    #expect(
      names.sorted() == ["Tern sent", "a.ips sent", "empty skipped", "notes.txt skipped"])
    let skipped = (run.json.array ?? []).filter { $0["verdict"]?.string == "skipped" }
    #expect(skipped.allSatisfy { $0["reason"]?.string?.isEmpty == false })
    #expect(upload([folder.path("all")], to: server, ["--strict"]).status == 6)
    let fine = folder.write("fine.ips", try ByteView(mapping: Self.crash).array)
    #expect(upload([fine], to: server, ["--strict"]).status == 0)
  }

  @Test("The state of a submission can be queried: waiting, stored, quarantined, known, discarded")
  func submissions() throws {
    let server = try server()
    func hand(_ bytes: [UInt8], _ query: String = "", _ token: String? = nil) throws -> String {
      let answer = try #require(
        server.ask("POST", "/api/v1/reports" + query, token: token, body: bytes))
      let document = try JSONDocument.parse(ByteView(answer.body)).value
      let id = try #require(document["id"]?.string)
      #expect(answer.status == 202 && answer.headers["location"] == "/api/v1/submissions/\(id)")
      return id
    }
    func status(_ id: String, in server: RunningServer) -> JSONValue {
      server.json("/api/v1/submissions/\(id)")
    }
    let crash = try ByteView(mapping: Self.crash).array
    let first = try hand(crash)
    let soon = status(first, in: server)["status"]?.string
    #expect(["waiting", "stored"].contains(soon ?? ""))
    let again = try hand(crash)
    let nothing = try hand(Array("no crash".utf8))
    let mine = try hand(crash, "?app=Mine")
    var zip = ZipBuilder()
    zip.add("a.ips".utf8, crash)
    zip.add("b.txt", "no")
    let archive = try hand(zip.bytes, "?app=Zipped")
    #expect(server.waitForQueue())
    let token = try #require(
      server.ask(
        "POST", "/api/v1/tokens",
        body: Array(#"{"label":"m","scopes":["ingest"],"app":"Mine"}"#.utf8)))
    let key = try #require(
      try JSONDocument.parse(ByteView(token.body)).value["token"]?.string)
    let report = try #require(
      server.json("/api/v1/reports?query=-app:Mine%20-app:Zipped")["items"]?[0])
    func expectAll(_ server: RunningServer) {
      let stored = status(first, in: server)
      #expect(stored["status"]?.string == "stored" && stored["duplicate"]?.bool == false)
      #expect(stored["reports"]?.array?.count == 1 && stored["reports"]?[0]?["id"] == report["id"])
      #expect(stored["reports"]?[0]?["group"] == report["group"])
      let known = status(again, in: server)
      #expect(known["duplicate"]?.bool == true && known["reports"] == stored["reports"])
      let quarantined = status(nothing, in: server)
      #expect(quarantined["status"]?.string == "quarantined")
      #expect(quarantined["problem"]?.string?.isEmpty == false)
      let several = status(archive, in: server)
      #expect(several["status"]?.string == "stored" && several["reports"]?.array?.count == 1)
      #expect(several["refused"]?[0]?["file"]?.string?.hasSuffix("b.txt") == true)
      // A token for one app sees only that app's.
      let path = "/api/v1/submissions/"
      #expect(server.ask("GET", path + mine, token: key)?.status == 200)
      for other in [first, archive, nothing, String(repeating: "0", count: 32), "x"] {
        #expect(server.ask("GET", path + other, token: key)?.status == 404)
      }
    }
    expectAll(server)
    #expect(server.stop() == 0)
    let second = try #require(RunningServer(home: folder.path("home"), token: server.token))
    expectAll(second)
    let aside = second.json("/api/v1/intake")["items"]?.array?.first?["id"]?.integer ?? 0
    #expect(second.ask("DELETE", "/api/v1/intake/\(aside)")?.status == 204)
    #expect(status(nothing, in: second)["status"]?.string == "discarded")
  }

  @Test("An upload that waits prints the outcome of each report")
  func waiting() throws {
    let server = try server()
    let run = upload([Self.crash], to: server, ["--wait", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(verdicts(run) == ["report stored"])
    let report = run.json[0]?["reports"]?[0]
    #expect(report?["id"] == server.json("/api/v1/reports")["items"]?[0]?["id"])
    #expect(report?["group"] == server.json("/api/v1/groups")["items"]?[0]?["id"])
  }

  @Test(
    "The first start gives a key for reports that may do nothing else, and the admin token apart")
  func firstStart() throws {
    let server = try server()
    let line = server.errors.split(separator: "\n").first { $0.contains("curl") } ?? ""
    let key = String(line.split(separator: " ").first { $0.hasPrefix("mayday_") }?.dropLast() ?? "")
    #expect(!key.isEmpty && !line.contains(server.token) && key != server.token)
    let crash = try ByteView(mapping: Self.crash).array
    #expect(server.ask("POST", "/api/v1/reports", token: key, body: crash)?.status == 202)
    for path in ["/api/v1/reports", "/api/v1/tokens", "/api/v1/symbols"] {
      #expect(server.ask("GET", path, token: key)?.status == 403)
    }
  }

  @Test("The sent files are a table that fits")
  func table() throws {
    let server = try server()
    let run = upload([Self.bundle, Self.crash], to: server)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first?.hasPrefix("VERDICT  KIND") == true)
  }

  @Test("Failures have their exit status and a message")
  func failures() throws {
    let server = try server()
    let wrong = upload([Self.crash], to: server, token: "mayday_wrong")
    #expect(wrong.status == 4)
    #expect(wrong.errors.contains("the token is unknown, revoked or expired"))
    #expect(!wrong.errors.contains("mayday_wrong"))
    let nothing = folder.write("notes.txt", Array("no crash".utf8))
    #expect(upload([nothing], to: server).status == 1)
    #expect(upload([folder.path("none")], to: server).status == 3)
    var broken = try ByteView(mapping: Self.bundle + "/Contents/Resources/DWARF/Tern").array
    broken.removeLast(broken.count - 100)
    let refused = upload([folder.write("Tern", broken)], to: server, ["--json"])
    #expect(refused.status == 6 && Set(verdicts(refused)) == ["- refused"], "\(refused.output)")
    for arguments in [
      ["--to", "ftp://x"], ["--to", "http://x", "--release", "1.0"], [],
      ["--to", "http://x", "--tries", "0"],
    ] {
      #expect(Run(["upload", Self.crash] + arguments).status == 2)
    }
    #expect(server.stop() == 0)
    let gone = upload([Self.crash, Self.bundle], to: server, ["--tries", "2", "--json"])
    #expect(gone.status == 5 && verdicts(gone).isEmpty)
    #expect(gone.errors.contains("127.0.0.1:\(server.port)"))
    #expect(gone.errors.contains("trying again"))
  }

  /// A file for Linux with a build id, too large to send twice: its header shows its kind, and the sections
  /// keep their positions.
  private func large(_ size: Int) throws -> (path: String, bytes: [UInt8]) {
    var bytes = try ByteView(mapping: Samples.debugFile("companions/single5-clang/tide")).array
    var random = SplitMix(seed: 7)
    bytes.reserveCapacity(size)
    while bytes.count < size {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    return (folder.write("large", bytes), bytes)
  }

  private func announce(_ bytes: [UInt8], to server: RunningServer) throws -> (Int, JSONValue) {
    let digest = SHA256.hex(of: ByteView(bytes))
    let plan =
      #"{"size": \#(bytes.count), "sha256": "\#(digest)", "kind": "symbols","#
      + #" "name": "large"}"#
    let answer = try #require(server.ask("POST", "/api/v1/uploads", body: Array(plan.utf8)))
    return (answer.status, try JSONDocument.parse(ByteView(answer.body)).value)
  }

  private func put(
    _ number: Int, of bytes: [UInt8], _ id: String, to server: RunningServer, digest: String? = nil
  ) -> Int? {
    let part = Array(bytes[(number << 23)..<min(bytes.count, (number + 1) << 23)])
    let digest = digest ?? SHA256.hex(of: ByteView(part))
    return server.ask("PUT", "/api/v1/uploads/\(id)/\(number)?sha256=\(digest)", body: part)?.status
  }

  @Test("A large file is sent in parts, and continues where a killed server stopped")
  func parts() throws {
    let first = try server()
    let (path, bytes) = try large(40 << 20)
    let (status, plan) = try announce(bytes, to: first)
    #expect(status == 201 && plan["have"]?.array == [])
    #expect(plan["chunk_size"]?.integer == 8 << 20)
    let id = try #require(plan["id"]?.string)
    #expect(put(0, of: bytes, id, to: first) == 204)
    #expect(put(3, of: bytes, id, to: first) == 204)
    let wrong = String(repeating: "0", count: 64)
    #expect(put(1, of: bytes, id, to: first, digest: wrong) == 422)
    #expect(put(1, of: bytes, wrong, to: first) == 404)
    #expect(first.ask("POST", "/api/v1/uploads/\(id)/finish", body: [])?.status == 409)
    #expect(first.stop(SIGKILL) == 128 + SIGKILL)
    let second = try #require(RunningServer(home: folder.path("home"), token: first.token))
    #expect(try announce(bytes, to: second).1["have"]?.array?.compactMap(\.integer) == [0, 3])
    let run = upload([path], to: second, ["--json"])
    #expect(run.status == 0 && verdicts(run) == ["symbols sent"], "\(run.output)\(run.errors)")
    #expect(run.errors.contains("continuing, 2 of 5 parts already sent"))
    #expect(verdicts(upload([path], to: second, ["--json"])) == ["symbols known"])
    // Only the file itself and the verdict are left.
    for number in 0..<5 {
      #expect(access("\(second.home)/uploads/parts-\(id)/\(number)", F_OK) != 0)
    }
    #expect(second.json("/api/v1/uploads/\(id)")["state"]?.string == "done")
  }

  @Test(
    "A finish is answered at once; the verdict is there after a kill, however often it is asked for"
  )
  func verdict() throws {
    var server = try server()
    let (_, bytes) = try large(40 << 20)
    let id = try #require(try announce(bytes, to: server).1["id"]?.string)
    for number in 0..<5 { #expect(put(number, of: bytes, id, to: server) == 204) }
    let path = "/api/v1/uploads/\(id)"
    #expect(server.json(path)["state"]?.string == "receiving")
    let answer = try #require(server.ask("POST", path + "/finish", body: []))
    #expect(answer.status == 202 && answer.headers["location"] == path)
    let token = server.token
    #expect(server.stop(SIGKILL) == 128 + SIGKILL)
    server = try #require(RunningServer(home: folder.path("home"), token: token))
    #expect(RunningMayday.wait { server.json(path)["state"]?.string == "done" })
    for _ in 1...2 {
      let state = server.json(path)
      #expect([200, 201].contains(state["status"]?.integer), "\(state)")
      #expect(state["verdict"]?["files"]?.array?.isEmpty == false)
      #expect(server.ask("POST", path + "/finish", body: [])?.status == 202)
    }
    let list = try #require(server.ask("GET", "/api/v1/symbols")?.text)
    #expect(list.contains("large"))
    // Another token cannot see it.
    #expect(server.ask("GET", path, token: "none")?.status == 401)
    #expect(server.ask("GET", path + "0")?.status == 404)
    // Restarted, it is sent from the beginning.
    #expect(try announce(bytes, to: server).1["have"]?.array == [])
    #expect(server.json(path)["state"]?.string == "receiving")
  }

  @Test("A file that differs from the announced one has a verdict that says so")
  func otherFile() throws {
    let server = try server()
    let plan =
      #"{"size": 3, "sha256": "\#(String(repeating: "0", count: 64))", "kind": "report"}"#
    let begun = try #require(server.ask("POST", "/api/v1/uploads", body: Array(plan.utf8)))
    let id = try #require(try JSONDocument.parse(ByteView(begun.body)).value["id"]?.string)
    #expect(put(0, of: [1, 2, 3], id, to: server) == 204)
    #expect(server.ask("POST", "/api/v1/uploads/\(id)/finish", body: [])?.status == 202)
    #expect(
      RunningMayday.wait { server.json("/api/v1/uploads/\(id)")["state"]?.string == "failed" })
    let state = server.json("/api/v1/uploads/\(id)")
    #expect(state["status"]?.integer == 422)
    #expect(state["verdict"]?["detail"]?.string?.contains("SHA-256") == true)
    // Its parts are removed after the verdict is known.
    #expect(
      RunningMayday.wait { server.json("/api/v1/uploads/\(id)")["have"]?.array == [] })
  }
}
