internal import Bytes
internal import CrashModel
internal import Crypto
internal import Database
internal import Identifiers
internal import ReportDocument

extension CrashStore.Archive {
  /// Submissions that are imported in one transaction.
  private static let importBatch = 64

  /// Imports the data of another store: submissions with their reports and attachments, groups, the order of
  /// releases, debug files.
  ///
  /// Reports are stored as if they arrived now, under their own keys: the same bytes count once, and groups
  /// merge where they share a key. A group that is here already keeps its state, and gets the notes of the
  /// other; a new one gets the other's state, keys and history. Repeated, or killed and run again, the import
  /// ends the same.
  ///
  /// - Parameters:
  ///   - treatment: Applied to reports before they are imported; `nil` for none.
  ///   - progress: Called after each batch with the numbers of submissions imported and in total.
  /// - Throws: ``StoreError``, `ParseError` for an invalid document; `FileError`, `DatabaseError`. Batches
  ///   imported before stay.
  public func importAll(
    from other: CrashStore, treatment: (any ImportTransform)? = nil,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> ImportCounts {
    var counts = ImportCounts()
    counts.debugFiles = try importDebugFiles(from: other)
    let total = try other.read { try $0.requiredInteger("SELECT count(*) FROM submissions") }
    var importer = Importer(other: other, treatment: treatment)
    var done = 0
    var last = 0
    while true {
      let batch = try importer.submissions(after: last, limit: Self.importBatch)
      guard let end = batch.last else { break }
      last = end.row
      try take(batch, &importer, &counts)
      done += batch.count
      progress(done, total)
    }
    try importReleases(from: other)
    return counts
  }

  private func importDebugFiles(from other: CrashStore) throws -> Int {
    var byDigest: [(digest: String, records: [DebugFileRecord])] = []
    var indices: [String: Int] = [:]
    for record in try other.debugFiles.list() {
      if let index = indices[record.digest] {
        byDigest[index].records.append(record)
      } else {
        indices[record.digest] = byDigest.count
        byDigest.append((record.digest, [record]))
      }
    }
    var count = 0
    for (digest, records) in byDigest {
      let isNew = try store.debugFiles.add(
        other.debugFiles.get(digest, isChecked: true), records: records,
        apps: other.debugFiles.apps(ofDebugFile: digest))
      if isNew.contains(true) { count += 1 }
    }
    return count
  }

  /// Stores a batch, all or none of it.
  private func take(
    _ batch: [ImportedSubmission], _ importer: inout Importer, _ counts: inout ImportCounts
  ) throws {
    var contents: [Content] = []
    for item in batch {
      contents += item.submission.contents + item.submission.attachments.map(\.content)
    }
    try store.contents.write(contents)
    let groups = try importer.groups(of: batch)
    let noted = importer.noted
    let (counted, touched) = try store.act(.apps(Set(batch.map(\.submission.app)))) {
      database, now in
      var counted = ImportCounts()
      var context = ImportContext(
        storing: StoringContext(in: store, now: now), groups: groups, noted: noted)
      for item in batch {
        let receipt = try Self.add(item, &context, in: database)
        counted.submissions += receipt.isDuplicate ? 0 : 1
        counted.duplicates += receipt.isDuplicate ? 1 : 0
        counted.reports += receipt.isDuplicate ? 0 : receipt.reports.count
        counted.groups += receipt.reports.filter(\.isNewGroup).count
      }
      try context.storing.finish(in: database)
      return (counted, context.touched)
    }
    importer.noted.formUnion(touched)
    counts.submissions += counted.submissions
    counts.duplicates += counted.duplicates
    counts.reports += counted.reports
    counts.groups += counted.groups
  }

  private static func add(
    _ item: ImportedSubmission, _ context: inout ImportContext, in database: borrowing Connection
  ) throws -> Receipt {
    let app = try context.storing.facts.app(named: item.submission.app, in: database)
    let table = GroupsTable(app: app.row, author: "mayday")
    let status = try CrashStore.Reports.status(item.submission.digest, app: app.row, in: database)
    if status == .new || status == .unread {
      for (group, report) in zip(item.groups, item.submission.reports) {
        try context.groups[group]?.meet(report, table, in: database)
      }
    }
    var receipt = try CrashStore.Reports.add(item.submission, &context.storing, in: database)
    try CrashStore.Attachments.attach(
      item.submission.files, toSubmission: item.submission.digest, app: app.row,
      context.storing.search,
      in: database, &receipt.attachments)
    for (group, report) in zip(item.groups, item.submission.reports) {
      let rows = try database.prepare(
        "SELECT grp, origin FROM reports WHERE name = ?1", [report.id])
      guard let imported = context.groups[group], try rows.step() else { continue }
      let here: RowID<Tables.Groups> = try rows.id("grp")
      let origin: RowID<Tables.Origins> = try rows.id("origin")
      if receipt.reports.contains(where: { $0.report == report.id && $0.isNewGroup }) {
        // Its counts come first: the decisions about it were made knowing them.
        try context.storing.write(to: database)
        try imported.adopt(into: here, origin: origin, table, in: database)
        context.touched.insert(group)
      } else if !context.noted.contains(group), context.touched.insert(group).inserted {
        try imported.addNotes(to: here, of: app.row, in: database)
      }
    }
    return receipt
  }

  /// Imports the order of an app's releases, where none was given here.
  private func importReleases(from other: CrashStore) throws {
    for app in try other.apps.list() {
      let releases = try other.read { database in
        let rows = try database.prepare(
          """
          SELECT version, build, position, added FROM releases JOIN apps ON apps.id = releases.app
          WHERE apps.name = ?1 AND position IS NOT NULL ORDER BY version, build
          """, [app.name])
        var releases: [(String, String, Int, Int)] = []
        while try rows.step() {
          try releases.append(
            (rows.text("version"), rows.text("build"), rows.int("position"), rows.int("added")))
        }
        return releases
      }
      guard !releases.isEmpty else { continue }
      try store.write(app: app.name) { database in
        let row = try AppsTable.app(named: app.name, in: database).row
        let isOrdered = try database.integer(
          "SELECT 1 FROM releases WHERE app = ?1 AND position IS NOT NULL", row)
        guard isOrdered == nil else { return }
        for (version, build, position, added) in releases {
          try database.insert(
            into: "releases",
            ["app": row, "version": version, "build": build, "position": position, "added": added],
            onConflict:
              "ON CONFLICT (app, version, build) DO UPDATE SET position = excluded.position")
        }
      }
    }
  }
}

/// State shared by the submissions that are imported in one transaction.
private struct ImportContext {
  var storing: StoringContext
  /// Groups of the other store, by their rows.
  let groups: [RowID<Tables.Groups>: ImportedGroup]
  /// Groups of the other store whose notes are already here.
  let noted: Set<RowID<Tables.Groups>>
  /// Groups of the other store whose notes were added in this transaction.
  var touched: Set<RowID<Tables.Groups>> = []
}

/// A submission of another store, ready to be stored here.
private struct ImportedSubmission {
  /// Its row in the other store.
  let row: Int
  let submission: PreparedSubmission
  /// The row in the other store of each report's group.
  let groups: [RowID<Tables.Groups>]
}

/// Reads another store, batch by batch.
private struct Importer {
  let other: CrashStore
  private let treatment: (any ImportTransform)?
  /// Groups of the other store whose notes are already here.
  var noted: Set<RowID<Tables.Groups>> = []
  private var known: [RowID<Tables.Groups>: ImportedGroup] = [:]
  /// Maximum number of groups remembered from batch to batch.
  private static let memory = 5000

