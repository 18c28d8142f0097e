import Segments
import Testing

@Suite struct RowSetTests {
  @Test("A set has rows of its segment only", arguments: [0, 1, 63, 64, 65, 200])
  func sets(count: Int) {
    let all = RowSet(allOf: count)
    #expect(all.count == count && all.rows == Array(0..<count))
    #expect(RowSet(rowCount: count, words: [~0, ~0, ~0, ~0, ~0]) == all)
    #expect(RowSet(rowCount: count, words: []) == RowSet(rowCount: count))
    #expect(RowSet(rowCount: count, words: all.words) == all)
    var odd = RowSet(rowCount: count)
    for row in stride(from: 1, to: count, by: 2) { odd.insert(row) }
    var even = all
    even.subtract(odd)
    #expect(even.rows == Array(stride(from: 0, to: count, by: 2)))
    #expect(!even.contains(1) && even.contains(0) == (count > 0) && !even.contains(count))
    #expect(!even.contains(-1))
    even.formUnion(odd)
    #expect(even == all)
    #expect(all.isEmpty == (count == 0))
  }
}
