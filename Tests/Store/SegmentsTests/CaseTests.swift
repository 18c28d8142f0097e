import Segments
import TestSupport
import Testing

/// Cases of several segments, and counts of values and releases, compared with a look at each row.
@Suite struct CaseTests {
  /// A row of a segment or of none, by the order in which it was added.
  private struct Place: Hashable {
    var segment: Int
    var row: Int
  }

  private static func value(_ row: [Int], _ column: SegmentColumn) -> Int {
    Rows.value(row, column)
  }

  /// The last row of each installation, origin, release and day.
  private static func cases(_ rows: [(place: Place, row: [Int])]) -> Set<Place> {
    var last: [[Int]: (place: Place, rank: (Int, Int))] = [:]
    var cases: Set<Place> = []
    for (place, row) in rows {
      guard value(row, .install) != 0 else {
        cases.insert(place)
        continue
      }
      let day = Int((Double(value(row, .time)) / Double(Rows.day)).rounded(.down))
      let key = [value(row, .origin), value(row, .release), value(row, .install), day]
      let rank = (value(row, .time), value(row, .report))
      if let known = last[key], known.rank > rank { continue }
      last[key] = (place, rank)
    }
    return cases.union(last.values.map(\.place))
  }

  @Test(
    "Cases are those of a look at each row", arguments: 0..<UInt64(TestSize.of(small: 6, all: 30)))
  func cases(seed: UInt64) throws {
    var random = SplitMix(seed: 70 + seed)
    let size = TestSize.of(small: 1, all: 5)
    let installs = random.pick([1, 30, 5_000, 1 << 40])
    let steps = random.pick([1, Rows.day / 3, Rows.day * 40])
    let start = random.pick([-Rows.day * 20, 0, 20_000 * Rows.day - 5])
    let releases = random.pick([1, 6])
    var report = 0
    func rows(_ count: Int) -> [[Int]] {
      Rows(count: count, seed: random.next()).rows.map { row in
        var row = row
        func set(_ column: SegmentColumn, _ value: Int) {
          if let index = Rows.index(of: column) { row[index] = value }
        }
        report += 1
        set(.report, report)
        set(.release, random.below(releases))
        set(.time, start + random.below(3) * steps + random.below(4))
        let install = random.below(installs) + 1
        set(.install, random.below(6) == 0 ? 0 : install * (random.below(2) * 2 - 1))
        return row
      }
    }
    var cases = SegmentCases()
    var all: [(place: Place, row: [Int])] = []
    for (index, count) in [900, 0, 1, 5_000 * size, 70].enumerated() {
      let segment = try Segment(opening: Rows(rows(count)).file())
      var live = RowSet(rowCount: count)
      for row in 0..<count where random.below(10) > 0 { live.insert(row) }
      try cases.add(segment, rows: live)
      let read = try segment.allRows()
      all += live.rows.map { (Place(segment: index, row: $0), read[$0]) }
    }
    for (index, row) in rows(random.pick([0, 1, 400, 2_000 * size])).enumerated() {
      cases.add(
        SegmentCases.Row(
          origin: Self.value(row, .origin), release: Self.value(row, .release),
          install: Self.value(row, .install), time: Self.value(row, .time),
          report: Self.value(row, .report)))
      all.append((Place(segment: -1, row: index), row))
    }
    let expected = Self.cases(all)
    for width in [1, 2, nil] {
      let (segments, others) = cases.cases(width: width)
      let found =
        segments.enumerated().flatMap { index, rows in
          rows.rows.map { Place(segment: index, row: $0) }
        } + others.rows.map { Place(segment: -1, row: $0) }
      #expect(found.count == expected.count)
      #expect(Set(found) == expected)
    }
  }

