internal import CrashModel
internal import Database

/// The tables of debug files that reports use or wait for, inside a transaction.
///
/// Every report names a dozen images that thousands of reports named before. Facts about images are never
/// deleted, and so a process remembers what it has noted; only the rows of the report itself are written for
/// each report.
struct WaitingReports {
  private let cache: ImageCache
  private let facts: StoringFacts

  /// - Parameter facts: Those of the transaction.
  init(_ cache: ImageCache, _ facts: StoringFacts) {
    self.cache = cache
    self.facts = facts
  }

  /// Returns how many debug files have ever arrived.
  static func arrivals(in database: borrowing Connection) throws -> Int {
    try database.requiredInteger("SELECT last FROM arrivals")
  }

  /// Notes which debug files a report uses or could use, and marks it for reprocessing where one arrived
  /// after it was symbolicated.
  ///
  /// - Parameters:
  ///   - row: The report's row in the database.
  ///   - app: The app's row in the database.
  ///   - group: The row of the group that the report is in.
  ///   - seen: How many debug files had arrived when the report was symbolicated.
  ///   - rows: Gets the rows of the report itself.
  func note(
    _ report: ReportRow, row: RowID<Tables.Reports>, app: RowID<Tables.Apps>,
    group: RowID<Tables.Groups>, seen: Int, _ rows: inout NewRows,
    in database: borrowing Connection
  ) throws {
    guard !report.images.isEmpty else { return }
    let context = cache.context(
      ImageCache.Build(app: app, version: report.version, build: report.build), report.system)
    for image in report.images {
      let number = try number(of: image.debugID, in: database)
      if image.isWaiting { rows.addWaiting(image, number: number, report: row, group: group) }
      if image.isUsed { rows.addUse(ofImage: number, report: row) }
      try noteFacts(of: image, number, in: context, of: database)
    }
    guard try facts.arrivals(in: database) > seen else { return }
    for image in report.images where try Self.hasNews(image, since: seen, in: database) {
      return rows.addNews(for: row, of: app)
    }
  }

