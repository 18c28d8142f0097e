import Bytes
import Testing

@Suite struct TableTests {
  @Test("Grows, shrinks, inserts and gives its memory to a view")
  func growth() {
    var table = Table<UInt8>()
    #expect(table.isEmpty && table.last == nil)
    for value in 0..<1_000 { table.append(UInt8(value % 251)) }
    #expect(table.count == 1_000 && table.last == UInt8(999 % 251))
    #expect((0..<1_000).allSatisfy { table[$0] == UInt8($0 % 251) })
    table.truncate(to: 3)
    table.insert(9, at: 1)
    table.resize(to: 6, filling: 7)
    table.append(contentsOf: ByteView([1, 2]).bytes)
    #expect(table.removeLast() == 2)
    #expect(ByteView(taking: table).array == [0, 9, 1, 2, 7, 7, 1])
    #expect(ByteView(taking: Table<UInt8>()).isEmpty)
  }

  @Test("Tables of recycled memory begin with zeros where they should, and keep their contents")
  func recycledMemory() {
    RecycledMemory.begin()
    defer { RecycledMemory.end() }
    for round in 1...2 {
      var first = Table<UInt32>()
      for value in 0..<(1 << 20) { first.append(UInt32(value &* round)) }
      let second = Table<UInt8>(repeating: 0xff, count: round << 21)
      #expect(first[7] == UInt32(7 * round) && second[second.count - 1] == 0xff)
      first.reserve(3 << 20)
      #expect(
        stride(from: 0, to: first.count, by: 1_001).allSatisfy { first[$0] == UInt32($0 &* round) })
    }
    for size in [1 << 21, 3 << 20, 1 << 23, 5 << 22] {
      let zeros = Table<UInt8>(repeating: 0, count: size)
      #expect(stride(from: 0, to: size, by: 509).allSatisfy { zeros[$0] == 0 })
    }
  }

  @Test("Keeps its contents when its memory becomes a large block, which begins with zeros")
  func largeBlocks() {
    let zeros = Table<UInt64>(repeating: 0, count: 1 << 19)
    #expect(zeros.count == 1 << 19)
    #expect((0..<zeros.count).allSatisfy { zeros[$0] == 0 })
    let ones = Table<UInt32>(repeating: 1, count: 1 << 20)
    #expect(ones[0] == 1 && ones[ones.count - 1] == 1)
    var table = Table<UInt8>()
    for value in 0..<(5 << 20) { table.append(UInt8(truncatingIfNeeded: value / 7)) }
    table.reserve(9 << 20)
    table.append(littleEndian: 0x0403_0201 as UInt32)
    let view = ByteView(taking: table)
    #expect(view.count == (5 << 20) + 4)
    #expect(
      stride(from: 0, to: 5 << 20, by: 1_001).allSatisfy {
        view[$0] == UInt8(truncatingIfNeeded: $0 / 7)
      })
    #expect(view.clamped((5 << 20)..<view.count).array == [1, 2, 3, 4])
  }

  @Test("Texts: length, equality, and equal hashes for equal bytes", arguments: 0..<40)
  func texts(count: Int) {
    let bytes = (0..<count).map { UInt8($0 + 1) }
    let text = ByteView(bytes + [0, 5])
    let shifted = ByteView([7] + bytes + [0])
    let lengths = [
      text.bytes.textLength(from: 0, limit: 100), text.bytes.textLength(from: 0, limit: 10),
      text.bytes.textLength(from: 100, limit: 10),
    ]
    #expect(lengths == [count, min(count, 10), 0])
    let hash = text.bytes.contentHash(from: 0, count: count)
    let same = shifted.bytes.contentHash(from: 1, count: count)
    #expect(hash == same)
    let matches = [
      text.bytes.matches(from: 0, count: count, in: shifted.bytes, from: 1),
      text.bytes.matches(from: 0, count: count + 2, in: shifted.bytes, from: 1),
      text.bytes.matches(from: 0, count: count, in: shifted.bytes, from: 0),
    ]
    #expect(matches == [true, false, count == 0])
  }
}
