import Patterns
import TestSupport
import Testing

@testable import Scrubbing

/// Matches of the same patterns in the same texts by Python's `re` (3.11), with its alternatives sorted
/// longest first, since it takes the first match and not the longest.
@Suite struct ScrubPatternTests {
  @Test(
    "What a pattern means",
    arguments: [
      ("ab+", "xabbb ab a", [1..<5, 6..<8]),
      ("a|ab|abc", "abcab", [0..<3, 3..<5]),
      ("[a-c]{2,3}", "abcabd", [0..<3, 3..<5]),
      (#"\bK-\d{4}\b"#, "K-1234 xK-1234 K-12345 K-1234", [0..<6, 23..<29]),
      (#"key=\K[^&\s]+"#, "?key=abc&key=d", [5..<8, 13..<14]),
      (#"(?i)token:\s*\K\w+"#, "TOKEN:  Ab1 x", [8..<11]),
      (#"a.c"#, "aéc a\nc abc", [0..<4, 9..<12]),
      (#"[^b]b"#, "éb bb", [0..<3, 3..<5]),
      (#"é+"#, "xééy", [1..<5]),
      (#"user \K\w+(?=@)"#, "user jo@x user al", [5..<7]),
      (#"(ab)*c"#, "ababc c", [0..<5, 6..<7]),
      (#"a{3}"#, "aaaaaaa", [0..<3, 3..<6]),
      (#"\[\K[^\]]+"#, "a[bc]d", [2..<4]),
      (#"x\K\\n"#, #"x\n"#, [1..<3]),
    ] as [(String, String, [Range<Int>])])
  func finds(pattern: String, text: String, ranges: [Range<Int>]) throws {
    var scrubber = try TextScrubber([ScrubRule(list: "own", name: "x", pattern: pattern)])
    let bytes = Array(text.utf8)
    #expect(scrubber.finds(in: bytes.span).map(\.range) == ranges)
  }

  @Test(
    "Invalid patterns",
    arguments: [
      "a*", "(a", "a)", "[a", "*a", "a{2", "a{5,2}", "a{2000}", #"\"#, #"a\bc"#, "^a", "(?<n>a)",
      "[é]", #"\q"#, "a(?=bc)", "(?=b)", "", #"a\K"#,
    ])
  func refused(pattern: String) {
    #expect(throws: PatternError.self) { try ScrubPattern(pattern) }
  }

  @Test("Large or deep patterns are refused before they cost anything")
  func bounds() throws {
    #expect(throws: PatternError.self) {
      try TextScrubber([
        ScrubRule(list: "own", name: "x", pattern: "((a{1000}){1000}){1000}")
      ])
    }
    #expect(throws: PatternError.self) {
      try ScrubPattern(String(repeating: "(", count: 4_000) + "a")
    }
  }

  @Test("Parentheses as deep as the limit take little stack")
  func stack() throws {
    let pattern = String(repeating: "(", count: 32) + "a" + String(repeating: ")", count: 32) + "+"
    var finds = 0
    let stack = StackUse.measure {
      guard let rule = try? ScrubRule(list: "own", name: "x", pattern: pattern),
        var scrubber = try? TextScrubber([rule])
      else { return }
      finds = scrubber.finds(in: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000).span).count
    }
    #expect(finds == 1)
    #expect(try #require(stack) <= StackUse.most)
  }

  @Test("Time grows linearly, whatever the pattern", arguments: ["(a+)+b", "(a|aa)*[bc]d"])
  func linear(pattern: String) throws {
    // A backtracking search would need 2 to the power of 100,000 steps.
    var scrubber = try TextScrubber([ScrubRule(list: "own", name: "x", pattern: pattern)])
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
    #expect(scrubber.finds(in: bytes.span).isEmpty)
  }

  @Test("Of matches with the same start the first rule wins, and none overlap")
  func order() throws {
    let rules = try [("one", "ab"), ("two", "abcd"), ("three", "cd")].map {
      try ScrubRule(list: "own", name: $0.0, pattern: $0.1)
    }
    var scrubber = try TextScrubber(rules)
    let bytes = Array("abcdcd".utf8)
    #expect(
      scrubber.finds(in: bytes.span) == [
        .init(range: 0..<2, rule: 0), .init(range: 2..<4, rule: 2), .init(range: 4..<6, rule: 2),
      ])
  }
}