  /// Whether a debug file for an image arrived after the first `seen`.
  private static func hasNews(
    _ image: ImageRow, since seen: Int, in database: borrowing Connection
  ) throws -> Bool {
    if let name = NameOnlyImage.fileName(in: image.debugID) {
      return try DebugFileName.names(ofImage: name).contains { name in
        try database.integer(
          "SELECT 1 FROM debug_files WHERE name = ?1 AND arrival > ?2 LIMIT 1", name, seen) != nil
      }
    }
    return try database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM debug_files WHERE debug_id = ?1 AND arrival > ?3)
        OR EXISTS (SELECT 1 FROM debug_files WHERE code_id = ?2 AND arrival > ?3)
      """, image.debugID, image.codeID, seen) == 1
  }

  /// Notes of an image what is not known to be noted.
  private func noteFacts(
    of image: ImageRow, _ number: Int, in context: ImageCache.Context,
    of database: borrowing Connection
  ) throws {
    var isNew = false
    let row = ImageCache.Fact(image: number, kind: image.isOwn ? .own : .row)
    if !cache.knows(row) {
      try database.insert(
        into: "images",
        [
          "debug_id": image.debugID, "code_id": image.codeID, "name": image.name,
          "path": image.path, "architecture": image.architecture, "is_own": image.isOwn,
        ],
        onConflict: """
          ON CONFLICT (debug_id) DO UPDATE SET is_own = 1 WHERE excluded.is_own > images.is_own
          """)
      isNew = database.changes > 0
      cache.note(row)
    }
    let release = ImageCache.Fact(image: number, kind: .build(context.buildID))
    if !cache.knows(release) {
      try database.insert(
        into: "image_builds",
        [
          "debug_id": image.debugID, "app": context.build.app, "version": context.build.version,
          "build": context.build.build,
        ],
        onConflict: "ON CONFLICT DO NOTHING")
      if database.changes > 0 { isNew = true }
      cache.note(release)
    }
    if image.isOwn, isNew { try KnownFixes.changed(imagesOf: context.build.app, in: database) }
    try notePackage(of: image, number, in: database)
    if image.isWaiting, !context.system.name.isEmpty {
      try noteSystem(of: image, number, in: context, of: database)
    }
  }

  private func notePackage(
    of image: ImageRow, _ number: Int, in database: borrowing Connection
  ) throws {
    let fact = ImageCache.Fact(image: number, kind: .package)
    guard let package = image.package, !cache.knows(fact) else { return }
    try database.insert(
      into: "image_packages",
      [
        "debug_id": image.debugID, "type": package.type, "name": package.name,
        "version": package.version, "architecture": package.architecture, "os": package.os,
        "os_cpe": package.osCPE, "debug_info_url": package.debugInfoURL,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    cache.note(fact)
  }

  /// Notes the system of a report that waits for an image. Only one of many models is stored, the same
  /// whatever the order of arrival.
  private func noteSystem(
    of image: ImageRow, _ number: Int, in context: ImageCache.Context,
    of database: borrowing Connection
  ) throws {
    let system = context.system
    let fact = ImageCache.Fact(image: number, kind: .system(context.systemID))
    guard !cache.knows(fact, ofModel: system.model) else { return }
    try database.insert(
      into: "image_systems",
      [
        "debug_id": image.debugID, "os": system.name, "version": system.version,
        "build": system.build, "model": system.model,
      ],
      onConflict: """
        ON CONFLICT (debug_id, os, version, build) DO UPDATE SET model = excluded.model WHERE excluded.model != ''
        AND (image_systems.model = '' OR excluded.model < image_systems.model)
        """)
    cache.note(fact, ofModel: system.model)
  }

  /// Returns the number of a debug id in other tables; a new one where it was never seen.
  private func number(of debugID: String, in database: borrowing Connection) throws -> Int {
    if let known = cache[debugID] { return known }
    try database.run(
      "INSERT INTO image_numbers (debug_id) VALUES (?1) ON CONFLICT DO NOTHING", debugID)
    let number = try database.requiredInteger(
      "SELECT id FROM image_numbers WHERE debug_id = ?1", debugID)
    cache[debugID] = number
    return number
  }

  /// Returns the number of a debug id in other tables, if a report ever named it.
  static func number(of debugID: String, in database: borrowing Connection) throws -> Int? {
    try database.integer("SELECT id FROM image_numbers WHERE debug_id = ?1", debugID)
  }

  /// Removes what ``note(_:row:app:group:seen:_:in:)`` noted of reports of groups.
  static func forget(
    _ reports: [(row: RowID<Tables.Reports>, group: RowID<Tables.Groups>)],
    in database: borrowing Connection
  ) throws {
    try MissingTable.remove(reports, in: database)
    for table in ["waiting", "uses"] {
      try database.runMany(
        "DELETE FROM \(table) WHERE report = ?1", reports.map { [$0.row.sqlValue] })
    }
  }

  /// Marks for reprocessing every report that waits for the debug file or uses one of the same build, and
  /// every one that names no build of an image with the file's name, since a second build makes the name
  /// ambiguous.
  static func arrived(
    _ debugID: String, codeID: String?, name: String, in database: borrowing Connection
  ) throws {
    var ids = [debugID] + DebugFileName.imageNames(ofFile: name).map { NameOnlyImage.key(of: $0) }
    if let codeID {
      // Reports may know the build by another id that follows from the same build id.
      let rows = try database.prepare("SELECT debug_id FROM images WHERE code_id = ?1", [codeID])
      while try rows.step() { try ids.append(rows.text("debug_id")) }
    }
    try KnownFixes.changed(debugFilesOf: debugID, in: database)
    for id in Set(ids).sorted() {
      for table in ["waiting", "uses"] {
        try database.run(
          """
          INSERT INTO redo (app, report)
          SELECT reports.app, reports.id FROM \(table) JOIN reports ON reports.id = \(table).report
          WHERE image = (SELECT id FROM image_numbers WHERE debug_id = ?1)
          ON CONFLICT (report) DO UPDATE SET problem = NULL, rule_set = NULL
          """, id)
      }
    }
  }
}
