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

  @Test("A mark after a byte is found after each such byte, and at the start of a text after none")
  func everyNeighbour() {
    let digit = MarkSearch([MarkSearch.Mark(": Fatal", after: .digit)])
    let anything = MarkSearch([MarkSearch.Mark(": Fatal")])
    for byte in UInt8.min...UInt8.max {
      let view = ByteView([byte] + Array(": Fatal".utf8))
      #expect((digit.next(in: view.bytes, from: 0) != nil) == (48...57).contains(byte))
      #expect(anything.next(in: view.bytes, from: 0)?.start == 1)
    }
    let view = ByteView(Array(": Fatal".utf8))
    #expect(digit.next(in: view.bytes, from: 0) == nil)
    #expect(anything.next(in: view.bytes, from: 0)?.start == 0)
  }

  /// Words before a colon, with what decides whether they are a type.
  private static let words = [
    "Error", "shop.Error", "shop.error", "Shop.Till", "a.B", "INFO", "x", "10", "page=4", "Até",
    "_x", "Error [E_1]", "sshd[12]", "Foo (0x80004005)", "Foo`1", "Rejection", "fault", "a+b",
    "Foo.", ".Foo", "]", ")", "(", "[", "Foo_Bar", "T.", "\u{FE}abc", "Fault",
  ]

  @Test("After a type, a mark is found where a type may end, and after few other words")
  func types() {
    let search = MarkSearch([MarkSearch.Mark(": ", after: .type)])
    var random = SplitMix(seed: 11)
    var (found, possible) = (0, 0)
    for _ in 0..<20_000 {
      let before = random.pick(["", " ", "\n", "[", "|", ">", ":", "\"", "'", "=", "(", "-", "x"])
      let word = random.pick(Self.words) + random.pick(["", "", "", random.pick(Self.words)])
      let bytes = Array((random.pick(["", "at"]) + before + word + ": done").utf8)
      let view = ByteView(bytes)
      let mark = bytes.count - 6
      let isFound = search.next(in: view.bytes, from: 0)?.start == mark
      let isPossible = ExceptionLine.isPossible(view.bytes, mark)
      #expect(isFound || !isPossible, "\(String(decoding: bytes, as: UTF8.self))")
      found += isFound ? 1 : 0
      possible += isPossible ? 1 : 0
    }
    #expect(possible > 2_000)
    #expect(found < possible * 3 / 2, "\(found) found, \(possible) possible")
  }

  @Test(
    "The number of a process is not a code after a type",
    arguments: [
      ("sshd[4711]: ", false), ("Tern[4711]: ", false), ("Error [4711]: ", true),
      ("Error[E_1]: ", true), ("Shop.Error (111): ", true),
    ])
  func processNumber(line: String, isPossible: Bool) {
    let view = ByteView(line.utf8)
    #expect(ExceptionLine.isPossible(view.bytes, view.count - 2) == isPossible)
  }

  @Test("The written groups of the marks of all formats are those that the search computes")
  func writtenGroups() {
    let marks = HeadlineTable.marks(of: FormatRegistry.builtIn.headlines.entries)
    let numbers = MarkSearch.groups(of: marks).numbers
    #expect(
      HeadlineTable.builtInGroups == numbers,
      """
      Write these into HeadlineTable+Groups.swift:
      \(numbers.map { "0x" + String($0, radix: 16) }.joined(separator: ", "))
      """)
  }

  @Test("Groups that do not cover all marks are not used")
  func foreignGroups() {
    let foreign = MarkSearch.groups(of: [MarkSearch.Mark("panic: "), MarkSearch.Mark("#0  0x")])
    let search = MarkSearch(Self.marks.map { MarkSearch.Mark($0) }, groups: foreign)
    let view = ByteView(Array("no ERROR: here, no ***".utf8))
    #expect(search.next(in: view.bytes, from: 0)?.start == 3)
  }
}
