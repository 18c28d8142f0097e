internal import Database

/// The parts of a client's batch that are only counted, decided before anything is written.
struct ClientPlan: Sendable {
  /// For each report of the batch, which reports of its submission are only counted; empty where
  /// all are stored.
  private var counted: [[Bool]] = []
  /// Client ids of reports of which nothing is stored, including attachments.
  private(set) var unneeded: Set<String> = []

  /// A plan that stores everything.
  init() {}

  init(of batch: ClientBatch, _ rules: SplitRules, in database: borrowing Connection) throws {
    guard let app = try AppsTable.find(batch.app, in: database)?.row else { return }
    let records = ClientRecords(app: app, batch)
    var limit = DailyLimit(rules)
    for report in batch.reports {
      // Another report with the same id is not stored, whatever its content.
      if let id = report.id, try records.report(id, in: database) != nil {
        counted.append([])
        continue
      }
      let isCounted = try limit.counted(
        of: report.submission, hasAttachments: batch.hasAttachments(report), in: database)
      counted.append(isCounted)
      if let id = report.id, report.submission.isOnlyCounted(isCounted) { unneeded.insert(id) }
    }
    let inBatch = Set(batch.reports.compactMap(\.id))
    for id in Set(batch.attachments.map(\.report)).subtracting(inBatch) {
      guard let known = try records.report(id, in: database),
        try CrashStore.Reports.status(known, app: app, in: database) == .past
      else { continue }
      unneeded.insert(id)
    }
  }

  /// Returns which reports of a submission of the batch are only counted.
  func counted(_ index: Int) -> [Bool] { index < counted.count ? counted[index] : [] }

  /// The contents to be written.
  func contents(of batch: ClientBatch) -> [Content] {
    batch.reports.enumerated().flatMap { $1.submission.contents(without: counted($0)) }
      + batch.attachments.filter { !unneeded.contains($0.report) }.map(\.file.content)
  }
}

extension ClientBatch {
  /// Whether the batch has files for a report.
  func hasAttachments(_ report: Report) -> Bool {
    guard let id = report.id else { return false }
    return attachments.contains { $0.report == id }
  }
}
