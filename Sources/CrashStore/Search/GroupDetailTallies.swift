internal import CrashModel
internal import SQLite

/// Versions and installations of the reports that fit, for the groups of one page.
struct GroupDetailTallies {
  private let isWanted: CodeSet
  private var releases: [Int: [Int: Int]] = [:]
  private var installs: [Int: Set<Int>] = [:]

  let fields: [SearchField] = [.release, .install]

  init(groups: [Int]) { isWanted = CodeSet(groups) }

  mutating func add(_ places: [Int], of chunk: SearchChunk) {
    let groups = chunk[.group]
    let releases = chunk[.release]
    let installs = chunk[.install]
    for place in places where isWanted.contains(groups[place]) {
      self.releases[groups[place], default: [:]][releases[place], default: 0] += 1
      if installs[place] != 0 {
        self.installs[groups[place], default: []].insert(installs[place])
      }
    }
  }

  /// The versions of a group in their order, and how many installations it came from.
  func result(
    of group: Int, in database: borrowing Connection
  ) throws -> (versions: [VersionCount], installs: Int?) {
    var versions: [VersionCount] = []
    for (release, count) in releases[group] ?? [:] {
      let name = try SearchTerms.text(.release, release, in: database)
      versions.append(VersionCount(version: name, reports: count))
    }
    return (CrashStore.ordered(versions), installs[group]?.count)
  }
}
