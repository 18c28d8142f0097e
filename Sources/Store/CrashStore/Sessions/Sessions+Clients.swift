internal import CrashModel
internal import Crypto
internal import Database
public import Identifiers
internal import JSON

extension CrashStore.Sessions {
  /// Stores everything in a request, or nothing. Stored twice, it counts once.
  ///
  /// A report whose client id is known for the app is a duplicate, whatever its bytes. Attachments
  /// are assigned to their report by its id, whichever comes first.
  ///
  /// - Throws: ``BatchAppChanged`` where the batch has to be made for another app; `FileError` or
  ///   `DatabaseError`, such as on a full disk. Nothing is stored then.
  public func add(_ batch: ClientBatch) throws -> ClientReceipt {
    let plan = try store.read { database in
      try ClientPlan(
        of: batch, SplitRules(reader: StoredReader(contents: store.contents)), in: database)
    }
    do {
      return try add(batch, plan)
    } catch is CountedReportIsNeeded {
      // Its group has changed meanwhile.
      return try add(batch, ClientPlan())
    }
  }

  private func add(_ batch: ClientBatch, _ plan: ClientPlan) throws -> ClientReceipt {
    try store.contents.write(plan.contents(of: batch))
    return try store.act(.apps([batch.app])) { database, now in
      if let secret = batch.secret,
        let app = try AppsTable.keyName(ofSecret: secret, in: database), app != batch.app
      {
        throw BatchAppChanged()
      }
      var context = StoringContext(in: store, now: now, isLimited: true)
      var receipt = ClientReceipt()
      let app = try context.facts.app(named: batch.app, in: database)
      // The app, with its secret, may have been deleted since the batch was made.
      if let secret = batch.secret,
        try AppsTable.keyName(ofSecret: secret, in: database) == nil
      {
        try AppsTable.add(secret, to: app.row, in: database)
      }
      // A request is one transaction: its outcomes were all counted, or none was.
      let isRepeated = batch.progress.map { $0.outcomes > 0 } ?? false
      receipt.wasNew = batch.progress?.isNew ?? false
      let records = ClientRecords(app: app.row, batch)
      for (index, report) in batch.reports.enumerated() {
        var submission = report.submission
        submission.isRepeated = isRepeated
        if let id = report.id, let known = try records.report(id, in: database),
          known != submission.digest
        {
          if !isRepeated {
            context.sheet.receive(
              .duplicate, app: app.name, day: batch.received.day, reason: "same id, other bytes",
              bytes: submission.byteCount)
          }
          receipt.reports.append(
            Receipt(
              submission: SHA256.hex(known), isDuplicate: true,
              reports: try CrashStore.Reports.reports(of: known, app: app.row, in: database)))
          continue
        }
        receipt.reports.append(
          try CrashStore.Reports.add(
            submission, counted: plan.counted(index),
            hasAttachments: batch.hasAttachments(report), &context, in: database))
        try records.note(report, in: database)
        guard let id = report.id else { continue }
        for file in try records.takeOrphans(of: id, in: database) {
          try CrashStore.Attachments.attach(
            [file], toSubmission: report.submission.digest, app: app.row, context.search,
            in: database,
            &receipt.attachments)
        }
      }
      if let leftOut = batch.leftOut, receipt.reports.contains(where: { !$0.isDuplicate }) {
        context.sheet.add(
          .reportsLeftOut, app: app.name, day: batch.received.day, reason: leftOut.reason,
          count: leftOut.count)
      }
      let refused = RefusedAttachments(
        app: app.row, received: batch.received, install: records.install)
      for (report, file) in batch.attachments where !plan.unneeded.contains(report) {
        let file = file.stored(withSubmissionOf: batch.received)
        if let known = try records.report(report, in: database) {
          try CrashStore.Attachments.attach(
            [file], toSubmission: known, app: app.row, context.search, in: database,
            &receipt.attachments)
        } else if let kept = try records.keep(file, for: report, in: database) {
          receipt.count(kept, as: \.orphans)
        } else {
          let left = RefusedAttachment(
            name: file.attachment.name,
            reason: "limit of \(ClientLimits.orphans) attachments that wait for a report reached")
          try refused.note(left, ofClientReport: report, in: database)
          receipt.attachments.leftOut.append(left)
        }
      }
      for (report, file) in batch.refused {
        try refused.note(file, ofClientReport: report, in: database)
      }
      for session in batch.sessions {
        receipt.count(try records.add(session, in: database), as: \.sessions)
      }
      for event in batch.events {
        receipt.count(try records.add(event, in: database), as: \.events)
      }
      for session in Set(batch.events.map(\.session)).sorted() {
        try records.trimEvents(of: session, in: database)
      }
      if var progress = batch.progress {
        (progress.outcomes, progress.isNew) = (1, receipt.isNew)
        try progress.write(to: database)
      }
      try context.finish(in: database)
      return receipt
    }
  }

  /// Events of a report's session before the report, oldest first.
  ///
  /// - Parameter submission: The SHA-256 of the bytes that the report came in.
  static func breadcrumbs(
    of submission: [UInt8], app: String, until time: Timestamp, in database: borrowing Connection
  ) throws -> [Breadcrumb] {
    guard let app = try AppsTable.find(app, in: database) else { return [] }
    // Crash reports may have whole seconds only.
    let rows = try database.prepare(
      """
      SELECT time, name, properties FROM session_events
      WHERE app = ?1 AND time < ?3 AND session IN (
        SELECT session FROM client_reports WHERE app = ?1 AND digest = ?2 AND session != '')
      ORDER BY time, id, name
      """, [app.row, submission, time.microseconds / 1_000_000 * 1_000_000 + 1_000_000])
    var crumbs: [Breadcrumb] = []
    while try rows.step() {
      try crumbs.append(
        Breadcrumb(
          time: rows.timestamp("time"), name: rows.text("name"),
          properties: ClientRecords.properties(rows.text("properties"))))
    }
    return crumbs
  }

  /// Deletes attachments and events that have waited too long for a report, and old sessions.
  ///
  /// - Returns: The numbers of deleted attachments, events and sessions, or of those that would be deleted.
  /// - Throws: `DatabaseError`.
  public func expire(
    at now: Timestamp, isDry: Bool = false
  ) throws -> (orphans: Int, events: Int, sessions: Int) {
    let day = 86_400_000_000
    let short = now.microseconds - ClientLimits.waitingDays * day
    let long = now.microseconds - ClientLimits.sessionDays * day
    let parts: [(table: String, condition: String, value: Int)] = [
      ("orphan_attachments", "received < ?1", short),
      (
        "session_events",
        """
        received < ?1 AND NOT (received >= ?1 - \(ClientLimits.sessionDays - ClientLimits.waitingDays)
          * \(day) AND EXISTS (SELECT 1 FROM client_reports
            WHERE app = session_events.app AND session = session_events.session))
        """, short
      ),
      ("sessions", "day < ?1", Timestamp(microseconds: long).day),
      ("session_counts", "day < ?1", Timestamp(microseconds: long).day),
      ("past_crashes", "time < ?1", long),
      ("refused_attachments", "received < ?1 AND \(RefusedAttachments.isLeft)", short),
    ]
    let counts = try store.write(.global) { database in
      try parts.map { part in
        let count =
          try database.requiredInteger(
            "SELECT count(*) FROM \(part.table) WHERE \(part.condition)", part.value)
        if !isDry, count > 0 {
          try database.run("DELETE FROM \(part.table) WHERE \(part.condition)", part.value)
        }
        return count
      }
    }
    return (counts[0], counts[1], counts[2] + counts[3])
  }
}