  @Test("Cases of one origin fill a table that grows, on several threads")
  func many() throws {
    let count = TestSize.of(small: 60_000, all: 1 << 20)
    var cases = SegmentCases()
    for part in 0..<3 {
      var writer = SegmentWriter(columns: Rows.columns)
      for number in 0..<count {
        var row = [Int](repeating: 1, count: Rows.columns.count)
        for (column, value) in [
          (SegmentColumn.report, number * 3 + part), (.install, number / 2 + 1),
          (.time, number % 2 * 3), (.origin, part == 1 ? 1 : 1 + number % 2),
        ] {
          row[try #require(Rows.index(of: column))] = value
        }
        writer.append(row.span)
      }
      let segment = try Segment(opening: Rows.joined(writer.finish()))
      try cases.add(segment, rows: RowSet(allOf: count))
    }
    let (segments, _) = cases.cases(width: 3)
    // Of the first origin, the second segment has the later time; of the other, the third the greater report.
    #expect(segments.map(\.count) == [0, count / 2, count / 2])
  }

  @Test("Stretches, marks and releases are those of a look at each row", arguments: 0..<UInt64(6))
  func counts(seed: UInt64) throws {
    let count = TestSize.of(
      small: [1, 64, 4_097, 300, 1_000, 2_000][Int(seed)],
      all: [1, 64, 4_097, 300, 9_000, 20_000][Int(seed)])
    let segment = try Segment(opening: Rows(count: count, seed: 300 + seed).file())
    let rows = try segment.allRows()
    var random = SplitMix(seed: seed)
    var set = RowSet(rowCount: count)
    for row in 0..<count where random.below(3) > 0 { set.insert(row) }
    let names = [
      Rows.few, Rows.byOrigin, Rows.many, Rows.distinct, Rows.always, Rows.far, Rows.small,
      SegmentColumn.release, .stack, .origin, SegmentColumn(rawValue: 60),
    ]
    for one in names {
      let other = random.pick(names)
      var found: [[Int]: Int] = [:]
      var end = 0
      var stretches: [RowStretch] = []
      try segment.forEachStretch(by: one, other, of: set) { stretches.append($0) }
      for stretch in stretches {
        #expect(stretch.rows.lowerBound >= end)
        end = stretch.rows.upperBound
        #expect(stretch.count == stretch.rows.count { set.contains($0) })
        found[[stretch.origin, stretch.first, stretch.second], default: 0] += stretch.count
      }
      let expected = Dictionary(grouping: set.rows) {
        [Rows.value(rows[$0], .origin), Rows.value(rows[$0], one), Rows.value(rows[$0], other)]
      }
      #expect(found == expected.mapValues(\.count))
    }

    let bounds = [0, 5_000, 60_000]
    let columns = names.map { CountedColumn($0) } + [CountedColumn(Rows.uptime, bounds: bounds)]
    let counts = try segment.markedCounts(by: columns, of: set, seed: 3)
    var sets: [UInt64: Set<Int>] = [:]
    for (column, counts) in zip(columns, counts) {
      let values = Dictionary(grouping: set.rows) { row in
        let value = Rows.value(rows[row], column.column)
        return column.bounds.map { $0.count { $0 < value } } ?? value
      }
      #expect(counts.map(\.value) == values.keys.sorted())
      for count in counts {
        let members = Set(values[count.value] ?? [])
        #expect(count.count == members.count)
        #expect(sets.updateValue(members, forKey: count.mark) ?? members == members)
      }
      let classes = Dictionary(
        uniqueKeysWithValues: values.keys.filter { $0 % 2 == 0 }.sorted().enumerated()
          .map { ($1, $0 % 7) })
      let found = try segment.countsByRelease(and: column, in: classes, count: 7, of: set)
      var expected: [[Int]: Int] = [:]
      for (value, members) in values {
        guard let valueClass = classes[value] else { continue }
        for row in members {
          expected[[Rows.value(rows[row], .release), valueClass], default: 0] += 1
        }
      }
      #expect(found.count == expected.count)
      for count in found {
        #expect(count.count == expected[[count.release, count.valueClass]])
      }
    }
    #expect(Set(sets.values).count == sets.count)
  }

  @Test("Installations of sets of stretches are counted with rows that have none")
  func installs() throws {
    var counter = SegmentInstalls(of: [1, 2], countsNameless: true)
    var expected: [Int: (installs: Set<Int>, nameless: Int)] = [:]
    for (index, count) in [700, 5_000].enumerated() {
      let segment = try Segment(opening: Rows(count: count, seed: UInt64(index) + 40).file())
      func sets(_ origin: Int, _ release: Int, _ few: Int) -> [Int] {
        (origin % 2 == 0 ? [1] : []) + (few > 90 ? [2, 3] : []) + (release > 9 ? [1] : [])
      }
      try counter.add(segment, rows: RowSet(allOf: count), by: .release, Rows.few) {
        sets($0.origin, $0.first, $0.second)
      }
      for row in try segment.allRows() {
        let install = Rows.value(row, .install)
        for set in sets(
          Rows.value(row, .origin), Rows.value(row, .release), Rows.value(row, Rows.few))
        {
          if install == 0 {
            expected[set, default: ([], 0)].nameless += 1
          } else {
            expected[set, default: ([], 0)].installs.insert(install)
          }
        }
      }
    }
    let counts = counter.counts(with: [1: [0, 0, 1 << 50]])
    let (one, two) = try (#require(expected[1]), #require(expected[2]))
    #expect(
      counts == [1: one.installs.count + one.nameless + 3, 2: two.installs.count + two.nameless])
  }
}
