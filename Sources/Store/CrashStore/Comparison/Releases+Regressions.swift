internal import Bytes
internal import Database
internal import Glibc
internal import Identifiers
internal import Segments
internal import Statistics
internal import TriageModel

extension CrashStore.Releases {
  /// Returns the groups of an app that are more frequent from some build on.
  ///
  /// Cases are counted among the sessions of the builds or, where no two builds have sessions, among the
  /// cases of groups that other builds have as well.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``ActionError/noSuchRelease(_:app:near:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in four columns of the index of reports and in the sessions of the app.
  public func regressions(of app: String, _ query: RegressionQuery) throws -> AppRegressions {
    try store.read { database in
      let found = try AppsTable.known(app, in: database)
      var result = AppRegressions(app: found.name)
      let releases = try Self.releases(of: found.row, in: database)
      result.newest = releases.last
      if let release = query.release, !releases.contains(where: { $0.isBuild(of: release) }) {
        let near = releases.last { $0.version.hasPrefix(release.version) }
        throw ActionError.noSuchRelease(release.name, app: found.name, near: near?.name)
      }
      let asked = try query.group.map { name in
        let row = try CrashStore.Groups.groupRow(named: name, in: database)
        let owner: RowID<Tables.Apps> = try database.requiredID(
          "SELECT app FROM groups WHERE id = ?1", row)
        guard owner == found.row else { throw StoreError.notFound(name) }
        return row
      }
      let cases = try BuildCases(of: found.row, since: query.since, in: database)
      let test = FirstBadTest(
        groups: cases.sessions == nil ? Array(cases.counts.dropLast()) : cases.counts,
        builds: cases.builds.count, sessions: cases.sessions)
      (result.basis, result.since, result.builds) = (cases.basis, cases.since, cases.builds)
      (result.tested, result.comparisons) = (test.tested, test.comparisons)

      var findings: [(index: Int, finding: FirstBadTest.Finding)] = []
      for index in cases.groups.indices where asked == nil || cases.groups[index] == asked {
        guard let finding = test.finding(ofGroup: index),
          asked != nil || finding.confidence >= query.confidence,
          query.release.map(cases.builds[finding.builds.lowerBound].isBuild(of:)) ?? true
        else { continue }
        findings.append((index, finding))
      }
      if asked == nil, cases.sessions != nil,
        let whole = test.finding(ofGroup: cases.groups.count),
        whole.confidence >= query.confidence
      {
        findings.append((cases.groups.count, whole))
      }
      let installs = try Self.installs(of: findings, cases, in: database)
      findings = findings.filter {
        asked != nil || installs[$0.index] ?? 0 >= FirstBadBuild.leastInstalls
      }
      findings.sort { left, right in
        let (one, other) = (left.finding, right.finding)
        if one.builds.lowerBound != other.builds.lowerBound {
          return one.builds.lowerBound > other.builds.lowerBound
        }
        return (one.logP, left.index) < (other.logP, right.index)
      }
      for (index, finding) in findings where index == cases.groups.count {
        result.whole = try Self.firstBad(
          finding, of: nil, cases, installs: installs[index] ?? 0, in: database)
      }
      findings.removeAll { $0.index == cases.groups.count }
      result.total = findings.count
      result.groups = try findings.prefix(max(query.limit, 0)).map { index, finding in
        try Self.firstBad(
          finding, of: cases.groups[index], cases, installs: installs[index] ?? 0, in: database)
      }
      return result
    }
  }

  /// Returns the distinct installations of the cases of findings, by the indices of their groups.
  private static func installs(
    of findings: [(index: Int, finding: FirstBadTest.Finding)], _ cases: BuildCases,
    in database: borrowing Connection
  ) throws -> [Int: Int] {
    guard !findings.isEmpty else { return [:] }
    var wanted: [Int: (index: Int, codes: Set<UInt64>)] = [:]
    var ofAll: (index: Int, codes: Set<UInt64>)?
    for (index, finding) in findings {
      let codes = (index, Set(cases.codes[finding.builds]))
      if index < cases.groups.count {
        wanted[cases.groups[index].rawValue] = codes
      } else {
        ofAll = codes
      }
    }
    func indices(_ group: Int, _ version: Int, _ build: Int) -> [Int] {
      let release = NumberSet.pair(version, build)
      return [wanted[group], ofAll].compactMap { finding in
        finding.flatMap { $0.codes.contains(release) ? $0.index : nil }
      }
    }
    var installs = SegmentInstalls(of: Set(findings.map(\.index)), countsNameless: true)
    var others: [Int: [Int]] = [:]
    try cases.scan.forEachSegment { part, rows throws(ParseError) in
      try installs.add(
        part.segment, rows: rows, by: SegmentColumn(.version), SegmentColumn(.build)
      ) { indices($0.origin, $0.first, $0.second) }
    }
    try cases.scan.ofChunks([.install, .version, .build], in: database) { chunk, positions in
      let (groups, installs) = (chunk[.group], chunk[.install])
      let (versions, builds) = (chunk[.version], chunk[.build])
      // Report by report, unlike in segments, so no array is made for each.
      for position in positions {
        let release = NumberSet.pair(versions[position], builds[position])
        if let ofAll, ofAll.codes.contains(release) {
          others[ofAll.index, default: []].append(installs[position])
        }
        if let found = wanted[groups[position]], found.codes.contains(release) {
          others[found.index, default: []].append(installs[position])
        }
      }
    }
    return installs.counts(with: others)
  }

  /// - Parameter group: `nil` for all groups of the app.
  private static func firstBad(
    _ finding: FirstBadTest.Finding, of group: RowID<Tables.Groups>?, _ cases: BuildCases,
    installs: Int, in database: borrowing Connection
  ) throws -> FirstBadBuild {
    let release = cases.builds[finding.builds.lowerBound]
    var result = FirstBadBuild(
      group: "", release: release, last: cases.builds[finding.builds.upperBound], isNew: false,
      new: finding.new, former: finding.former, installs: installs,
      pValue: exp(finding.logP).significant(6), confidence: finding.confidence)
    guard let group else { return result }
    let rows = try database.prepare("SELECT title, state FROM groups WHERE id = ?1", [group])
    guard try rows.step() else { throw StoreError.damaged("there is no group in row \(group)") }
    result.group = try GroupsTable.name(of: group, in: database)
    result.title = try rows.text("title")
    result.state = try GroupState(rawValue: rows.text("state")) ?? .open
    result.isNew = try !seen(group, before: release, cases.order, in: database)
    return result
  }

  private static func seen(
    _ group: RowID<Tables.Groups>, before release: Release, _ order: ReleaseOrder,
    in database: borrowing Connection
  ) throws -> Bool {
    let rows = try database.prepare(
      "SELECT version, build FROM group_versions WHERE grp = ?1", [group])
    while try rows.step() {
      let other = try Release(version: rows.text("version"), build: rows.text("build"))
      if !other.isEmpty, order.precedes(other, release) { return true }
    }
    return false
  }
}
