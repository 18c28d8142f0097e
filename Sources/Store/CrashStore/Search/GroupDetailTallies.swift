internal import Database
internal import TriageModel

/// Versions and installations of the matching reports, for the groups of one page.
struct GroupDetailTallies {
  /// For each group, its index on the page plus 1; 0 for other groups.
  private var indexes: [Int]
  /// For each index, the number of reports of each release.
  private var releases: [[Int]]
  private var installs = InstallCounter()
  /// Number of installations by index, once all reports are added.
  private var installCounts: [Int] = []

  let fields: [SearchField] = [.release, .install]

  init(groups: [Int]) {
    indexes = [Int](repeating: 0, count: (groups.max() ?? 0) + 1)
    for (index, group) in groups.enumerated() { indexes[group] = index + 1 }
    releases = [[Int]](repeating: [], count: groups.count + 1)
  }

  mutating func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
    let groups = chunk[.group]
    let releases = chunk[.release]
    let installs = chunk[.install]
    for position in positions where groups[position] < indexes.count {
      let index = indexes[groups[position]]
      guard index > 0 else { continue }
      let release = releases[position]
      if release >= self.releases[index].count {
        let more = release + 1 - self.releases[index].count
        self.releases[index] += repeatElement(0, count: more)
      }
      self.releases[index][release] += 1
      if installs[position] != 0 { self.installs.add(installs[position], of: index) }
    }
  }

  /// Finishes counting.
  mutating func finish() { installCounts = installs.finish() }

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
    let installs = index < installCounts.count ? installCounts[index] : 0
    return (CrashStore.Groups.ordered(versions), installs > 0 ? installs : nil)
  }
}
