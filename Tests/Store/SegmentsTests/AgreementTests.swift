import Bytes
import Segments
import TestSupport
import Testing

/// Answers of segments, and those found by looking at each row.
@Suite struct AgreementTests {
  static let sizes = [0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 8191, 20_000]

  @Test("Rows are read back in their order", arguments: sizes)
  func rows(count: Int) throws {
    let rows = Rows(count: count, seed: UInt64(count))
    let segment = try Segment(opening: rows.file())
    try segment.verify()
    #expect(segment.rowCount == count)
    #expect(segment.columns.count == Rows.columns.count)
    let read = try segment.allRows()
    #expect(read.map(Rows.key) == Rows.sorted(rows.rows.map(Rows.key)))
    #expect(Rows.sorted(read) == Rows.sorted(rows.rows))
  }

  @Test("Answers are those of a look at each row", arguments: sizes)
  func answers(count: Int) throws {
    for round in 0..<TestSize.of(small: 1, all: 5) {
      let rows = Rows(count: count, seed: UInt64(count * 100 + round))
      let segment = try Segment(opening: rows.file())
      let read = try segment.allRows()
      var questions = Questions(random: SplitMix(seed: UInt64(count + round)), rows: read)
      for _ in 0..<TestSize.of(small: 25, all: 100) {
        var deleted: RowSet?
        if questions.random.below(2) == 0 {
          var some = RowSet(rowCount: count)
          for row in 0..<count where questions.random.below(5) == 0 { some.insert(row) }
          deleted = some
        }
        let conditions = questions.conditions()
        let found = try segment.rows(matching: conditions, except: deleted)
        let wanted = (0..<count).filter { row in
          deleted?.contains(row) != true && Questions.holds(conditions, for: read[row])
        }
        try #require(found.rows == wanted, "\(conditions)")
        #expect(found.count == wanted.count)
        try compare(segment, found, wanted.map { read[$0] }, &questions.random)
      }
    }
  }

  func compare(
    _ segment: Segment, _ found: RowSet, _ rows: [[Int]], _ random: inout SplitMix
  ) throws {
    let origins = Dictionary(grouping: rows) { Rows.value($0, .origin) }
    let wanted = origins.keys.sorted().map { origin in
      let times = origins[origin, default: []].map { Rows.value($0, .time) }
      return OriginCount(
        origin: origin, count: times.count, first: times.min() ?? 0, last: times.max() ?? 0)
    }
    try #require(try segment.countsByOrigin(of: found) == wanted)

    let column = random.pick(Rows.columns).column
    #expect(try segment.counts(by: column, of: found) == Self.counts(rows, column))
    #expect(
      try segment.values(of: column, at: found) == rows.map { Rows.value($0, column) })
    let chosen = random.below(2) == 0 ? nil : Set(origins.keys.filter { $0 % 3 == 0 })
    let pairs = origins.keys.sorted().filter { chosen?.contains($0) ?? true }
      .flatMap { origin in
        Self.counts(origins[origin, default: []], column).map {
          OriginValueCount(origin: origin, value: $0.value, count: $0.count)
        }
      }
    #expect(try segment.countsByOrigin(and: column, of: found, in: chosen) == pairs)

    let numbers = random.pick([SegmentColumn.time, Rows.received, Rows.extreme, Rows.few])
    let counts = try segment.countsByDay(numbers, of: found)
    if numbers != Rows.extreme {
      let days = rows.map {
        [Int((Double(Rows.value($0, numbers)) / Double(Rows.day)).rounded(.down))]
      }
      #expect(counts == Self.counts(days, Rows.columns[0].column))
    } else {
      #expect(counts.reduce(0) { $0 + $1.count } == rows.count)
    }
  }

  /// Counts of the values of a column, in ascending order.
  static func counts(_ rows: [[Int]], _ column: SegmentColumn) -> [ValueCount] {
    Dictionary(grouping: rows) { Rows.value($0, column) }.mapValues(\.count)
      .sorted { $0.key < $1.key }.map { ValueCount(value: $0.key, count: $0.value) }
  }

  @Test("A segment may have 2^20 rows, and a byte, two or four a code")
  func largest() throws {
    var random = SplitMix(seed: 5)
    var writer = SegmentWriter(columns: Rows.columns)
    let count = TestSize.of(small: 1 << 17, all: SegmentWriter.mostRows)
    let sample = Rows(count: 5_000, seed: 9).rows
    let distinct = try #require(Rows.index(of: Rows.distinct))
    let few = try #require(Rows.index(of: Rows.few))
    let many = try #require(Rows.index(of: Rows.many))
    for number in 0..<count {
      var row = random.pick(sample)
      row[distinct] = number * 3
      row[few] = random.below(200)
      row[many] = random.below(5_000)
      writer.append(row.span)
    }
    let segment = try Segment(opening: Rows.joined(writer.finish()))
    try segment.verify()
    #expect(segment.rowCount == count)
    let widths = Dictionary(
      uniqueKeysWithValues: segment.columnSizes.map { ($0.column, $0.size / count) })
    #expect(widths[Rows.distinct] == 8)
    #expect(widths[Rows.many] == 2)
    #expect(widths[Rows.few] == 1)
    #expect(widths[Rows.always] == 0)
    let values = try segment.values(of: Rows.distinct, at: RowSet(allOf: count))
    for check: SegmentCheck in [
      .range(Rows.distinct, 300...600_000),
      .values(Rows.distinct, ValueSet(stride(from: 0, to: 600_000, by: 5))),
      .values(Rows.distinct, ValueSet([30, 33, 36], isInverted: true)),
    ] {
      let found = try segment.rows(matching: [SegmentCondition([check])])
      let wanted = values.indices.filter { row in
        switch check {
        case .range(_, let range): range.contains(values[row])
        case .values(_, let set): set.contains(values[row])
        }
      }
      #expect(found.rows == wanted)
    }
  }
}
