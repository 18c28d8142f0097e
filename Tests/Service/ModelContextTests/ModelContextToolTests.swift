import Bytes
import Documents
import JSON
import ServerStore
import Testing

@testable import ModelContext

@Suite("Tools of the Model Context Protocol")
struct ModelContextToolTests {
  private func text(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  private func arguments(_ text: String, of name: String) throws -> ToolArguments {
    let tool = try #require(ModelContextTool.all.first { $0.name == name })
    return try ToolArguments(JSONDocument.parse(ByteView(Array(text.utf8))).value, of: tool)
  }

  @Test(
    "Schemas stand alone, and arguments are closed", arguments: ModelContextTool.all.map(\.name))
  func schemas(name: String) throws {
    let tool = try #require(ModelContextTool.all.first { $0.name == name }).description
    #expect(!text(tool).contains("$ref"))
    #expect(tool["inputSchema"]?["type"]?.string == "object")
    #expect(tool["inputSchema"]?["additionalProperties"]?.bool == false)
    #expect(tool["description"]?.string?.hasSuffix(".") == true)
    if let output = tool["outputSchema"] { #expect(output["properties"]?.object?.isEmpty == false) }
  }

  @Test("Names are unique, and only resolve changes something")
  func names() {
    let names = ModelContextTool.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(ModelContextTool.all.filter { !$0.isReading }.map(\.name) == ["resolve"])
    #expect(ModelContextTool.all.filter { $0.scope == .triage }.map(\.name) == ["resolve"])
  }

  @Test("Arguments that the schema allows are taken")
  func allowed() throws {
    let groups = try arguments(#"{"query":"is:open","limit":50,"sort":"-reports"}"#, of: "groups")
    #expect(groups.limit == 50 && groups.text("query") == "is:open")
    #expect(try arguments("{}", of: "groups").limit == 10)
    #expect(try arguments(#"{"id":"TERN-1","next":true}"#, of: "resolve").flag("next"))
    let offsets = try arguments(#"{"id":"a","offsets":["0x1","0x2"]}"#, of: "lookup")
    #expect(offsets.texts("offsets") == ["0x1", "0x2"])
  }

  @Test(
    "Others are refused with what is wrong",
    arguments: [
      ("groups", "[]", "arguments is not an object"),
      ("groups", #"{"a":1}"#, "groups has no argument"),
      ("groups", #"{"limit":0}"#, "limit must be 1 to 50"),
      ("groups", #"{"limit":1.5}"#, "limit must be a whole number"),
      ("groups", #"{"query":1}"#, "query must be a text"),
      ("groups", #"{"sort":"size"}"#, "sort must be one of"),
      ("groups", #"{"after":""}"#, "after is empty"),
      ("groups", #"{"limit":1,"limit":2}"#, "appears twice"),
      ("regressions", "{}", "app is missing"),
      ("regressions", #"{"app":"a","since":"2026-02-31x"}"#, "since must be a day"),
      ("regressions", #"{"app":"a","confidence":2}"#, "confidence must be 0 to 1"),
      ("resolve", #"{"id":"a","next":1}"#, "next must be true or false"),
      ("lookup", #"{"id":"a","offsets":[]}"#, "offsets must have 1 to 100"),
      ("lookup", #"{"id":"a","offsets":[1]}"#, "offsets has one that must be a text"),
    ])
  func refused(name: String, given: String, reason: String) {
    let error = #expect(throws: (any Error).self) { try arguments(given, of: name) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
  }
}
