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
    for (line, amount) in lines {
      try database.insert(
        into: "ledger",
        [
          "app": line.app, "day": line.day, "what": line.entry.rawValue, "reason": line.reason,
          "count": amount.count, "bytes": amount.bytes,
        ],
        onConflict: """
          ON CONFLICT (app, day, what, reason) DO UPDATE SET count = ledger.count + excluded.count,
            bytes = ledger.bytes + excluded.bytes
          """)
    }
  }
}
