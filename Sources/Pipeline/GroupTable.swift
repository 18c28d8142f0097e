internal import CrashModel

/// Groups in memory, by the same rules as in the store.
struct GroupTable {
  private(set) var groups: [Contents] = []
  private var keys: [String: Int] = [:]

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
    let names = ([signature.key] + signature.alternativeKeys).map { processed.app + "\u{1f}" + $0 }
    let index: Int
    if let known = names.compactMap({ keys[$0] }).first {
      index = known
    } else {
      index = groups.count
      groups.append(
        Contents(
          summary: GroupSummary(
            id: "", app: processed.app, signature: signature, kind: report.kind, reports: 0,
            exemplar: id),
          exemplar: report))
    }
    for name in names where keys[name] == nil { keys[name] = index }
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
    summary.reason = summary.reason ?? report.reason.summary
    let version = report.app.versionText
    if let index = summary.versions.firstIndex(where: { $0.version == version }) {
      summary.versions[index].reports += 1
    } else {
      summary.versions.append(VersionCount(version: version, reports: 1))
      summary.versions.sort { $0.version.versionOrder < $1.version.versionOrder }
    }
    reports.append(
      TriageReport(
        id: id, source: source, format: report.format, time: report.time, version: version,
        os: report.os, signature: report.signature?.text ?? ""))
  }
}
