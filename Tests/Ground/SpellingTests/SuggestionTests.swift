import Testing

@testable import Spelling

@Suite("Suggestions for misspelt words")
struct SuggestionTests {
  @Test(
    "Distance counts a swap of neighbours once",
    arguments: [
      ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("", "abc", 3),
      ("kitten", "sitting", 3),
    ])
  func distance(left: String, right: String, expected: Int) {
    #expect(Suggestion.distance(left, right) == expected)
    #expect(Suggestion.distance(right, left) == expected)
  }

  @Test(
    "A word is near that has a third of its letters wrong, or begins a single candidate",
    arguments: [
      ("symbol", "symbols"), ("grops", "groups"), ("sym", "symbols"), ("rep", nil),
      ("zzzzzz", nil), ("", nil), ("rx", nil),
    ])
  func nearest(word: String, expected: String?) {
    let candidates = ["groups", "reports", "repair", "symbols"]
    #expect(Suggestion.nearest(to: word, among: candidates) == expected)
    #expect(Suggestion.nearest(to: word, among: []) == nil)
  }

  @Test("Long words are compared up to a limit, in bounded time")
  func long() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.distance(long, long + "b") == 0)
    #expect(Suggestion.distance(long, "") == 64)
  }
}
