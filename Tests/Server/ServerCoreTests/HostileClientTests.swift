import Bytes
import Compression
import Crypto
import Dispatch
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ProgramSupport

/// Malicious requests to the whole server: a clear status, bounded memory, nothing half-stored.
@Suite("Hostile clients", .serialized)
struct HostileClientTests {
  private let folder = ScratchFolder()
  /// More than a server and its worker use, in MB: a body of 100 MiB in one, and the logs of a request, 64
  /// MiB, in the other.
  private static let allowance = 280

  private func server(_ options: [String] = ["--rate", "0"]) throws -> RunningServer {
    try #require(RunningServer(home: folder.path("home"), options: options))
  }

  private func sample() throws -> [UInt8] {
    try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).array
  }

  private var zeros: [UInt8] { [UInt8](repeating: 0, count: 64 << 20) }

  @Test("Bombs, endless bodies, and forms of a hundred thousand parts take no memory")
  func bounded() throws {
    let server = try server()
    let before = server.peakMemory
    let bomb = try Zstandard.compress(ByteView(zeros)).array
    for (path, status) in [("/api/v1/reports", 413), ("/logs", 200)] {
      for _ in 0..<4 {
        let answer = server.ask(
          "POST", path, headers: ["Content-Encoding: zstd", "App-Secret: x", "Install-ID: y"],
          body: bomb)
        #expect(answer?.status == status, "\(path)")
      }
    }
    // Larger than the logs of one request may be, and a nested bomb of that size.
    let larger = try Zstandard.compress(ByteView(zeros + zeros)).array
    for body in [larger, try Zstandard.compress(ByteView(larger)).array] {
      let answer = server.ask(
        "POST", "/logs", headers: ["Content-Encoding: zstd"], body: body)
      #expect(answer?.status == 200)
    }
    // A report that is itself a bomb is accepted, and costs its worker no more than the limits allow.
    #expect(server.ask("POST", "/api/v1/reports?name=a.zst", body: bomb)?.status == 202)
    var form: [UInt8] = []
    for number in 0..<100_000 {
      form += Array(
        "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(number)\"\r\n\r\na\r\n"
          .utf8)
    }
    let many = server.ask(
      "POST", "/api/v1/reports", headers: ["Content-Type: multipart/form-data; boundary=xx"],
      body: form + Array("--xx--\r\n".utf8))
    #expect(many == nil || many?.status == 413)
    let headers = (0..<100_000).map { "X-\($0): y" }
    let heads = server.ask("GET", "/api/v1/groups", headers: headers)
    #expect(heads == nil || heads?.status == 431)
    let deep = Array((String(repeating: "[", count: 1_000_000)).utf8)
    for (path, status) in [
      ("/api/v1/symbols/known", 400), ("/api/v1/tokens", 400), ("/logs", 200),
    ] {
      let answer = server.ask(
        "POST", path, headers: ["App-Secret: x", "Install-ID: y"], body: deep)
      #expect(answer?.status == status, "\(path): \(answer?.text ?? "")")
    }
    let client = WebClient(port: server.port)
    client.send(
      "POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(server.token)\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n")
    let chunk = "100000\r\n" + String(repeating: "x", count: 0x100000) + "\r\n"
    var sent = 0
    while sent < 1_000, client.send(chunk) { sent += 1 }
    #expect(sent < 1_000)
    #expect(server.waitForQueue())
    let peak = server.peakMemory
    #expect(peak < before + Self.allowance, "\(before) MB before, \(peak) MB at most")
    let problems =
      server.json("/api/v1/intake")["items"]?.array?.compactMap { $0["problem"]?.string } ?? []
    #expect(problems.contains { $0.contains("limit of 67108864 unpacked bytes") }, "\(problems)")
    #expect(problems.contains { $0.contains("levels of nesting") }, "\(problems)")
    #expect(server.ask("POST", "/api/v1/reports", body: try sample())?.status == 202)
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 1)
    #expect(server.stop() == 0)
  }

  @Test("A client that hangs up at any byte leaves nothing half-stored")
  func hangUps() throws {
    // The server may notice late that a client has disconnected: beyond a limit it would refuse the next
    // ones, whose cuts it would not see, and the requests at the end.
    let server = try server(["--rate", "0", "--connections-per-address", "0"])
    let report = try sample()
    let form =
      Array("--xx\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n".utf8) + report
      + Array("\r\n--xx--\r\n".utf8)
    let object = try ByteView(
      mapping: Samples.root
        + "/Symbols/apple/1.0.0/macos/Tern.app.dSYM/Contents/Resources/DWARF/Tern"
    ).array
    let plan = """
      {"size":\(object.count),"sha256":"\(SHA256.hex(of: ByteView(object)))","kind":"symbols",
      "name":"Tern"}
      """
    let begun = try #require(server.ask("POST", "/api/v1/uploads", body: Array(plan.utf8)))
    let upload = try JSONDocument.parse(ByteView(begun.body)).value["id"]?.string ?? ""
    let announced = try #require(
      server.ask(
        "POST", "/v0.1/apps/a/Tern/symbol_uploads", body: Array(#"{"symbol_type":"Apple"}"#.utf8)))
    let blob = try JSONDocument.parse(ByteView(announced.body)).value
    let address = try #require(
      blob["upload_url"]?.string?.split(separator: "/", maxSplits: 2).last.flatMap { host in
        host.firstIndex(of: "/").map { String(host[$0...]) }
      })
    let logs = try ByteView(mapping: Samples.path("appcenter/android-cause.json")).array
    let requests: [(line: String, body: [UInt8])] = [
      ("POST /api/v1/reports", report),
      ("POST /api/v1/reports HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=xx", form),
      ("PUT /api/v1/symbols?name=Tern", object), ("POST /logs HTTP/1.1\r\nApp-Secret: s", logs),
      ("PUT /api/v1/uploads/\(upload)/0", object), ("PUT \(address)", object),
    ]
    for (line, body) in requests {
      let first = line.contains("HTTP/1.1") ? line : line + " HTTP/1.1"
      let head = first + "\r\nHost: a\r\nAuthorization: Bearer \(server.token)\r\n"
      let chunk = Array("\(String(body.count, radix: 16))\r\n".utf8) + body
      let wholes = [
        Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body,
        // Without its last chunk.
        Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8) + chunk + [13, 10, 48, 13],
      ]
      for whole in wholes {
        for cut in stride(from: 0, to: whole.count, by: max(1, whole.count / 45)) {
          let client = WebClient(port: server.port)
          client.send(Array(whole[..<cut]))
          if cut % 2 == 0 { client.finishSending() }
        }
      }
    }
    #expect(
      RunningMayday.wait { server.ask("GET", "/healthz")?.status == 200 } && server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 0)
    #expect(server.json("/api/v1/symbols")["items"]?.array?.isEmpty == true)
    #expect(server.json("/api/v1/intake")["items"]?.array?.isEmpty == true)
    #expect(server.metric("mayday_intake_accepted_total") == 0)
    #expect(server.ask("POST", "/api/v1/uploads/\(upload)/finish", body: [])?.status == 409)
    let commit = "/v0.1/apps/a/Tern/symbol_uploads/\(blob["symbol_upload_id"]?.string ?? "")"
    #expect(
      server.ask("PATCH", commit, body: Array(#"{"status":"committed"}"#.utf8))?.status == 409)
    #expect(
      RunningMayday.wait {
        (try? folder.names("home/intake"))?.allSatisfy {
          $0.hasPrefix("server-") || $0.hasPrefix("worker-") || $0.hasSuffix(".log")
        } == true
      }, "\((try? folder.names("home/intake")) ?? [])")
    #expect(server.stop() == 0)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
  }

  @Test("The same debug file from many clients at a time is there once")
  func sameFile() throws {
    let server = try server()
    let object = try ByteView(
      mapping: Samples.root
        + "/Symbols/apple/1.0.0/macos/Tern.app.dSYM/Contents/Resources/DWARF/Tern"
    ).array
    let statuses = Mutex<[Int]>([])
    let (port, token) = (server.port, server.token)
    DispatchQueue.concurrentPerform(iterations: 12) { _ in
      let client = WebClient(port: port)
      client.request(
        "PUT", "/api/v1/symbols?name=Tern", headers: ["Authorization: Bearer \(token)"],
        body: object)
      let status = client.answer()?.status ?? 0
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0.allSatisfy { [200, 201].contains($0) } })
    // It is for two architectures.
    let listed = server.json("/api/v1/symbols")["items"]?.array ?? []
    #expect(listed.count == 2)
    #expect(Set(listed.compactMap { $0["debug_id"]?.string }).count == 2)

    let report = try sample()
    let logs = try ByteView(mapping: Samples.path("appcenter/android-cause.json")).array
    DispatchQueue.concurrentPerform(iterations: 24) { number in
      let client = WebClient(port: port)
      client.request(
        "POST", number % 2 == 0 ? "/api/v1/reports" : "/logs",
        headers: ["Authorization: Bearer \(token)", "App-Secret: s"],
        body: number % 2 == 0 ? report : logs)
      let status = client.answer()?.status ?? 0
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0.allSatisfy { (200...202).contains($0) } })
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 2)
    #expect(server.metric("mayday_intake_done_total{outcome=\"duplicate\"}") == 22)
    #expect(server.stop() == 0)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
  }

  @Test("Names that climb, text that is not UTF-8, members twice: taken as text or refused")
  func names() throws {
    let server = try server()
    let report = try sample()
    for name in ["../../../etc/passwd", "%2e%2e%2fa", "%ff%fe", "a%0Ab", "%E2%80%AEtxt", "con", ""]
    {
      let answer = server.ask("POST", "/api/v1/reports?name=\(name)", body: report)
      #expect(answer?.status == 202, "\(name)")
    }
    #expect(server.ask("PUT", "/api/v1/symbols?name=../../a&app=..%2f..", body: [1])?.status == 422)
    for (body, status) in [
      (#"{"label":"a","label":"b","scopes":["read"],"scopes":["admin"]}"#, 400),
      (#"{"label":"\ud800","scopes":["read"]}"#, 201), ("{", 400), ("[]", 400), ("null", 400),
      (#"{"scopes":"admin"}"#, 400), ("", 400),
    ] {
      let answer = server.ask(
        "POST", "/api/v1/tokens", headers: ["Content-Type: application/json"],
        body: Array(body.utf8))
      #expect(answer?.status == status, "\(body): \(answer?.text ?? "")")
      if answer?.status == 201 { #expect(answer?.text.contains("admin") == false, "\(body)") }
    }
    let wrong = server.ask(
      "POST", "/api/v1/reports", headers: ["Content-Type: multipart/form-data"], body: report)
    #expect(wrong?.status == 400)
    // Content shows what a report is; a decision must be declared as JSON, which a page of another site
    // cannot do.
    let types = ["image/png", "application/x-www-form-urlencoded", "text/html; charset=x", ";"]
    for type in types {
      let headers = ["Content-Type: \(type)"]
      #expect(
        server.ask("POST", "/api/v1/reports", headers: headers, body: report)?.status == 202,
        "\(type)")
      let token = Array(#"{"label":"\#(type)","scopes":["read"]}"#.utf8)
      #expect(
        server.ask("POST", "/api/v1/tokens", headers: headers, body: token)?.status == 415,
        "\(type)")
    }
    // Bytes that are not UTF-8, and a duplicate member, of which the last counts in a log.
    let noText: [UInt8] = [0xff, 0xc0, 0x80]
    let raw = Array(#"{"label":"a"#.utf8) + noText + Array(#"","scopes":["read"]}"#.utf8)
    #expect(server.ask("POST", "/api/v1/tokens", body: raw)?.status == 201)
    let log = Array(#"{"logs":[{"type":"event","type":"handledError","id":"i","id":"j","#.utf8)
    let rest = Array(#"","exception":{"type":"E"}}]}"#.utf8)
    let sent = server.ask(
      "POST", "/logs", headers: ["App-Secret: \u{e9}"],
      body: log + Array(#""userId":""#.utf8) + noText + rest)
    #expect(sent?.status == 200)
    #expect(server.waitForQueue())
    // The same report by all of the names, and the log.
    #expect(server.json("/api/v1/reports")["total"]?.integer == 2)
    #expect(server.json("/api/v1/reports?query=is:handled")["total"]?.integer == 1)
    #expect(server.stop() == 0)
  }

  @Test("No line of the log repeats a secret")
  func secrets() throws {
    let server = try server()
    let shown = server.errors
    let secrets = ["mayday_abcdefghijkl_" + String(repeating: "s", count: 43), "hunter2-hunter2"]
    for secret in secrets + [server.token] {
      _ = server.ask("GET", "/api/v1/groups?token=\(secret)&key=\(secret)")
      if secret.utf8.count > 32 {
        _ = server.ask("GET", "/nothing/\(secret)")
        _ = server.ask("GET", "/\(secret)?a")
      }
      _ = server.ask("GET", "/api/v1/groups", token: secret)
      _ = server.ask("POST", "/logs", headers: ["App-Secret: \(secret)"], body: [1])
      _ = server.ask("GET", "/", headers: ["X-App-Key: \(secret)", "Cookie: \(secret)"])
      _ = server.ask("GET", "/api/v1/groups?query=user:\(secret)")
    }
    #expect(server.stop() == 0)
    let added = server.errors.dropFirst(shown.count)
    for secret in secrets + [String(server.token.suffix(43))] {
      #expect(!added.contains(secret), "\(added)")
    }
    #expect(added.contains("/api/v1/groups"))
  }
}