  init(other: CrashStore, treatment: (any ImportTransform)?) {
    self.other = other
    self.treatment = treatment
  }

  mutating func groups(
    of batch: [ImportedSubmission]
  ) throws -> [RowID<Tables.Groups>: ImportedGroup] {
    if known.count > Self.memory { known.removeAll() }
    for row in Set(batch.flatMap(\.groups)) where known[row] == nil {
      known[row] = try other.read { try ImportedGroup(row, in: $0) }
    }
    return known
  }

  private struct Row: Sendable {
    let row: Int
    let app: String
    let digest: [UInt8]
    let source: String
    let received: Timestamp
    let problem: String?
    let isAppGiven: Bool
    let reports: [Report]
  }

  private struct Report: Sendable {
    let name: String
    let position: Int
    let group: RowID<Tables.Groups>
    let document: [UInt8]
  }

  func submissions(after last: Int, limit: Int) throws -> [ImportedSubmission] {
    let rows = try other.read { database in
      let rows = try database.prepare(
        """
        SELECT submissions.id, apps.name, digest, source, received, problem, app_given
        FROM submissions JOIN apps ON apps.id = submissions.app
        WHERE submissions.id > ?1 ORDER BY submissions.id LIMIT ?2
        """, [last, limit])
      var found: [Row] = []
      while try rows.step() {
        try found.append(
          Row(
            row: rows.int("id"), app: rows.text("name"), digest: rows.blob("digest"),
            source: rows.text("source"),
            received: rows.timestamp("received"), problem: rows.optionalText("problem"),
            isAppGiven: rows.bool("app_given"),
            reports: try Self.reports(of: rows.id("id"), in: database)))
      }
      return found
    }
    return try rows.map { try submission($0) }
  }

