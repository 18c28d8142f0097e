internal import Bytes
internal import Database
internal import Identifiers

/// A transaction's additions to the ledger, collected so that each line is written once.
struct LedgerBatch {
  private struct Line: Hashable {
    let app: String
    /// Whole days since 1970.
    let day: Int
    let entry: LedgerEntry
    let reason: String
  }

  private var lines: [Line: (count: Int, bytes: Int)] = [:]

  /// Adds to a count.
  ///
  /// - Parameters:
  ///   - app: The name of the app; empty where none was given.
  ///   - reason: Empty where there is none.
  mutating func add(
    _ entry: LedgerEntry, app: String, day: Int, reason: String = "", count: Int = 1,
    bytes: Int = 0
  ) {
    guard count > 0 else { return }
    Self.add(
      count, bytes,
      to: &lines[Line(app: app, day: day, entry: entry, reason: reason), default: (0, 0)])
  }

  private static func add(_ count: Int, _ bytes: Int, to sum: inout (count: Int, bytes: Int)) {
    sum = (sum.count.addingClamped(count), sum.bytes.addingClamped(bytes))
  }

  /// Counts a submission that arrived, and its outcome.
  mutating func receive(
    _ outcome: LedgerEntry, app: String, day: Int, reason: String = "", count: Int = 1, bytes: Int
  ) {
    add(.received, app: app, day: day, count: count, bytes: bytes)
    add(outcome, app: app, day: day, reason: reason, count: count, bytes: bytes)
  }

  /// Counts a submission that arrived, its reports and their images.
  ///
  /// - Parameters:
  ///   - status: The state of its bytes before.
  ///   - counted: Which of its reports are only counted; empty for none.
  mutating func receive(
    _ submission: PreparedSubmission, _ status: CrashStore.Reports.SubmissionState,
    counted: [Bool], app: String
  ) {
    let day = submission.received.day
    let isOnlyCounted = status == .new && submission.isOnlyCounted(counted)
    if status == .new || !submission.isRepeated {
      receive(
        isOnlyCounted ? .counted : status == .new ? .stored : .duplicate, app: app, day: day,
        reason: isOnlyCounted ? DailyLimit.reason : "", bytes: submission.byteCount)
    }
    guard !CrashStore.Reports.isStored(submission, status) else { return }
    let countedCount = counted.count { $0 }
    add(.reportsStored, app: app, day: day, count: submission.reports.count - countedCount)
    add(.reportsCounted, app: app, day: day, reason: DailyLimit.reason, count: countedCount)
    if let leftOut = submission.leftOut {
      add(.reportsLeftOut, app: app, day: day, reason: leftOut.reason, count: leftOut.count)
    }
    for report in submission.reports {
      let found = report.images.count(where: \.isUsed)
      add(.imagesFound, app: app, day: day, count: found)
      add(.imagesMissing, app: app, day: day, count: report.images.count - found)
    }
  }

  /// Counts refused files, and remembers them. The same bytes, refused for the same reason from the same source,
  /// are a duplicate from the second time on.
  ///
  /// - Parameter app: The app that they were meant for; `nil` where none was given.
  mutating func refuse(
    _ files: [Refusal], app: String?, time: Timestamp, in database: borrowing Connection
  ) throws {
    let app = try app.map { try AppsTable.find($0, in: database)?.name ?? $0 } ?? ""
    for file in files {
      try database.insert(
        into: "refused",
        [
          "app": app, "source": file.source, "reason": file.reason, "digest": file.digest,
          "time": time.microseconds, "bytes": file.byteCount,
        ],
        onConflict: "ON CONFLICT DO NOTHING")
      let isNew = database.changes > 0
      if !isNew, file.isRepeated { continue }
      receive(
        isNew ? .refused : .duplicate, app: app, day: time.day,
        reason: isNew ? file.reason : "refused before", bytes: file.byteCount)
    }
  }

  /// Adds everything to the ledger, inside the transaction of the counted changes.
  func write(to database: borrowing Connection) throws {
    try database.insertMany(
      into: "ledger", columns: ["app", "day", "what", "reason", "count", "bytes"],
      lines.flatMap { line, amount in
        [
          line.app.sqlValue, line.day.sqlValue, line.entry.rawValue.sqlValue,
          line.reason.sqlValue, amount.count.sqlValue, amount.bytes.sqlValue,
        ]
      },
      onConflict: """
        ON CONFLICT (app, day, what, reason) DO UPDATE SET count = ledger.count + excluded.count,
          bytes = ledger.bytes + excluded.bytes
        """)
  }
}
