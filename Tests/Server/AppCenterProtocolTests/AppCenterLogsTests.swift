import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Requests that App Center's SDKs send, to the built program.
@Suite("App Center's logs", .serialized)
struct AppCenterLogsTests {
  private let folder = ScratchFolder()

  private static let log = #"{"logs":[{"type":"managedError","id":"x","exception":{"type":"E"}}]}"#
  /// "crash in Renderer.swift" by Python's gzip, without its end.
  private static let cut: [UInt8] = [
    0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 2, 3, 0x4b, 0x2e, 0x4a, 0x2c, 0xce, 0x50, 0xc8, 0xcc, 0x53,
  ]

  /// An SDK that gets 4xx deletes every crash that it holds; and a submission that was acknowledged must be
  /// stored, whatever it is.
  @Test("Whatever is wrong with a request, it is acknowledged to the SDK, and stored")
  func neverRefused() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let log = Self.log
    let two = log.dropLast(2) + #",{"type":"handledError","id":"y"},"#
    let requests: [(headers: [String], body: [UInt8], problem: String?)] = [
      (["Content-Encoding: gzip"], Array("no gzip".utf8), "gzip body of 7 bytes: damaged data at"),
      (["Content-Encoding: GZip"], Self.cut, "gzip body of 19 bytes: the data ends early at 0x13"),
      (["Content-Encoding: br"], Array(log.utf8), "content coding: 'br' at 0x0 is not supported"),
      (
        ["Content-Encoding: gzip", "Content-Encoding: gzip"], [1, 2],
        "content coding: 'gzip, gzip' at 0x0 is not supported"
      ),
      ([], Array("no JSON".utf8), "App Center logs: "), ([], [], nil),
      (["Content-Type: text/plain"], Array(log.utf8), nil),
      (["Content-Type: multipart/form-data"], [1], "App Center logs: byte 0x1 instead of"),
      ([], Array("{}".utf8), "App Center logs: there are no logs at 0x2"),
      ([], Array(#"{"logs":[]}"#.utf8), nil),
      (
        [], Array((two + #"{"type":"#).utf8),
        "stored in part: the logs are cut off after \(two.utf8.count + 8) bytes"
      ),
      (
        [],
        Array(#"{"logs":[{"type":"errorAttachment","errorId":"x","data":"<no>"}]}"#.utf8),
        "stored in part: 1 × errorAttachment that is not base64"
      ), ([], Array(#"{"logs":[{"type":"novel"},{"type":"pushInstallation"}]}"#.utf8), nil),
    ]
    // The path follows any base address that the app was given.
    let paths = [
      "//logs?API-Version=1.0.0", "/logs", "/some/prefix/logs", "/logs/?a", "/a/b/c/d/e/f/logs",
    ]
    for (place, request) in requests.enumerated() {
      let answer = try #require(
        server.ask(
          "POST", paths[place % paths.count], token: "",
          headers: request.headers + ["App-Secret: s", "Install-ID: I\(place)"],
          body: request.body))
      let value = try JSONDocument.parse(ByteView(answer.body)).value
      #expect(answer.status == 200, "request \(place): \(answer.text)")
      #expect(
        value.object?.map(\.key) == [
          "status", "validDiagnosticsIds", "throttledDiagnosticsIds", "correlationId",
        ])
      #expect(value["status"]?.string == "Success")
      let id = value["correlationId"]?.string ?? ""
      #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    }
    server.stop(SIGKILL)
    let next = try #require(RunningServer(home: server.home, token: server.token))
    #expect(next.waitForQueue())
    let kept = requests.enumerated().filter { $0.element.problem != nil }
    try expect(next, toKeep: kept)
    #expect(next.json("/api/v1/reports")["total"]?.integer == 2)
    // Quarantined submissions do not count as stored.
    #expect(next.metric("mayday_logs_ignored_total{type=\"unknown\"}") == 1)
    #expect(next.metric("mayday_logs_ignored_total{type=\"pushInstallation\"}") == 1)
    // A retry gives the same result.
    #expect(Run(["intake", "retry", "--all", "--home", server.home]).status == 0)
    #expect(RunningMayday.wait { next.metric("mayday_queue_quarantined") == kept.count })
    try expect(next, toKeep: kept)
    #expect(next.stop() == 0)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
    HomeCare.expectWhole(next.home)
  }

  private func expect(
    _ server: RunningServer,
    toKeep kept: [(offset: Int, element: (headers: [String], body: [UInt8], problem: String?))]
  ) throws {
    let list = server.json("/api/v1/intake")["items"]?.array ?? []
    #expect(list.count == kept.count)
    for ((place, request), record) in zip(kept, list) {
      let id = record["id"]?.integer ?? 0
      #expect(server.ask("GET", "/api/v1/intake/\(id)/raw")?.body == request.body, "\(place)")
      #expect(record["problem"]?.string?.hasPrefix(request.problem ?? "-") == true, "\(record)")
      #expect(record["facts"]?["install"]?.string == "I\(place)")
      let codings = request.headers.filter { $0.hasPrefix("Content-Encoding") }
        .map { $0.dropFirst(18).lowercased() }
      #expect(
        record["facts"]?["coding"]?.string
          == (codings.isEmpty ? nil : codings.joined(separator: ", ")))
    }
  }

  /// Under a path, only requests of an SDK are App Center's: other protocols have paths with the same end.
  @Test(
    "A path that ends with logs is unknown without an app's secret",
    arguments: ["/v1/logs", "/otlp/v1/logs", "/api/v2/logs", "/v9.1/logs", "//v1//logs/"])
  func othersLogs(path: String) throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let body = Array(#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[]}]}]}"#.utf8)
    for headers in [["Content-Type: application/json"], ["App-Secret: "]] {
      let answer = server.ask("POST", path, token: "", headers: headers, body: body)
      #expect(answer?.status == 404, "\(headers)")
    }
    #expect(server.ask("GET", path, token: "")?.status == 404)
    // Nor does it get a status for a body that is too large.
    let client = WebClient(port: server.port)
    client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 3355443300\r\n\r\n")
    #expect(client.answer()?.status == 404)
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/intake")["items"]?.array?.isEmpty == true)
    let own = server.ask(
      "POST", path, token: "", headers: ["App-Secret: s"], body: Array(Self.log.utf8))
    #expect(own?.status == 200)
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 1)
    #expect(server.stop() == 0)
  }

  /// An SDK holds 10 MiB; anything larger is not a crash, but must not seem to be stored.
  @Test("A body over the limit is not acknowledged, and is sent again a day later")
  func tooLarge() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    for isChunked in [false, true] {
      let client = WebClient(port: server.port)
      let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 33554433"
      client.send("POST /logs HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n")
      let chunk = "100000\r\n" + String(repeating: " ", count: 0x100000) + "\r\n"
      var sent = 0
      while isChunked, sent < 64, client.send(chunk) { sent += 1 }
      #expect(sent < 64)
      let answer = try #require(client.answer())
      #expect(answer.status == 503 && answer.headers["x-ms-retry-after-ms"] == "86400000")
    }
    #expect(server.metric("mayday_intake_refused_total{reason=\"large\"}") == 2)
    #expect(server.metric("mayday_intake_accepted_total") == 0)
  }

  @Test("If unknown apps are refused, their SDKs retry until the app is named")
  func unknownApps() throws {
    let home = folder.path("home")
    #expect(Run(["serve", "--home", home, "--unknown-apps", "odd"]).status == 2)
    let server = try #require(RunningServer(home: home, options: ["--unknown-apps", "refuse"]))
    let secret = "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"
    func send(_ headers: [String]) -> WebClient.Answer? {
      server.ask("POST", "/logs", token: "", headers: headers, body: Array(Self.log.utf8))
    }
    for headers in [[], ["App-Secret: \(secret)"]] {
      let answer = send(headers)
      #expect(answer?.status == 503 && answer?.headers["x-ms-retry-after-ms"] == "3600000")
    }
    #expect(server.metric("mayday_intake_refused_total{reason=\"unknown\"}") == 2)
    #expect(Run(["apps", "add", "Tern", "--secret", secret, "--home", home]).status == 0)
    // The server remembers for two seconds that it was unknown.
    #expect(RunningMayday.wait { send(["App-Secret: \(secret.lowercased())"])?.status == 200 })
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 1)
    #expect(server.json("/api/v1/apps")["items"]?.array?.count == 1)
  }

  @Test("A flood of garbage neither fills the disk nor displaces others")
  func flood() throws {
    let home = folder.path("home")
    let secret = "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"
    #expect(Run(["apps", "add", "Tern", "--secret", secret, "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home, options: ["--quarantined", "6"]))
    func send(_ secret: String) {
      let answer = server.ask(
        "POST", "/logs", token: "", headers: ["App-Secret: \(secret)", "Content-Encoding: gzip"],
        body: Self.cut)
      #expect(answer?.status == 200)
    }
    for _ in 0..<2 { send(secret.lowercased()) }
    for number in 0..<60 { send("\(number)" + String(repeating: "x", count: 20_000)) }
    #expect(server.waitForQueue())
    #expect(RunningMayday.wait { server.metric("mayday_queue_quarantined") == 6 })
    #expect(server.metric("mayday_intake_done_total{outcome=\"discarded\"}") == 56)
    let ids = server.json("/api/v1/intake")["items"]?.array?.compactMap { $0["id"]?.integer }
    #expect(ids == [1, 2, 59, 60, 61, 62])
    #expect(server.stop() == 0)
    let ledger = Run(["stats", "--ledger", "--home", home])
    #expect(ledger.status == 0 && ledger.output.contains("dropped from the full quarantine"))
  }

  /// No SDK reads `Retry-After`; one for .NET takes 429 as final.
  @Test("Without disk space, an SDK is asked to retry")
  func busy() throws {
    let server = try #require(
      RunningServer(home: folder.path("home"), options: ["--queue", "1", "--rate", "1"]))
    var answers: [WebClient.Answer] = []
    for index in 0..<200 where answers.last?.status != 503 {
      let log = #"{"logs":[{"type":"handledError","id":"\#(index)"}]}"#
      let answer = server.ask("POST", "/logs", token: "", body: Array(log.utf8))
      answers.append(try #require(answer))
    }
    #expect(answers.dropLast().allSatisfy { $0.status == 200 })
    let last = try #require(answers.last)
    #expect(
      last.status == 503 && (last.headers["x-ms-retry-after-ms"].flatMap { Int($0) } ?? 0) > 0)
    let told = try JSONDocument.parse(ByteView(last.body)).value
    #expect(told["status"]?.string == "Unavailable" && told.object?.count == 4)
  }

  /// The check parses the logs a second time, by the rules of the SDKs.
  @Test("Logs in any order, repeated, concurrent or with late symbols give the expected reports")
  func samples() throws {
    let words = [
      try #require(OtherTool.path("python3")), Samples.root + "/scripts/oracles/appcenter.py",
      Samples.path("appcenter"), "--mayday",
      BuiltProgram.mayday, "--no-large", "2>&1 || true",
    ]
    let output = try #require(OtherTool.output(of: words.joined(separator: " ")))
    #expect(output.contains(" 0 differences"), "\(output)")
  }
}
