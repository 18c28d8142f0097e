import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("mcp")
struct ModelContextCommandTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func filled() {
    let sample = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")
    #expect(Run(["ingest", sample, "--home", home, "--symbols", Samples.symbols]).status == 0)
  }

  private func answers(_ messages: String...) throws -> [JSONValue] {
    let run = Run(["mcp", "--home", home], input: messages.map { $0 + "\n" }.joined())
    #expect(run.status == 0, "\(run.errors)")
    return try run.output.split(separator: "\n").map {
      try JSONDocument.parse(ByteView(Array($0.utf8))).value
    }
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":"#
      + #"{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  @Test("The handshake takes a known version, and offers the newest for another")
  func handshake() throws {
    filled()
    let found = try answers(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"1"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    #expect(found.count == 2)
    #expect(found[0]["result"]?["protocolVersion"]?.string == "2025-06-18")
    #expect(found[1]["result"]?["protocolVersion"]?.string == "2025-11-25")
    #expect(found[0]["result"]?["serverInfo"]?["name"]?.string == "mayday")
  }

  @Test("Groups are listed as the command lists them, and shown")
  func groups() throws {
    filled()
    let found = try answers(call(1, "groups"), call(2, "show", #"{"id":"TERN-1"}"#))
    let group = found[0]["result"]?["structuredContent"]?["items"]?[0]
    #expect(group?["id"]?.string == "TERN-1" && group?["reports"]?.integer == 1)
    // The list leaves out what only single groups need.
    #expect(group?["versions"] == nil)
    let text = found[1]["result"]?["content"]?[0]?["text"]?.string ?? ""
    #expect(text.hasPrefix("## TERN-1: ") && text.contains("tern::priceOf"))
    #expect(found[1]["result"]?["isError"]?.bool == false)
  }

  @Test("A group is resolved only with the confirmation for it as it is")
  func resolve() throws {
    filled()
    let asked = try answers(call(1, "resolve", #"{"id":"TERN-1"}"#))
    let code = try #require(asked[0]["result"]?["structuredContent"]?["confirmation"]?.string)
    let wrong = try answers(
      call(1, "resolve", #"{"id":"TERN-1","confirmation":"no"}"#),
      call(2, "resolve", #"{"id":"TERN-1","next":true,"confirmation":"\#(code)"}"#))
    for answer in wrong { #expect(answer["result"]?["isError"]?.bool == true) }
    #expect(Run(["show", "TERN-1", "--home", home]).output.contains("open"))
    let done = try answers(call(1, "resolve", #"{"id":"TERN-1","confirmation":"\#(code)"}"#))
    let group = done[0]["result"]?["structuredContent"]?["group"]
    #expect(group?["state"]?.string == "resolved")
    let again = try answers(call(1, "resolve", #"{"id":"TERN-1","confirmation":"\#(code)"}"#))
    #expect(again[0]["result"]?["isError"]?.bool == true)
  }

  @Test("An offset has the function and line that its report has")
  func lookUp() throws {
    filled()
    let show = Run(["show", "TERN-1", "--home", home, "--json"])
    let report = try JSONDocument.parse(ByteView(Array(show.output.utf8))).value["report"]
    let threads = report?["threads"]?.array ?? []
    let frame = try #require(
      threads.flatMap { $0["frames"]?.array ?? [] }.first {
        $0["position"]?.string == "exact" && $0["file"] != nil && $0["inlined"]?.bool != true
      })
    let image = try #require(frame["image"]?.integer.flatMap { report?["images"]?[$0] })
    let id = image["debug_id"]?.string ?? ""
    let offset = frame["image_offset"]?.string ?? ""
    // What was ingested with --symbols is not stored.
    #expect(Run(["symbols", "add", Samples.symbols, "--home", home]).status != 3)
    let found = try answers(call(1, "lookup", #"{"id":"\#(id)","offsets":["\#(offset)"]}"#))
    let frames = found[0]["result"]?["structuredContent"]?["items"]?[0]?["frames"]?.array
    #expect(frames?.last?["file"] == frame["file"] && frames?.last?["line"] == frame["line"])
  }

  @Test("Errors have the codes of the protocol; those of tools are results")
  func errors() throws {
    filled()
    let found = try answers(
      "{", #"{"jsonrpc":"2.0","id":2,"method":"x"}"#, call(3, "x"),
      call(4, "show", #"{"id":"TERN-9"}"#))
    let codes = found.compactMap { $0["error"]?["code"]?.integer }
    #expect(codes == [-32_700, -32_601, -32_602])
    #expect(found.last?["result"]?["isError"]?.bool == true)
    #expect(found.last?["result"]?["content"]?[0]?["text"]?.string?.contains("TERN-9") == true)
  }

  @Test("What is cancelled before it begins is not answered")
  func cancelled() throws {
    filled()
    let found = try answers(
      call(1, "apps"), call(2, "groups"),
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
      call(3, "apps"))
    #expect(found.map { $0["id"]?.integer } == [1, 3])
  }

  @Test("Without a home there is nothing to answer from")
  func missing() {
    #expect(Run(["mcp", "--home", folder.path("none")]).status == 3)
  }
}
