import Bytes
import CrashModel
import SourceText
import Testing

@Suite struct SourceExcerptTests {
  @Test(
    "Lines around a line, fewer at the ends",
    arguments: [
      (1, 3, 1, ["one", "two", "three"]), (3, 3, 2, ["two", "three", "four"]),
      (4, 3, 3, ["three", "four"]), (2, 1, 2, ["two"]), (2, 4, 1, ["one", "two", "three", "four"]),
    ])
  func lines(line: Int, count: Int, first: Int, expected: [String]) {
    let text = ByteView("one\ntwo\r\nthree\nfour".utf8)
    let excerpt = SourceExcerpt(text, around: line, count: count)
    #expect(excerpt == SourceExcerpt(first: first, lines: expected))
  }

  @Test("A line beyond the file has no excerpt", arguments: [0, -1, 3, .max])
  func missing(line: Int) {
    #expect(SourceExcerpt(ByteView("one\ntwo\n".utf8), around: line, count: 5) == nil)
  }
}
