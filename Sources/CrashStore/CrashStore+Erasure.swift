public import CrashModel
internal import SQLite

extension CrashStore {
  /// Reports that go in one transaction, so that other processes need not wait long.
  private static let erasureBatch = 100

  /// Takes away everything that is known to come from a user or an installation: reports with their
  /// attachments and what they were made of, sessions, events, and what waits for a report.
  ///
  /// Groups keep their ids, keys and counts. The same bytes stay away when they come again. Killed at
  /// any instant and done again, the end is the same; contents go with ``sweep(grace:isDry:)``.
  ///
  /// - Parameters:
  ///   - end: What came in later stays.
  ///   - hasSessions: Whether sessions go that no report is of; when they came is not kept.
  ///   - isDry: Whether to count only.
  /// - Throws: `DatabaseError`.
  public func erase(
    _ subject: ErasureSubject, at now: Timestamp, cameUntil end: Timestamp? = nil,
    withSessions hasSessions: Bool = true, isDry: Bool = false
  ) throws -> ErasureCount {
    var count = ErasureCount()
    let reports = try read { try ErasureBook(subject, cameUntil: end).reports(in: $0) }
    var rest = reports[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(Self.erasureBatch))
      rest = rest.dropFirst(batch.count)
      let before = count
      count = try erasing(isDry) { database in
        var count = before
        var book = ErasureBook(subject, cameUntil: end)
        for report in batch { try book.erase(report, &count, at: now, isDry, in: database) }
        try book.finish(in: database, isDry)
        return count
      }
    }
    let before = count
    return try erasing(isDry) { database in
      var count = before
      let book = ErasureBook(subject, cameUntil: end)
      try book.eraseRest(&count, withSessions: hasSessions, isDry, in: database)
      return count
    }
  }

  private func erasing(
    _ isDry: Bool, _ body: (borrowing Connection) throws -> ErasureCount
  ) throws -> ErasureCount {
    isDry ? try read(body) : try write(body)
  }
}
