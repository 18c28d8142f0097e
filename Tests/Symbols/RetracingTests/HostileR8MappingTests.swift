import Bytes
import Retracing
import TestSupport
import Testing

@Suite struct HostileR8MappingTests {
  private func ask(
    _ mapping: R8Mapping, _ name: String, _ line: Int?, steps: Int = 1_000_000
  ) throws -> R8Answer? {
    var steps = steps
    return mapping.retrace(try #require(R8Call(name, line: line, file: nil)), steps: &steps)
  }

  @Test(
    "Numbers that no line has, and lines that are cut, are left out",
    arguments: [
      "99999999999999999999:1:void a():1:1 -> a", "1:9223372036854775808:void a():1:1 -> a",
      "3:1:void a():1:1 -> a", "1:1:void a(:1:1 -> a", "1:1:void a():1:x -> a", "1:1: -> a",
      "1:1:void ():1:1 -> a", "-1:1:void a():1:1 -> a", "1:1:void a():1:1 -> ", "1:1:void a() ->a",
    ])
  func damaged(line: String) throws {
    let mapping = R8Mapping(
      ByteView("app.Desk -> a:\n    \(line)\n    2:2:void b():5:5 -> a\n".utf8))
    #expect(try ask(mapping, "a.a", 2)?.frames.map(\.name) == ["app.Desk.b"])
    #expect(try ask(mapping, "a.a", 1)?.frames.map(\.name) == ["app.Desk.a"])
  }

  @Test("A chain of 200,000 inlined calls gives 500 with the containing one, and a note")
  func deepChain() throws {
    var text = "app.Desk -> a:\n"
    for index in 0..<200_000 { text += "    1:1:void i\(index)():\(index):\(index) -> a\n" }
    let mapping = R8Mapping(ByteView(text.utf8))
    let answer = try #require(try ask(mapping, "a.a", 1))
    #expect(answer.frames.count == 500 && answer.isCut)
    #expect(answer.frames.last?.method == "i199999")
  }

  @Test("Overlapping ranges cost no more than the allowed steps")
  func overlapping() throws {
    var text = "app.Desk -> a:\n"
    for index in 0..<50_000 { text += "    \(index):2000000:void i\(index)():1:1 -> a\n" }
    let mapping = R8Mapping(ByteView(text.utf8))
    var steps = 100_000
    let call = try #require(R8Call("a.a", line: 1_000_000, file: nil))
    for _ in 0..<10 { _ = mapping.retrace(call, steps: &steps) }
    #expect(steps <= 0)
    // The class is still known.
    #expect(mapping.retrace(call, steps: &steps)?.frames.map(\.name) == ["app.Desk.a"])
  }

  @Test("A line of many megabytes, and such a comment, are skipped")
  func longLines() throws {
    let long = String(repeating: "x", count: 3 << 20)
    let text = """
      \(long) -> b:
      app.Desk -> a:
      # {"id":"sourceFile","fileName":"\(long)"}
          1:1:void \(long)():1:1 -> a
          2:2:void b():5:5 -> a
      """
    let mapping = R8Mapping(ByteView(text.utf8))
    #expect(mapping.classCount == 1)
    #expect(try ask(mapping, "a.a", 2)?.frames.map(\.name) == ["app.Desk.b"])
  }

  @Test("Every prefix, and seeded damage, gives a result")
  func damage() throws {
    let whole = Array(
      """
      # compiler: R8
      # pg_map_id: 48ffd94
      app.tern.Desk -> a.a:
      # {"id":"sourceFile","fileName":"Desk.kt"}
          1:3:void app.tern.Till.take(int):31:33 -> a
          1:3:void pay():12 -> a
          # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(La/b;)"],"actions":["removeInnerFrames(1)"]}
          4:4:void pay():0:0 -> a
          # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":2},"outline":"La/b;c()V"}
      app.tern.Till -> a.b:
      """.utf8)
    func look(_ bytes: some Collection<UInt8>) throws -> Int {
      let mapping = R8Mapping(ByteView(bytes))
      var frames = 0
      for line in [nil, 1, 2, 4, 9] { frames += try ask(mapping, "a.a.a", line)?.frames.count ?? 0 }
      _ = mapping.retrace(text: "a.a and a.b.c()")
      return frames
    }
    var found = 0
    for count in 0...whole.count { found += try look(whole.prefix(count)) }
    #expect(found > 0)
    var random = SplitMix(seed: 7)
    found = 0
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      }
      found += try look(bytes)
    }
    #expect(found > 0)
  }
}
