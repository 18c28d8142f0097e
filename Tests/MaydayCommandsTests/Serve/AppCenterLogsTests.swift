import Bytes
import JSON
import TestSupport
import Testing

/// What App Center's SDKs send, by requests to the built program.
@Suite("App Center's logs", .serialized)
struct AppCenterLogsTests {
  private let folder = ScratchFolder()

  /// An SDK that is answered with 4xx deletes every crash that it holds.
  @Test("Whatever is wrong with a request, the SDK is told that all is well")
  func neverRefused() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let log = #"{"logs":[{"type":"managedError","id":"x","exception":{"type":"E"}}]}"#
    let requests: [(headers: [String], body: [UInt8])] = [
      (["Content-Encoding: gzip"], Array("no gzip".utf8)),
      (["Content-Encoding: br"], Array(log.utf8)), (["Content-Encoding: gzip, gzip"], [1, 2]),
      ([], Array("no JSON".utf8)), ([], []),
      (["Content-Type: text/plain"], Array(log.utf8)), (["Content-Type: multipart/form-data"], [1]),
    ]
    // The path stands behind whatever address the app was given.
    let paths = ["//logs?API-Version=1.0.0", "/logs", "/some/prefix/logs", "/a/b/c/d/logs"]
    for (place, request) in requests.enumerated() {
      let answer = try #require(
        server.ask(
          "POST", paths[place % paths.count], token: "", headers: request.headers,
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
    #expect(server.metric("mayday_intake_refused_total{reason=\"unreadable\"}") == 3)
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 1)
  }

  /// No SDK reads `Retry-After`; one for .NET takes 429 for the end.
  @Test("For want of room an SDK is asked to come again")
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

  /// The check reads a second time what the logs say, by the rules of the SDKs.
  @Test("Logs in any order, again, at a time, with late symbols become what they say")
  func samples() throws {
    guard OtherTool.path("python3") != nil else { return }
    let words = [
      "python3", Samples.root + "/scripts/appcenter.py", Samples.path("appcenter"), "--mayday",
      BuiltProgram.mayday, "--no-large", "2>&1 || true",
    ]
    let output = try #require(OtherTool.output(of: words.joined(separator: " ")))
    #expect(output.contains(" 0 differences"), "\(output)")
  }
}
