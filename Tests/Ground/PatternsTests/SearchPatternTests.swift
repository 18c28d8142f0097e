import Patterns
import Testing

@Suite("Search patterns")
struct SearchPatternTests {
  private func fits(_ pattern: String, _ text: String) throws -> Bool {
    try SearchPattern(pattern).fits(Array(text.utf8))
  }

  @Test("Without anchors a pattern may match anywhere, with them at the text's ends")
  func anchors() throws {
    #expect(try fits("b+", "abbc"))
    #expect(try !fits("^b+", "abbc"))
    #expect(try fits("^ab", "abbc"))
    #expect(try fits("bc$", "abbc"))
    #expect(try !fits("ab$", "abbc"))
    #expect(try fits(#"^Handler\d+::run$"#, "Handler12::run"))
    #expect(try !fits(#"^Handler\d+::run$"#, "Handler12::runs"))
    #expect(try fits(#"a\$"#, "a$"))
    #expect(try fits("^$", "") && !fits("^$", "a"))
    #expect(try fits("^(a|b)$", "b") && !fits("^(a|b)$", "ab"))
  }

  @Test("Trap 62: a pattern that would take exponential time elsewhere reads each byte once")
  func exponential() throws {
    let text = String(repeating: "a", count: 4_000) + "!"
    let start = ContinuousClock.now
    #expect(try !fits("^(a+)+$", text))
    #expect(try !fits("^(a|aa)+$", text))
    #expect(try !fits("(a*)*b", text))
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test(
    "An invalid or too large pattern is refused with the position",
    arguments: [
      ("a(", 2), ("[", 1), ("a**?{", 5), ("a{2000}", 5), ("^a|b", 0), ("a|b$", 3), (#"(a)\1"#, 4),
      ("(?=a)", 2), ("((a{100}){100}){100}", 0), (String(repeating: "a", count: 513), 512),
    ])
  func refused(_ pattern: String, _ offset: Int) throws {
    let error = try #require(throws: PatternError.self) { try SearchPattern(pattern) }
    #expect(error.offset == offset)
  }
}
