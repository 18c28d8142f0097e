internal import CrashModel
internal import Identifiers
internal import TriageModel

/// The totals of some or all reports of a group, independent of the order in which reports are added, except
/// the order of their list.
struct GroupContents {
  private(set) var summary: GroupSummary
  private(set) var exemplar: CrashReport
  private var coverage: SymbolCoverage
  /// Whether the group is named after the key of ``summary``.
  var isNamed = false
  private var members: [(position: Int, report: TriageReport)]
  private var installs: Set<String> = []
  /// The grouping keys of the reports, and the others by which they may be read.
  private(set) var keys: Set<String>
  private(set) var alternativeKeys: Set<String>
  /// When the report of ``GroupSummary/reason`` crashed; `nil` if it has no time, which counts as later than
  /// all times.
  private var reasonTime: Timestamp?

  /// - Parameter position: The report's index among all.
  init(
    _ processed: ProcessedReport, signature: Signature, id: String, source: String, position: Int
  ) {
    let report = processed.report
    let version = report.app.versionText
    exemplar = report
    coverage = SymbolCoverage(of: report)
    if let install = report.install { installs = [install] }
    reasonTime = report.time
    summary = GroupSummary(
      id: "", app: processed.app, signature: signature, reason: report.reason.line,
      kind: report.kind, reports: 1, installs: report.install == nil ? nil : 1,
      firstSeen: report.time, lastSeen: report.time,
      versions: [VersionCount(version: version, reports: 1)], exemplar: id)
    let member = TriageReport(
      id: id, source: source, format: report.format, time: report.time, version: version,
      os: report.os, signature: signature.text)
    members = [(position, member)]
    keys = [signature.key]
    alternativeKeys = Set(signature.exactAlternativeKeys)
  }

  /// The reports in the order in which they were read.
  var reports: [TriageReport] { members.sorted { $0.position < $1.position }.map(\.report) }

  mutating func join(_ other: GroupContents) {
    let isShown = other.isShown(before: self)
    if other.names(before: self) {
      summary.signature = other.summary.signature
      isNamed = other.isNamed
    }
    if isShown {
      exemplar = other.exemplar
      coverage = other.coverage
      summary.exemplar = other.summary.exemplar
      summary.kind = other.summary.kind
    }
    summary.signature.category = exemplar.signature?.category ?? summary.signature.category
    if other.isReason(before: self) {
      summary.reason = other.summary.reason
      reasonTime = other.reasonTime
    }
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

  private mutating func add(_ count: VersionCount) {
    if let index = summary.versions.firstIndex(where: { $0.version == count.version }) {
      summary.versions[index].reports += count.reports
    } else {
      summary.versions.append(count)
      summary.versions.sort { left, right in
        let order = VersionOrder.compare(left.version, right.version)
        return order == 0 ? left.version < right.version : order < 0
      }
    }
  }

  /// Whether its exemplar is the better one: the one with more known facts; if equal, the one with the
  /// smaller id, which depends on its bytes only.
  private func isShown(before other: GroupContents) -> Bool {
    coverage == other.coverage
      ? summary.exemplar < other.summary.exemplar : coverage > other.coverage
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

  /// Whether its reason is from the later report; for equal times, the larger text.
  private func isReason(before other: GroupContents) -> Bool {
    guard reasonTime != other.reasonTime else {
      return (summary.reason ?? "") > (other.summary.reason ?? "")
    }
    guard let time = reasonTime else { return true }
    return other.reasonTime.map { time > $0 } ?? false
  }
}