  private static func reports(
    of submission: RowID<Tables.Submissions>, in database: borrowing Connection
  ) throws -> [Report] {
    let rows = try database.prepare(
      "SELECT name, position, grp, document FROM reports WHERE submission = ?1 ORDER BY position",
      [submission])
    var reports: [Report] = []
    while try rows.step() {
      try reports.append(
        Report(
          name: rows.text("name"), position: rows.int("position"), group: rows.id("grp"),
          document: rows.blob("document")))
    }
    return reports
  }

  private func submission(_ row: Row) throws -> ImportedSubmission {
    var submission = Submission(
      bytes: try other.contents.read(row.digest), source: row.source,
      received: row.received, app: row.app,
      isAppGiven: row.isAppGiven, problem: row.problem)
    var reports = try row.reports.map { report in
      let document = try other.contents.read(report.document)
      return (
        position: report.position, report: try StoredReport(document: document).report,
        document: document
      )
    }
    let isAsItIs =
      try treatment.map { treatment in
        try !reports.isEmpty
          && reports.allSatisfy { try treatment.isTreated($0.report, of: row.app) }
      } ?? true
    let treatment = isAsItIs ? nil : treatment
    if let treatment {
      submission.bytes = treatment.treat(submission: submission.bytes)
      submission.source = treatment.treat(submission.source)
      // The ids follow from the bytes as they are stored here.
      let digest = SHA256.digest(of: submission.bytes)
      for (index, row) in row.reports.enumerated() {
        let report = try treatment.treat(reports[index].report, id: row.name, in: other)
        let id = ReportID.id(digest: digest, app: submission.app, position: row.position)
        reports[index].report = report
        reports[index].document = ByteView(
          report.document(id: id, received: submission.received))
      }
    }
    var prepared = try PreparedSubmission(
      submission, reports: reports.map { ($0.position, $0.report, $0.document) })
    for file in try attachments(of: row.reports.map(\.name)) {
      let name = file.attachment.name
      let bytes = try other.contents.read(file.digest)
      prepared.attach(
        try PreparedAttachment(
          treatment?.treat(name) ?? name, treatment?.treat(file: bytes) ?? bytes,
          received: file.received))
    }
    return ImportedSubmission(
      row: row.row, submission: prepared, groups: row.reports.map(\.group))
  }

  /// Returns the attachments of any of the reports, each once: they came with the submission.
  private func attachments(
    of reports: [String]
  ) throws -> [StoredFile] {
    var seen: Set<String> = []
    return try reports.flatMap { report in
      try other.read { try CrashStore.Attachments.attachments(of: report, in: $0) }
    }.filter { seen.insert($0.attachment.name).inserted }
  }
}
