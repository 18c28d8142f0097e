import Bytes
import Identifiers
import JSON
import Testing
import TriageModel

@testable import Documents

/// The declaration of documents, with a type that has a member of every kind.
@Suite("Document declarations")
struct DocumentTypeTests {
  struct Part: Documented, Equatable {
    var name: String
    var count: Int

    static let declaration = DocumentType("Part", blank: Part(name: "", count: 0)) {
      DocumentMember("name", \.name, .text, "Its name.", example: "one")
      DocumentMember("count", \.count, .count)
    }
  }

  struct Whole: Documented, Equatable {
    var id = ""
    var state = GroupState.open
    var time: Timestamp?
    var part = Part(name: "", count: 0)
    var parts: [Part] = []
    var labels: [String] = []
    var facts: [String: Int] = [:]
    var address: Address?
    var ratio: Double?
    var isDone = false

    static let declaration = DocumentType("Whole", blank: Whole()) {
      DocumentMember(schema: 2)
      DocumentMember("id", \.id, .text)
      DocumentMember("state", \.state, .word)
      DocumentMember("time", optional: \.time, .time)
      DocumentMember("part", \.part, .document)
      DocumentMember("parts", \.parts, .list(.document), "The parts.")
      DocumentMember("labels", nonEmpty: \.labels, .list(.text))
      DocumentMember("facts", \.facts, .map(.count))
      DocumentMember("address", optional: \.address, .address)
      DocumentMember("ratio", optional: \.ratio, .number)
      DocumentMember("done", \.isDone, .flag)
      DocumentMember("sum", derived: { $0.parts.map(\.count).reduce(0, +) }, .count)
    }
  }

  struct Outer: Documented, Equatable {
    var part = Part(name: "", count: 0)
    var note: String?

    static let declaration = DocumentType("Outer", blank: Outer()) {
      Part.declaration.members(at: \Outer.part)
      DocumentMember("note", optional: \.note, .text)
    }
  }

  private static let whole = Whole(
    id: "A", state: .resolved, time: Timestamp("2026-03-01T12:30:00Z"),
    part: Part(name: "p", count: 1),
    parts: [Part(name: "a", count: 2), Part(name: "b", count: 3)], labels: ["x"],
    facts: ["b": 2, "a": 1], address: Address(0x10), ratio: 0.5, isDone: true)

  private static func text(_ value: some Documented) -> String {
    var writer = JSONWriter()
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func parsed(_ text: String) throws -> JSONValue {
    try JSONDocument.parse(ByteView(text.utf8)).value
  }

  @Test("It is written in the order of its members, without absent ones")
  func writing() {
    #expect(
      Self.text(Self.whole)
        == #"{"schema":2,"id":"A","state":"resolved","time":"2026-03-01T12:30:00Z","#
        + #""part":{"name":"p","count":1},"#
        + #""parts":[{"name":"a","count":2},{"name":"b","count":3}],"labels":["x"],"#
        + #""facts":{"a":1,"b":2},"address":"0x10","ratio":0.5,"done":true,"sum":5}"#)
    #expect(
      Self.text(Whole())
        == #"{"schema":2,"id":"","state":"open","part":{"name":"","count":0},"parts":[],"#
        + #""facts":{},"done":false,"sum":0}"#)
    #expect(
      Self.text(Outer(part: Part(name: "p", count: 1), note: "n"))
        == #"{"name":"p","count":1,"note":"n"}"#)
  }

  @Test("A written document reads back as the same value")
  func reading() throws {
    for value in [Self.whole, Whole()] {
      #expect(try Whole.declaration.read(Self.parsed(Self.text(value))) == value)
    }
    let outer = Outer(part: Part(name: "p", count: 1), note: nil)
    #expect(try Outer.declaration.read(Self.parsed(Self.text(outer))) == outer)
  }

  @Test("Null and members of later versions are read")
  func otherVersions() throws {
    let part = try Part.declaration.read(Self.parsed(#"{"name":"a","count":4,"novel":[]}"#))
    #expect(part == Part(name: "a", count: 4))
    let outer = try Outer.declaration.read(Self.parsed(#"{"name":"a","count":1,"note":null}"#))
    #expect(outer.note == nil)
  }

  @Test(
    "A member that is missing or of another type is an error with its path",
    arguments: [
      ("[]", "the document is not an object"),
      ("{}", "'id' is missing"),
      (#"{"id":null}"#, "'id' is missing"),
      (#"{"id":1}"#, "'id' is not a text"),
      (
        #"{"id":"","state":"novel"}"#,
        "'state' is not one of open, resolved, ignored, regressed"
      ),
      (#"{"id":"","state":"open","time":"then"}"#, "'time' is not a date-time"),
      (#"{"id":"","state":"open","part":{"name":""}}"#, "'part.count' is missing"),
      (
        #"{"id":"","state":"open","part":{"name":"","count":1},"parts":[{"name":"","count":1},[]]}"#,
        "'parts[1]' is not an object"
      ),
      (
        #"{"id":"","state":"open","part":{"name":"","count":1},"parts":[{"name":"","count":1.5}]}"#,
        "'parts[0].count' is not a whole number"
      ),
      (
        #"{"id":"","state":"open","part":{"name":"","count":1},"parts":[],"facts":{"a":"b"}}"#,
        "'facts.a' is not a whole number"
      ),
    ])
  func errors(text: String, message: String) throws {
    let value = try Self.parsed(text)
    let error = #expect(throws: DocumentError.self) { try Whole.declaration.read(value) }
    #expect(error?.description == message)
  }

  @Test("The schema has the members with their types, meanings, values and examples")
  func schema() throws {
    var writer = JSONWriter()
    Whole.declaration.component.schema.write(to: &writer)
    let schema = try JSONDocument.parse(ByteView(writer.takeBytes())).value
    #expect(schema["properties"]?["state"]?["enum"]?.array?.count == 4)
    #expect(schema["properties"]?["time"]?["format"]?.string == "date-time")
    #expect(schema["properties"]?["time"]?["examples"]?[0]?.string == "2026-03-01T12:30:00Z")
    #expect(schema["properties"]?["parts"]?["description"]?.string == "The parts.")
    #expect(
      schema["properties"]?["parts"]?["items"]?["$ref"]?.string == "#/components/schemas/Part")
    #expect(
      schema["required"]?.array?.compactMap(\.string)
        == ["schema", "id", "state", "part", "parts", "facts", "done", "sum"])
    #expect([Whole.declaration.component].closed.map(\.name) == ["Whole", "Part"])
  }

  @Test("The table of the manual has a row per member")
  func table() {
    #expect(
      Outer.declaration.component.table == [
        "| member | type | meaning |", "|---|---|---|",
        "| `name` | string, always | Its name. |", "| `count` | number, always |  |",
        "| `note` | string |  |",
      ])
  }
}
