import Bytes
import Testing

@testable import DebugInfo

@Suite struct PDBTests {
  private func lineRanges(_ bytes: [UInt8]) -> [[UInt32]] {
    var table = Table<InlineAnnotations.LineRange>()
    _ = InlineAnnotations.read(ByteView(bytes), file: 8, line: 100, into: &table)
    return (0..<table.count).map {
      [table[$0].start, table[$0].end, table[$0].file, table[$0].line]
    }
  }

  // As llvm-pdbutil-14 prints them: `0B49 code 0x9 line 2`, `0C0A0A code 0x1c code end 0x26`.
  @Test("A step of lines and code, and one with a length")
  func steps() {
    #expect(
      lineRanges([0x03, 0x80, 0x98, 0x0b, 0x49, 0x0b, 0x45, 0x06, 0x06, 0x0c, 0x0a, 0x0a, 0]) == [
        [0x98, 0xa1, 8, 100], [0xa1, 0xa6, 8, 102], [0xa6, 0xb0, 8, 104], [0xb0, 0xba, 8, 107],
      ])
  }

  @Test("A length alone advances in the code, a length with an offset does not")
  func lengths() {
    #expect(
      lineRanges([0x03, 0x10, 0x04, 0x08, 0x03, 0x04, 0x04, 0x02]) == [
        [0x10, 0x18, 8, 100], [0x1c, 0x1e, 8, 100],
      ])
    #expect(
      lineRanges([0x0c, 0x08, 0x10, 0x06, 0x08, 0x0c, 0x02, 0x0c]) == [
        [0x10, 0x18, 8, 100], [0x1c, 0x1e, 8, 104],
      ])
  }

  @Test("Files, lines before the first, and ranges of one line that meet")
  func places() {
    #expect(
      lineRanges([0x05, 0x18, 0x06, 0x07, 0x03, 0x01, 0x03, 0x02, 0x04, 0x03]) == [
        [1, 6, 0x18, 97]
      ])
  }

  @Test("Offsets out of range, truncated ones and unknown steps end the program")
  func damage() {
    let large: [UInt8] = [0x03, 0xdf, 0xff, 0xff, 0xff]
    #expect(lineRanges(large + [0x04, 0x01]) == [[0x1fff_ffff, 0x2000_0000, 8, 100]])
    let nine = (0..<9).flatMap { _ in large }
    #expect(lineRanges(nine + [0x04, 0x01]).count < 9)
    #expect(lineRanges([0x03, 0x80]).isEmpty)
    #expect(lineRanges([0x03, 0x01, 0xff]).isEmpty)
    #expect(lineRanges([0x03, 0x01, 0x04, 0x02, 0x0e, 0x01, 0x03, 0x01]) == [[1, 3, 8, 100]])
  }

  @Test("Of overlapping lines, the ones added last count")
  func layers() {
    var layers = LineOverlay()
    func location(_ line: UInt32) -> ModuleLines.Location {
      ModuleLines.Location(file: 1, line: line)
    }
    layers.add(from: 0, to: 10, location: location(1))
    layers.add(from: 10, to: 20, location: location(2))
    layers.add(from: 30, to: 40, location: location(3))
    layers.add(from: 5, to: 15, location: location(4))
    layers.add(from: 7, to: 12, location: location(5))
    layers.add(from: 6, to: 8, location: location(6))
    var found: [[UInt32]] = []
    layers.flatten { found.append([$0, $1, $2.line]) }
    #expect(
      found == [
        [0, 5, 1], [5, 6, 4], [6, 7, 6], [7, 8, 6], [8, 10, 5], [10, 12, 5], [12, 15, 4],
        [15, 20, 2], [30, 40, 3],
      ])
  }
}
