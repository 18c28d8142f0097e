import Bytes
import TestSupport
import Testing

@testable import ReportFormats

@Suite("A search for several marks")
struct MarkSearchTests {
  private static let marks: [StaticString] = [
    "panic: ", "ERROR: ", "goroutine ", "#0  0x", ":", ": runtime error: ", "Traceback (most", "a",
    "***",
  ]

  /// All matches, as a search for one mark at each position finds them.
  private static func expected(in bytes: [UInt8]) -> [String] {
    var found: [String] = []
    for start in bytes.indices {
      for (index, mark) in marks.enumerated()
      where bytes[start...].starts(with: Array(mark.description.utf8)) {
        found.append("\(index) at \(start)")
      }
    }
    return found.sorted()
  }

  private static func found(in bytes: [UInt8]) -> [String] {
    let search = MarkSearch(marks.map { MarkSearch.Mark($0) })
    let view = ByteView(bytes)
    var found: [String] = []
    var previous: MarkSearch.Match?
    while let match = search.next(in: view.bytes, from: 0, after: previous) {
      found.append("\(match.mark) at \(match.start)")
      previous = match
    }
    return found.sorted()
  }

  @Test("It finds each mark at each position, across blocks and at both ends")
  func all() {
    var random = SplitMix(seed: 7)
    let pieces =
      Self.marks.map { Array($0.description.utf8) } + [[10], [32], Array("xyz".utf8), [0x80]]
    for _ in 0..<400 {
      var text: [UInt8] = []
      for _ in 0..<random.below(30) {
        let piece = random.pick(pieces)
        text += random.below(4) == 0 ? Array(piece.dropLast()) : piece
      }
      #expect(Self.found(in: text) == Self.expected(in: text))
    }
  }

  @Test("A mark after a digit is found after nothing else")
  func neighbour() {
    let search = MarkSearch([MarkSearch.Mark(": Fatal", after: .digit)])
    let view = ByteView(Array("x: Fatal 1: Fatal : Fatal".utf8))
    #expect(search.next(in: view.bytes, from: 0)?.start == 10)
    #expect(search.next(in: view.bytes, from: 12) == nil)
  }
}
