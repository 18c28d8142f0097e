internal import Bytes
internal import Crypto
internal import ServerStore

/// The outcome of a submission.
struct SubmissionOutcome {
  var isNew = false
  var work = Duration.zero
  var ignored: [String: Int] = [:]
  var verdict = SubmissionVerdict()
  /// The number of reports and refused files in it.
  var itemCount = 0
  /// The decompressed bytes in it.
  var bytes = 0
  /// Whether any of its files has a report, or belongs to one.
  var hasReports = false

  /// Adds the result of one of its files.
  mutating func add(_ file: FileResult) {
    if case .refused = file.outcome {} else { hasReports = true }
    isNew = isNew || file.isNew
    work += file.work
    itemCount += file.reportCount + file.refusals.count
    verdict.stored += file.stored.map { .init(app: $0.app, digest: SHA256.hex($0.digest)) }
    for report in file.counted { verdict.count(in: report.group, of: report.app) }
    verdict.refused += file.refusals.map { .init(file: file.source, reason: $0) }
  }

  func finished(_ record: QueuedRecord) -> FinishedRecord {
    FinishedRecord(
      record, isNew: isNew, work: Int(clamping: Int64(work / .microseconds(1))),
      ignored: ignored, verdict: verdict, charge: charge(for: record))
  }

  /// Returns the charge to its sender: the content beyond the one report that was counted.
  private func charge(for record: QueuedRecord) -> IntakeCharge? {
    guard let client = record.record.facts[IntakeFact.client] else { return nil }
    let charge = IntakeCharge(
      client: client, app: record.record.facts[IntakeFact.share] ?? "",
      reports: max(0, itemCount - 1), bytes: max(0, bytes - record.record.body.count))
    return charge.reports > 0 || charge.bytes > 0 ? charge : nil
  }
}
