internal import Database
internal import Segments
internal import TriageModel

/// Versions and installations of the matching reports, for the groups of one page.
struct GroupDetailTallies {
  /// For each group, its index on the page plus 1; 0 for other groups.
  private var indexes: [Int]
  /// For each index, the number of reports of each release.
  private var releases: [[Int]]
  /// Installations of reports in segments, and by group those of others.
  private var segmentInstalls: SegmentInstalls
  private var otherInstalls: [Int: [Int]] = [:]
  private let groups: Set<Int>
  /// Number of installations by group, once all reports are added.
  private var installCounts: [Int: Int] = [:]

  let fields: [SearchField] = [.release, .install]

  init(groups: [Int]) {
    indexes = [Int](repeating: 0, count: (groups.max() ?? 0) + 1)
    for (index, group) in groups.enumerated() { indexes[group] = index + 1 }
    releases = [[Int]](repeating: [], count: groups.count + 1)
    self.groups = Set(groups)
    segmentInstalls = SegmentInstalls(of: self.groups)
  }

  /// Adds rows of a segment.
  ///
  /// - Throws: `ParseError` where the file is damaged.
  mutating func add(_ rows: RowSet, of part: SearchSegments.Part) throws {
    let counts = try part.segment.countsByOrigin(and: .release, of: rows, in: groups)
    try segmentInstalls.add(part.segment, rows: rows)
    for count in counts { add(count.count, ofRelease: count.value, at: indexes[count.origin]) }
  }

  private mutating func add(_ count: Int, ofRelease release: Int, at index: Int) {
    if release >= releases[index].count {
      releases[index] += repeatElement(0, count: release + 1 - releases[index].count)
    }
    releases[index][release] += count
  }

  mutating func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
    let groups = chunk[.group]
    let releases = chunk[.release]
    let installs = chunk[.install]
    for position in positions where groups[position] < indexes.count {
      let index = indexes[groups[position]]
      guard index > 0 else { continue }
      add(1, ofRelease: releases[position], at: index)
      if installs[position] != 0 {
        otherInstalls[groups[position], default: []].append(installs[position])
      }
    }
  }

  /// Finishes counting.
  mutating func finish() { installCounts = segmentInstalls.counts(with: otherInstalls) }

  /// The versions of a group in order, and the number of installations; `nil` when no report names one.
  func result(
    of group: Int, in database: borrowing Connection
  ) throws -> (versions: [VersionCount], installs: Int?) {
    let index = indexes[group]
    var versions: [VersionCount] = []
    for (release, count) in releases[index].enumerated() where count > 0 {
      let name = try SearchTerms.text(.release, release, in: database)
      versions.append(VersionCount(version: name, reports: count))
    }
    let installs = installCounts[group] ?? 0
    return (CrashStore.Groups.ordered(versions), installs > 0 ? installs : nil)
  }
}
