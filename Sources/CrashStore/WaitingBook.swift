internal import CrashModel
internal import SQLite

/// The tables of debug files that reports use or wait for, inside a transaction.
enum WaitingBook {
  /// How many debug files have ever arrived.
  static func arrivals(in database: borrowing Connection) throws -> Int {
    try database.integer("SELECT last FROM arrivals") ?? 0
  }

  /// Notes what a report uses and could use, and that it is to be done again where a debug file
  /// arrived that its results have not seen.
  ///
  /// - Parameters:
  ///   - row: The report's row in the database.
  ///   - app: The app's row in the database.
  ///   - seen: How many debug files had arrived when the report was symbolicated.
  static func note(
    _ report: ReportRow, row: Int, app: Int, seen: Int, in database: borrowing Connection
  ) throws {
    guard !report.images.isEmpty else { return }
    for image in report.images where image.isWaiting {
      try database.run(
        "INSERT INTO waiting (debug_id, report, decides) VALUES (?1, ?2, ?3)", image.debugID,
        row, image.decides)
    }
    try noteFacts(
      report.images, report.system, row: row, app: app, version: report.version,
      build: report.build, in: database)
    guard try arrivals(in: database) > seen else { return }
    for image in report.images {
      let isNews = try database.integer(
        """
        SELECT EXISTS (SELECT 1 FROM debug_files WHERE debug_id = ?1 AND arrival > ?3)
          OR EXISTS (SELECT 1 FROM debug_files WHERE code_id = ?2 AND arrival > ?3)
        """, image.debugID, image.codeID, seen)
      guard isNews == 1 else { continue }
      try database.run("INSERT INTO redo (report) VALUES (?1) ON CONFLICT DO NOTHING", row)
      return
    }
  }

  /// Notes what a report that was filed by an older version uses, and which files decide about it.
  static func fill(
    _ report: CrashReport, row: Int, in database: borrowing Connection
  ) throws {
    guard let signature = report.signature,
      let app = try database.integer("SELECT app FROM reports WHERE id = ?1", row)
    else { return }
    let images = ImageRow.rows(of: report, signature)
    for image in images where image.decides {
      try database.run(
        "UPDATE waiting SET decides = 1 WHERE report = ?1 AND debug_id = ?2 AND decides = 0", row,
        image.debugID)
    }
    try noteFacts(
      images, SystemRow(of: report), row: row, app: app, version: report.app.version ?? "",
      build: report.app.build ?? "", in: database)
  }

  private static func noteFacts(
    _ images: [ImageRow], _ system: SystemRow, row: Int, app: Int, version: String, build: String,
    in database: borrowing Connection
  ) throws {
    for image in images {
      if image.isUsed {
        try database.run(
          "INSERT INTO uses (debug_id, report) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
          image.debugID, row)
      }
      try database.run(
        """
        INSERT INTO images (debug_id, code_id, name, path, architecture, is_own)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (debug_id) DO UPDATE SET is_own = 1 WHERE excluded.is_own > is_own
        """, image.debugID, image.codeID, image.name, image.path, image.architecture, image.isOwn)
      try database.run(
        """
        INSERT INTO image_builds (debug_id, app, version, build) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO NOTHING
        """, image.debugID, app, version, build)
      if image.isWaiting && !system.name.isEmpty {
        // Of many models one is named, the same whatever the order of arrival.
        try database.run(
          """
          INSERT INTO image_systems (debug_id, os, version, build, model)
          VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET model = excluded.model
          WHERE excluded.model != '' AND (model = '' OR excluded.model < model)
          """, image.debugID, system.name, system.version, system.build, system.model)
      }
    }
  }

  /// Takes a report out of what ``note(_:row:app:seen:in:)`` noted.
  static func forget(_ row: Int, in database: borrowing Connection) throws {
    try database.run("DELETE FROM waiting WHERE report = ?1", row)
    try database.run("DELETE FROM uses WHERE report = ?1", row)
  }

  /// Every report that waits for the debug file, or uses one of the same build, is to be done again.
  static func arrived(
    _ debugID: String, codeID: String?, in database: borrowing Connection
  ) throws {
    var ids = [debugID]
    if let codeID {
      // Reports may know the build by another id that follows from the same build id.
      let rows = try database.prepare("SELECT debug_id FROM images WHERE code_id = ?1", [codeID])
      while try rows.step() { ids.append(rows.text(0)) }
    }
    for id in Set(ids).sorted() {
      for table in ["waiting", "uses"] {
        try database.run(
          """
          INSERT INTO redo (report) SELECT report FROM \(table) WHERE debug_id = ?1
          ON CONFLICT DO UPDATE SET problem = NULL
          """, id)
      }
    }
  }
}
