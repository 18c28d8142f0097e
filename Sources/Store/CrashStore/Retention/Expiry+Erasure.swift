internal import Database
public import Identifiers

extension CrashStore.Expiry {
  /// Number of reports deleted in one transaction, so that other processes need not wait long.
  private static let erasureBatch = 100

  /// Deletes everything that is known to come from a user or an installation: reports with their attachments
  /// and submissions, sessions, events, and attachments that wait for a report.
  ///
  /// Groups keep their ids, keys and counts. The same bytes are not stored when they come again. If killed
  /// at any instant and run again, the result is the same; contents are deleted at the end, or by
  /// ``sweep(grace:isDry:)`` where another process may need them.
  ///
  /// - Parameters:
  ///   - span: The times of receipt to erase; a submission is erased or stays as a whole.
  ///   - isDry: Whether to count only.
  /// - Throws: `DatabaseError`.
  public func erase(
    _ subject: ErasureSubject, at now: Timestamp, _ span: ErasureSpan = .everything,
    isDry: Bool = false
  ) throws -> ErasureCount {
    guard !isDry else { return try countErased(subject, span, at: now) }
    var count = try store.write(.global) { database in
      var count = ErasureCount()
      var data = PersonalData(subject, span)
      try data.eraseOrphans(&count, in: database)
      return count
    }
    let reports = try store.read { try PersonalData(subject, span).reports(in: $0) }
    var contents = ErasedContents()
    var rest = reports[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(store.readsAhead ? Self.erasureBatch : 1))
      rest = rest.dropFirst(batch.count)
      let before = count
      contents = try store.read { [contents] database in
        var contents = contents
        try contents.note(batch.map(\.row), in: database, store.contents)
        return contents
      }
      count = try store.write(.global) { database in
        var count = before
        var data = PersonalData(subject, span)
        try data.erase(batch, &count, at: now, in: database)
        try data.finish(in: database)
        return count
      }
    }
    let before = count
    let whole = try store.write(.global) { database in
      var count = before
      var data = PersonalData(subject, span)
      // Reports that another process has stored since are erased in full.
      try data.erase(data.clientReports(in: database), &count, at: now, in: database)
      try data.finish(in: database)
      try data.eraseRest(&count, in: database)
      return count
    }
    try contents.remove(from: store)
    return whole
  }

  private func countErased(
    _ subject: ErasureSubject, _ span: ErasureSpan, at now: Timestamp
  ) throws -> ErasureCount {
    try store.read { database in
      var count = ErasureCount()
      var data = PersonalData(subject, span, isDry: true)
      try data.erase(data.reports(in: database), &count, at: now, in: database)
      try data.eraseRest(&count, in: database)
      return count
    }
  }
}
