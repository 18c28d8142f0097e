import Bytes
import JSON
import TestSupport
import Testing

@Suite("Documents as trees")
struct JSONDocumentTests {
  static let sample =
    #"{"name":"tern\u0020é","list":[1,-2,3.5,18446744073709551615,true,false,null,"x"],"#
    + #""inner":{"k":{"v":[[],{}]}},"name":"second"}"#

  @Test("The tree of a document")
  func tree() throws {
    let parse = try JSONDocument.parse(ByteView(Self.sample.utf8))
    #expect(parse.cut == nil)
    #expect(parse.end == Self.sample.utf8.count)
    #expect(parse.value["name"]?.string == "tern é")
    #expect(
      parse.value["list"]
        == .array([
          .integer(1), .integer(-2), .double(3.5), .unsigned(.max), .bool(true), .bool(false),
          .null, .string("x"),
        ]))
    #expect(parse.value["inner"]?["k"]?["v"] == .array([.array([]), .object([])]))
    #expect(parse.value.object?.map(\.key) == ["name", "list", "inner", "name"])
    #expect(parse.value["list"]?[3]?.unsigned == .max)
    #expect(parse.value["list"]?[9] == nil)
  }

  @Test("Text after the document is left alone")
  func trailing() throws {
    let parse = try JSONDocument.parse(ByteView("{\"a\":1}\nmore {".utf8))
    #expect(parse.value["a"]?.integer == 1)
    #expect(parse.end == 7)
    #expect(parse.cut == nil)
  }

  @Test(
    "Accepted though no standard allows it",
    arguments: [
      ("\u{FEFF}[1]", "[1]"), ("[1,2,]", "[1,2]"), ("{\"a\":1,}", "{\"a\":1}"),
      ("\0\0[1]\0", "[1]"), ("[1\u{0},2]", "[1,2]"),
    ])
  func lenient(text: String, same: String) throws {
    #expect(
      try JSONDocument.parse(ByteView(text.utf8)).value
        == JSONDocument.parse(ByteView(same.utf8)).value)
  }

  @Test("Not a number, in the spellings of several writers", arguments: ["NaN", "nan", "-nan"])
  func notANumber(text: String) throws {
    let value = try JSONDocument.parse(ByteView("[\(text), Infinity, -Infinity]".utf8)).value
    #expect(value[0]?.double?.isNaN == true)
    #expect(value[1]?.double == .infinity)
    #expect(value[2]?.double == -.infinity)
    #expect(value[0]?.integer == nil && value[1]?.unsigned == nil)
  }

  @Test(
    "Damage is an error with its offset",
    arguments: [
      ("[1 2]", 3), ("{\"a\" 1}", 5), ("{a:1}", 1), ("[tru]", 1), ("[nul!]", 1), ("[1}", 2),
      ("{\"a\":1]", 6), ("[\"a\":1]", 4), ("hello", 0), ("[1.2.3]", 1), ("]", 0), ("[,1]", 1),
    ])
  func damage(text: String, offset: Int) {
    let error = #expect(throws: ParseError.self) {
      try JSONDocument.parse(ByteView(text.utf8))
    }
    #expect(error?.offset == offset)
  }

  @Test("Nothing is an error", arguments: ["", "  \n", "\u{FEFF}", "\"cut"])
  func nothing(text: String) {
    #expect(throws: ParseError.self) { try JSONDocument.parse(ByteView(text.utf8)) }
  }

  @Test("Truncated anywhere, the values before the cut are there")
  func prefixes() throws {
    let bytes = Array(Self.sample.utf8)
    let whole = try JSONDocument.parse(ByteView(bytes)).value
    for length in 1..<bytes.count {
      let parse = try JSONDocument.parse(ByteView(bytes[..<length]))
      #expect(parse.cut == length)
      #expect(Self.isBeginning(parse.value, of: whole), "\(length)")
    }
    let almost = try JSONDocument.parse(ByteView(bytes.dropLast())).value
    #expect(almost == whole)
  }

  /// Whether `part` is `whole` with values missing at the end.
  static func isBeginning(_ part: JSONValue, of whole: JSONValue) -> Bool {
    switch (part, whole) {
    case (.array(let some), .array(let all)):
      some.count <= all.count && zip(some, all).allSatisfy { isBeginning($0, of: $1) }
    case (.object(let some), .object(let all)):
      some.count <= all.count
        && zip(some, all).allSatisfy { $0.key == $1.key && isBeginning($0.value, of: $1.value) }
    default: part == whole
    }
  }

  @Test("Nested a hundred thousand deep is refused", arguments: ["[", "{\"a\":", "[{\"a\":"])
  func deep(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    let error = #expect(throws: ParseError.self) {
      try JSONDocument.parse(ByteView(text.utf8))
    }
    #expect(error?.kind == .limit(name: "levels of nesting", value: 128))
  }

  @Test(
    "A document as deep as the limit takes little stack", arguments: [("[", "]"), ("{\"a\":", "}")])
  func stack(opening: String, end: String) throws {
    let text =
      String(repeating: opening, count: 128) + "1" + String(repeating: end, count: 128)
    var isRead = false
    let stack = StackUse.measure { isRead = (try? JSONDocument.parse(ByteView(text.utf8))) != nil }
    #expect(isRead)
    #expect(try #require(stack) <= StackUse.most)
  }

  @Test("Limits of values, string and document")
  func limits() {
    let limits = JSONLimits(depth: 4, bytes: 40, nodes: 5, stringBytes: 6)
    func kind(_ text: String) -> ParseError.Kind? {
      #expect(throws: ParseError.self) {
        try JSONDocument.parse(ByteView(text.utf8), limits: limits)
      }?.kind
    }
    #expect(kind("[1,2,3,4,5]") == .limit(name: "values", value: 5))
    #expect(kind("[\"1234567\"]") == .limit(name: "bytes of a string", value: 6))
    #expect(kind("[[[[[]]]]]") == .limit(name: "levels of nesting", value: 4))
    #expect(
      kind(String(repeating: " ", count: 41)) == .limit(name: "bytes of a document", value: 40))
  }

  @Test("Changed bytes neither crash nor hang", arguments: 0..<8 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var mutator = Mutator(seed: seed)
    var outcomes = Outcomes()
    for _ in 0..<500 {
      let view = ByteView(mutator.mutated(Array(Self.sample.utf8)))
      outcomes.count { _ = try JSONDocument.parse(view) }
      var reader = JSONReader(view.bytes)
      try? reader.skipValue()
      #expect(reader.position <= view.count)
    }
    #expect(outcomes.isMixed)
  }
}
