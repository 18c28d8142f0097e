internal import Batches
internal import CrashModel
internal import Identifiers
internal import TriageModel

/// The totals of some or all reports of a group.
struct GroupContents {
  private(set) var summary: GroupSummary
  private(set) var exemplar: ClassFact.Exemplar
  /// Whether the group is named after the key of ``summary``.
  var isNamed = false
  private var reason: ClassFact.Reason
  private var members: [ReportFact]
  private var installs: Set<String>
  /// The grouping keys of the reports, and the others by which they may be read.
  private(set) var keys: Set<String>
  private(set) var alternativeKeys: Set<String>

  /// - Parameter reports: All reports of the class.
  init(_ record: ClassFact, reports: ArraySlice<ReportFact>) {
    exemplar = record.exemplar
    reason = record.reason
    members = Array(reports)
    installs = Set(reports.compactMap(\.install))
    keys = [record.key]
    alternativeKeys = Set(record.readings)
    let title = record.title
    let times = reports.compactMap(\.time)
    summary = GroupSummary(
      id: "", app: record.app,
      signature: Signature(
        text: title.text, key: record.key, category: exemplar.category, rules: title.rules,
        isProvisional: title.isProvisional),
      reason: reason.text, kind: exemplar.kind, reports: reports.count,
      installs: installs.isEmpty ? nil : installs.count, firstSeen: times.min(),
      lastSeen: times.max(), exemplar: exemplar.id)
    for report in reports { add(VersionCount(version: report.version, reports: 1)) }
  }

  /// The reports in the order of their files.
  var reports: [TriageReport] {
    members.sorted { ReportFact.orderInFiles($0, $1) < 0 }.map { TriageReport($0) }
  }

  mutating func join(_ other: GroupContents) {
    if other.names(before: self) {
      summary.signature = other.summary.signature
      isNamed = other.isNamed
    }
    if other.exemplar.precedes(exemplar) { exemplar = other.exemplar }
    summary.exemplar = exemplar.id
    summary.kind = exemplar.kind
    summary.signature.category = exemplar.category
    if other.reason.precedes(reason) { reason = other.reason }
    summary.reason = reason.text
    members += other.members
    summary.reports += other.summary.reports
    installs.formUnion(other.installs)
    keys.formUnion(other.keys)
    alternativeKeys.formUnion(other.alternativeKeys)
    summary.installs = installs.isEmpty ? nil : installs.count
    summary.firstSeen = [summary.firstSeen, other.summary.firstSeen].compactMap(\.self).min()
    summary.lastSeen = [summary.lastSeen, other.summary.lastSeen].compactMap(\.self).max()
    for count in other.summary.versions { add(count) }
  }

  /// Brings the versions in their order, when all reports are there.
  mutating func finish() {
    summary.versions.sort { left, right in
      let order = VersionOrder.compare(left.version, right.version)
      return order == 0 ? left.version < right.version : order < 0
    }
  }

  private mutating func add(_ count: VersionCount) {
    if let index = summary.versions.firstIndex(where: { $0.version == count.version }) {
      summary.versions[index].reports += count.reports
    } else {
      summary.versions.append(count)
    }
  }

  /// Whether this signature is the better name: one with a name instead of an offset, and the most exact of
  /// those.
  private func names(before other: GroupContents) -> Bool {
    func rank(_ contents: GroupContents) -> (Int, Int, String) {
      let signature = contents.summary.signature
      return (signature.isProvisional ? 1 : 0, contents.isNamed ? 0 : 1, signature.key)
    }
    let (own, others) = (rank(self), rank(other))
    return own == others
      ? summary.signature.isTitle(before: other.summary.signature) : own < others
  }
}

extension TriageReport {
  fileprivate init(_ record: ReportFact) {
    self.init(
      id: record.id, source: record.path, format: record.format, time: record.time,
      version: record.version, os: record.os, signature: record.title)
  }
}
