import Bytes
import Segments
import TestSupport
import Testing

@Suite struct MergeTests {
  @Test(
    "A merge has the rows of its sources that were not deleted, in their order",
    arguments: 0..<UInt64(8))
  func merge(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var sources: [SegmentMerge.Source] = []
    var kept: [[Int]] = []
    for index in 0..<random.below(6) {
      let rows = Rows(count: random.pick([0, 1, 700, 4096, 6000]), seed: seed * 7 + UInt64(index))
      let segment = try Segment(opening: rows.file())
      var deleted = RowSet(rowCount: segment.rowCount)
      for row in 0..<segment.rowCount where random.below(4) == 0 { deleted.insert(row) }
      let isWhole = random.below(3) == 0
      sources.append(SegmentMerge.Source(segment, except: isWhole ? nil : deleted))
      for (row, values) in try segment.allRows().enumerated()
      where isWhole || !deleted.contains(row) {
        kept.append(values)
      }
    }
    let most = random.pick([1000, 5000, SegmentWriter.mostRows])
    var merged: [[Int]] = []
    var counts: [Int] = []
    var first: ByteView?
    try SegmentMerge(sources, columns: Rows.columns, mostRows: most).run { parts in
      let file = Rows.joined(parts)
      first = first ?? file
      let segment = try Segment(opening: file)
      try segment.verify()
      counts.append(segment.rowCount)
      merged += try segment.allRows()
    }
    #expect(counts.dropLast().allSatisfy { $0 == most })
    #expect(counts.allSatisfy { (1...most).contains($0) })
    #expect(merged.map(Rows.key) == Rows.sorted(kept.map(Rows.key)))
    #expect(Rows.sorted(merged) == Rows.sorted(kept))
    // One result is what a writer makes of the rows in their order.
    if counts.count == 1 { #expect(first?.array == Rows(merged).file().array) }
  }

  @Test("A column that a source lacks is 0")
  func newColumn() throws {
    let segment = try Segment(opening: Rows(count: 50, seed: 2).file())
    let added = SegmentColumn(rawValue: 61)
    let columns = Rows.columns.dropLast() + [SegmentColumnDeclaration(added, .code)]
    var results = 0
    try SegmentMerge([.init(segment)], columns: Array(columns)).run { parts in
      results += 1
      let merged = try Segment(opening: Rows.joined(parts))
      let all = RowSet(allOf: 50)
      #expect(merged.columns.map(\.column).contains(added))
      #expect(!merged.columns.map(\.column).contains(Rows.extreme))
      #expect(try merged.values(of: added, at: all).allSatisfy { $0 == 0 })
      #expect(
        try merged.values(of: .report, at: all) == segment.values(of: .report, at: all))
    }
    #expect(results == 1)
  }

  @Test("Damage of a source ends a merge")
  func damage() throws {
    let file = Rows(count: 5000, seed: 3).file()
    var bytes = file.array
    bytes[bytes.count - 100] ^= 1
    let segment = try Segment(opening: ByteView(bytes))
    #expect(throws: ParseError.self) {
      try SegmentMerge([.init(segment)], columns: Rows.columns).run { _ in }
    }
  }
}
