internal import Segments

/// Counts over the matching reports of a group.
struct GroupCounts {
  var reports = 0
  var firstSeen = Int.max
  var lastSeen = Int.min
  var versions = 0
  var installs = 0
  /// The evidence of a rise.
  var change = 0

  /// The primary sort value of groups.
  func first(in order: GroupQuery.Order) -> Int {
    switch order {
    case .reports: reports
    case .lastSeen: lastSeen
    case .firstSeen: firstSeen
    case .versions: versions
    case .installs: installs
    case .change: change
    }
  }

  /// The secondary sort value.
  func second(in order: GroupQuery.Order) -> Int {
    order.columns.second == nil ? 0 : lastSeen
  }
}

/// Counts the matching reports by group.
struct GroupCountsOfQuery {
  private let countsVersions: Bool
  private let countsInstalls: Bool
  private var tallies: [GroupCounts] = []
  private var versions = NumberSet()
  private var installs = InstallCounter()
  /// Groups with a report, by database row.
  private(set) var groups: [Int: GroupCounts] = [:]

  init(countsVersions: Bool, countsInstalls: Bool) {
    self.countsVersions = countsVersions
    self.countsInstalls = countsInstalls
  }

  var fields: [SearchField] {
    [.time] + (countsVersions ? [.release] : []) + (countsInstalls ? [.install] : [])
  }

  mutating func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
    let groups = chunk[.group]
    let times = chunk[.time]
    makeRoom(for: positions.reduce(0) { max($0, groups[$1]) })
    for position in positions {
      let group = groups[position]
      tallies[group].reports += 1
      tallies[group].firstSeen = min(tallies[group].firstSeen, times[position])
      tallies[group].lastSeen = max(tallies[group].lastSeen, times[position])
    }
    if countsVersions {
      let releases = chunk[.release]
      for position in positions
      where versions.insert(NumberSet.pair(groups[position], releases[position])) {
        tallies[groups[position]].versions += 1
      }
    }
    if countsInstalls {
      let installs = chunk[.install]
      for position in positions where installs[position] != 0 {
        self.installs.add(installs[position], of: groups[position])
      }
    }
  }

  private mutating func makeRoom(for group: Int) {
    guard group >= tallies.count else { return }
    tallies.append(
      contentsOf: repeatElement(
        GroupCounts(), count: max(group + 1 - tallies.count, tallies.count)))
  }

  /// Adds rows of a segment.
  mutating func add(_ counts: SegmentCounts) {
    for group in counts.groups where group.origin >= 0 {
      makeRoom(for: group.origin)
      tallies[group.origin].reports += group.count
      tallies[group.origin].firstSeen = min(tallies[group.origin].firstSeen, group.first)
      tallies[group.origin].lastSeen = max(tallies[group.origin].lastSeen, group.last)
    }
    for release in counts.releases
    where versions.insert(NumberSet.pair(release.origin, release.value)) {
      tallies[release.origin].versions += 1
    }
    for (group, install) in zip(counts.installGroups, counts.installs) where install != 0 {
      installs.add(install, of: group)
    }
  }

  mutating func finish() {
    for (group, count) in installs.finish().enumerated() where count > 0 {
      tallies[group].installs = count
    }
    for (group, tally) in tallies.enumerated() where tally.reports > 0 { groups[group] = tally }
  }
}
