internal import Batches
internal import Bytes
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
  /// The reports of each class.
  private(set) var runs: [ReportRun]
  /// The record of the class whose exemplar is ``exemplar``.
  private(set) var exemplarPlace: RecordPlace
  /// The grouping keys of the reports, and the others by which they may be read.
  private(set) var keys: Set<String>
  private(set) var alternativeKeys: Set<String>

  /// - Parameters:
  ///   - place: Where the record is.
  ///   - totals: Those of all reports of the class.
  init(_ record: ClassFact, at place: RecordPlace, _ totals: ClassTotals) {
    exemplar = record.exemplar
    // It is read again when it is printed.
    exemplar.document = .bytes(.empty)
    exemplarPlace = place
    reason = record.reason
    runs = [totals.run]
    keys = [record.key]
    alternativeKeys = Set(record.readings)
    let title = record.title
    summary = GroupSummary(
      id: "", app: record.app,
      signature: Signature(
        text: title.text, key: record.key, category: exemplar.category, rules: title.rules,
        isProvisional: title.isProvisional),
      reason: reason.text, kind: exemplar.kind, reports: totals.reports,
      installs: totals.installs, firstSeen: totals.first, lastSeen: totals.last,
      exemplar: exemplar.id)
    summary.versions = totals.versions.map { VersionCount(version: $0.key, reports: $0.value) }
  }

  mutating func join(_ other: GroupContents) {
    if other.names(before: self) {
      summary.signature = other.summary.signature
      isNamed = other.isNamed
    }
    if other.exemplar.precedes(exemplar) {
      exemplar = other.exemplar
      exemplarPlace = other.exemplarPlace
    }
    summary.exemplar = exemplar.id
    summary.kind = exemplar.kind
    summary.signature.category = exemplar.category
    if other.reason.precedes(reason) { reason = other.reason }
    summary.reason = reason.text
    runs += other.runs
    summary.reports += other.summary.reports
    keys.formUnion(other.keys)
    alternativeKeys.formUnion(other.alternativeKeys)
    if let installs = other.summary.installs {
      summary.installs = (summary.installs ?? 0) + installs
    }
    summary.firstSeen = [summary.firstSeen, other.summary.firstSeen].compactMap(\.self).min()
    summary.lastSeen = [summary.lastSeen, other.summary.lastSeen].compactMap(\.self).max()
    for count in other.summary.versions { add(count) }
  }

  /// Brings the versions in their order, when all reports are there, and counts installations once that are in several
  /// classes.
  mutating func finish(in part: BatchPart) throws(BatchError) {
    summary.versions.sort { left, right in
      let order = VersionOrder.compare(left.version, right.version)
      return order == 0 ? left.version < right.version : order < 0
    }
    guard runs.count > 1, summary.installs != nil else { return }
    var installs: Set<UInt128> = []
    for run in runs {
      var reader = ReportRun.Reader(run, of: part)
      while let report = try reader.next() {
        if let install = report.install { installs.insert(ReportDigest.number(of: install)) }
      }
    }
    summary.installs = installs.count
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

/// The totals of the reports of a class.
struct ClassTotals {
  private(set) var run: ReportRun
  private(set) var reports = 0
  private(set) var first: Timestamp?
  private(set) var last: Timestamp?
  private(set) var versions: [String: Int] = [:]
  private var ids: Set<UInt128> = []
  private var installIDs: Set<UInt128> = []

  init(start: RecordPlace) { run = ReportRun(start: start) }

  /// The number of installations; `nil` if no report names one.
  var installs: Int? { installIDs.isEmpty ? nil : installIDs.count }

  /// - Returns: Whether the report counts: it was not added as that of an earlier file.
  mutating func add(_ report: ReportFact) -> Bool {
    run.count += 1
    guard ids.insert(ReportDigest.number(ofID: report.id)).inserted else {
      run.hasRepeats = true
      return false
    }
    reports += 1
    versions[report.version, default: 0] += 1
    if let install = report.install { installIDs.insert(ReportDigest.number(of: install)) }
    if let time = report.time {
      first = first.map { min($0, time) } ?? time
      last = last.map { max($0, time) } ?? time
    }
    return true
  }
}
