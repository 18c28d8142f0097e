import Bytes
import TestSupport
import Testing

/// Compared with the searches of the standard library.
@Suite struct StringLinesTests {
  private static let parts = [
    "a", "é", "\u{301}", "😀", "\n", "\r", "\r\n", "\n\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}",
    "\u{2029}", "\u{2027}", "\u{84}", "Â", "\0", " ", "ab", "ba",
  ]

  private static func text(_ random: inout SplitMix) -> String {
    (0..<Int.random(in: 0..<12, using: &random))
      .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }

  @Test("Lines are those that the standard library finds")
  func lines() {
    var random = SplitMix(seed: TestSize.seed)
    for _ in 0..<5_000 {
      let text = Self.text(&random)
      let expected = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      #expect(text.textLines == expected, "\(text.debugDescription)")
      #expect(text.firstTextLine == expected.first { !$0.isEmpty }, "\(text.debugDescription)")
      let part = ("<\n" + text + "\n>").dropFirst(2).dropLast(2)
      #expect(part.textLines == part.split(omittingEmptySubsequences: false) { $0.isNewline })
    }
  }

  @Test("A text is found where its bytes are")
  func ranges() {
    var random = SplitMix(seed: TestSize.seed)
    for _ in 0..<5_000 {
      let (text, wanted) = (Self.text(&random), Self.text(&random))
      let part = ("é" + text + "é").dropFirst().dropLast()
      let (bytes, parts) = (Array(part.utf8), Array(wanted.utf8))
      let expected = (0..<max(bytes.count - parts.count + 1, 0)).first {
        !parts.isEmpty && Array(bytes[$0..<($0 + parts.count)]) == parts
      }
      let found = part.firstRange(ofBytes: wanted)
      #expect(
        found.map { part.utf8.distance(from: part.startIndex, to: $0.lowerBound) } == expected,
        "\(text.debugDescription) \(wanted.debugDescription)")
      #expect(
        found.map { part.utf8.distance(from: $0.lowerBound, to: $0.upperBound) } ?? parts.count
          == parts.count)
    }
  }
}
