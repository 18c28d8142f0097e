import Bytes
import Identifiers
import SourceMaps
import TestSupport
import Testing

@Suite struct ScriptFunctionsTests {
  /// The function around the mark `¦` of a source.
  static func function(_ marked: String) throws -> SourceMap.Function? {
    let lines = marked.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("¦") })
    let column = lines[line].prefix { $0 != "¦" }.utf16.count
    let text = marked.replacing("¦", with: "")
    let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\t", with: " ")
    let map = try SourceMapTests.read(
      SourceMapTests.map(
        [[.init(0, 0, line, column)]], sources: #"["a.js"]"#,
        more: #","sourcesContent":["\#(quoted)"]"#))
    return map.location(line: 1, column: 1)?.function
  }

  @Test(
    "The name of a function comes from its declaration or from where it is assigned to",
    arguments: [
      ("function total(a) { return ¦a }", "total"),
      ("async function* total(a = {b: 1}) { for (;;) { ¦a } }", "total"),
      ("export default function () { ¦a }", "default"),
      ("const total = function () { ¦a }", "total"),
      ("const total = async function sum() { ¦a }", "sum"),
      ("const total = (a, {b}) => { ¦a }", "total"),
      ("const total = async a => ¦a.b()", "total"),
      ("const total = a => ¦a\nfoo()", "total"),
      ("const total = (a) => ({ sum: ¦a.b })", "total"),
      ("const total = (a) => a ? b : ¦c", "total"),
      ("const total: Sum = (a: number): Promise<number> => { ¦a }", "total"),
      ("this.total = function () { ¦a }", "total"),
      ("Cart.prototype.total = function () { ¦a }", "Cart.total"),
      ("exports.total = () => { ¦a }", "total"),
      ("module.exports = { total: function () { ¦a } }", "total"),
      ("module.exports = { 'total': () => { ¦a }, other() {} }", "total"),
      ("module.exports = { other() {}, async total(a) { ¦a } }", "total"),
      ("class Cart { constructor(a) { ¦a } }", "new Cart"),
      ("class Cart extends Base { static async total(a) { if (a) { ¦a } } }", "Cart.total"),
      ("class Cart { #sum = 0; #total(a) { ¦a } }", "Cart.#total"),
      ("class Cart { a = 1\n total = () => { ¦a } }", "Cart.total"),
      ("class Cart<T> { private total(a: T[]): Promise<T> { ¦a } }", "Cart.total"),
      ("const Cart = class { get total() { return ¦a } }", "Cart.total"),
      ("function outer() { function total() {} ¦a }", "outer"),
      ("function total() { const b = /[/{]/.test(a) / 2; ¦a }", "total"),
      ("function total() { const b = `{${c ? `}` : {}}{`; ¦a }", "total"),
      ("function total() { /* } */ // }\n ¦a }", "total"),
      ("function total() { return <p>don't</p>\n }\nfunction sum() { ¦a }", "sum"),
      ("function total() { switch (a) { case 1: { ¦a } } }", "total"),
      ("function total() { try { a() } catch (e) { ¦a } }", "total"),
      ("function total<T>(a: T): T { ¦a }", "total"),
      ("const 😀 = 1, total = () => { '😀'; ¦a }", "total"),
      ("function total() { label: for (const a of b) { ¦a } }", "total"),
      ("function total() { items.map(a => a.b), ¦c }", "total"),
    ])
  func named(source: String, name: String) throws {
    #expect(try Self.function(source) == .named(name), "\(source)")
  }

  @Test(
    "A callback has no name",
    arguments: [
      "items.forEach(function (a) { ¦a })", "items.map(a => ¦a.b)", "items.map((a, b) => { ¦a })",
      "(() => { ¦a })()", "(function () { ¦a })()", "function f() { return () => ¦a }",
    ])
  func anonymous(source: String) throws {
    #expect(try Self.function(source) == .anonymous, "\(source)")
  }

  @Test(
    "Code outside functions is that of the file",
    arguments: [
      "¦a()", "function total() {}\n¦a()", "const f = a => a\n¦f()", "const f = a => a, g = ¦f()",
      "items.map(a => a.b); ¦c", "if (a) { ¦b() }", "const a = { b: ¦c() }", "class A {}\n¦a()",
      "for (const a of b) { ¦c() }", "} ] ) ¦a",
    ])
  func topLevel(source: String) throws {
    #expect(try Self.function(source) == .topLevel, "\(source)")
  }

  @Test("Deep brackets and endless functions take linear time")
  func hostile() throws {
    for unit in [
      "(", "a=>", "{}}", "x=>(", "function f(){", "`${", "class A{b(){", ")))]]]}}}", "a=>b,",
    ] {
      let text = String(repeating: unit, count: 200_000)
      let map = try SourceMapTests.read(
        SourceMapTests.map(
          [[.init(0, 0, 0, 0)]], sources: #"["a.js"]"#, more: #","sourcesContent":["\#(text)"]"#))
      #expect(map.location(line: 1, column: 1) != nil)
    }
  }
}

@Suite struct ScriptCommentsTests {
  static func comments(_ text: String) -> ScriptComments { ScriptComments(in: ByteView(text.utf8)) }

  @Test("The comments at the end of a script name its map and its id")
  func comments() {
    let id = "6c1b8a1e-52b4-4a6f-9c1e-0123456789ab"
    let script =
      "f();\n//# sourceMappingURL=old.map\ng();\n//# sourceMappingURL=shop.js.map\n//# debugId=\(id)\n\n"
    #expect(Self.comments(script).sourceMappingURL == "shop.js.map")
    #expect(Self.comments(script).debugID == DebugID(id))
    #expect(Self.comments("f();//@ sourceMappingURL=a.map").sourceMappingURL == "a.map")
    #expect(Self.comments("f();\r\n//# sourceMappingURL=a.map\r\n").sourceMappingURL == "a.map")
    #expect(Self.comments("//# sourceMappingURL=a.map\nf();").sourceMappingURL == nil)
    #expect(Self.comments("f('//# sourceMappingURL=a.map')\nf()").sourceMappingURL == nil)
    #expect(Self.comments("") == Self.comments("f()"))
  }

  @Test("A map inside its script is read from its URL")
  func dataURL() throws {
    let text = SourceMapTests.map([[.init(0, 0, 0, 0)]])
    let base64 = "eyJ2ZXJzaW9uIjozfQ=="
    #expect(
      ScriptComments.map(inDataURL: "data:application/json;charset=utf-8;base64,\(base64)")?.text
        == #"{"version":3}"#)
    #expect(
      ScriptComments.map(inDataURL: "data:application/json,%7B%22a%22:1}")?.text == #"{"a":1}"#)
    #expect(ScriptComments.map(inDataURL: "data:application/json;base64,!") == nil)
    #expect(ScriptComments.map(inDataURL: "shop.map") == nil)
    #expect(ScriptComments.map(inDataURL: "data:,%7") == nil)
    let long =
      "f()\n//# sourceMappingURL=data:application/json," + text.replacing("\"", with: "%22")
      + String(repeating: "%20", count: 4000)
    let url = try #require(Self.comments(long).sourceMappingURL)
    let map = try SourceMap(parsing: try #require(ScriptComments.map(inDataURL: url)))
    #expect(map.segmentCount == 1)
  }
}
