internal import CrashModel

/// Groups in memory, by the same rules as in the store.
struct GroupTable {
  private(set) var groups: [Contents] = []
  private var keys: [String: Owner] = [:]

  private struct Owner {
    let group: Int
    /// Whether a report of the group has the key as its own, not only as another reading.
    var isMain: Bool
  }

  struct Contents {
    var summary: GroupSummary
    var exemplar: CrashReport
    var reports: [TriageReport] = []
    var installs: Set<String> = []
  }

  /// Files a report: under its own key, else under one of its other keys, else in a new group.
  mutating func file(_ processed: ProcessedReport, id: String, source: String) {
    let report = processed.report
    guard let signature = report.signature else { return }
    func owner(of key: String) -> Owner? { keys[processed.app + "\u{1f}" + key] }
    // Two reports that agree only when both are read in another way have no group in common.
    let known =
      owner(of: signature.key)
      ?? signature.alternativeKeys.compactMap { owner(of: $0) }.first { $0.isMain }
    let index: Int
    if let known {
      index = known.group
    } else {
      index = groups.count
      groups.append(
        Contents(
          summary: GroupSummary(
            id: "", app: processed.app, signature: signature, kind: report.kind, reports: 0,
            exemplar: id),
          exemplar: report))
    }
    for (position, key) in ([signature.key] + signature.alternativeKeys).enumerated() {
      let name = processed.app + "\u{1f}" + key
      if keys[name] == nil { keys[name] = Owner(group: index, isMain: position == 0) }
      if position == 0, keys[name]?.group == index { keys[name]?.isMain = true }
    }
    groups[index].add(report, id: id, source: source)
  }
}

extension GroupTable.Contents {
  fileprivate mutating func add(_ report: CrashReport, id: String, source: String) {
    summary.reports += 1
    if let install = report.install {
      installs.insert(install)
      summary.installs = installs.count
    }
    if let time = report.time {
      summary.firstSeen = min(summary.firstSeen ?? time, time)
      summary.lastSeen = max(summary.lastSeen ?? time, time)
    }
    summary.reason = summary.reason ?? report.reason.line
    let version = report.app.versionText
    if let index = summary.versions.firstIndex(where: { $0.version == version }) {
      summary.versions[index].reports += 1
    } else {
      summary.versions.append(VersionCount(version: version, reports: 1))
      summary.versions.sort { VersionOrder.precedes($0.version, $1.version) }
    }
    reports.append(
      TriageReport(
        id: id, source: source, format: report.format, time: report.time, version: version,
        os: report.os, signature: report.signature?.text ?? ""))
  }
}
