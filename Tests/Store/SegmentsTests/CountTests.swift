import Segments
import TestSupport
import Testing

/// What is counted in several segments.
@Suite struct CountTests {
  func segments(seed: UInt64) throws -> [Segment] {
    try [0, 1, 900, 5000, 9000].enumerated().map { index, count in
      try Segment(opening: Rows(count: count, seed: seed * 10 + UInt64(index)).file())
    }
  }

  @Test("Installations of origins are counted once", arguments: 0..<UInt64(4))
  func installs(seed: UInt64) throws {
    let origins = Set((1...500).filter { $0 % 5 > 0 })
    var counter = SegmentInstalls(of: origins)
    var installs: [Int: Set<Int>] = [:]
    for segment in try segments(seed: seed) {
      let found = try segment.rows(
        matching: [SegmentCondition([.range(Rows.few, 20...180)])])
      try counter.add(segment, rows: found)
      for (origin, install) in zip(
        try segment.values(of: .origin, at: found), try segment.values(of: .install, at: found))
      where install != 0 {
        installs[origin, default: []].insert(install)
      }
    }
    var others: [Int: [Int]] = [:]
    for origin in origins where origin % 3 == 0 {
      others[origin] = [0, 7, 7, -8] + (installs[origin] ?? []).prefix(2)
    }
    let counts = counter.counts(with: others)
    #expect(Set(counts.keys) == origins)
    for origin in origins {
      let all = (installs[origin] ?? []).union(others[origin] ?? []).subtracting([0])
      #expect(counts[origin] == all.count)
    }
  }
}
