internal import Bytes
internal import CrashModel
internal import Database
internal import JSON
internal import Leases
internal import ReportDocument

extension CrashStore.Archive {
  /// The version of the schema.
  public static var schemaVersion: Int { Schema.migrations.version }

  /// Keeps contents, and the progress of submissions that leave a queue, as long as the result lives.
  ///
  /// - Throws: `FileError`.
  public func hold() throws -> ArchiveHold {
    ArchiveHold(lease: try store.leases.take(.contents, isShared: true, waits: true))
  }

  /// Passes the store, or a part of it, to `sink`, as of one moment. Other processes continue meanwhile; no
  /// content is deleted before the end.
  ///
  /// - Throws: What `sink` throws; ``StoreError/damagedBlob(path:reason:)`` for a content that differs from
  ///   what was stored; `DatabaseError`, `FileError`.
  public func dump(_ selection: DumpSelection, to sink: any DumpSink) throws {
    let hold = try hold()
    defer { withExtendedLifetime(hold) {} }
    try store.connection.withLock { database in
      try database.snapshot { database in
        let tables = try DumpPart.select(selection, contents: store.contents, in: database)
        defer { DumpPart.forget(in: database) }
        try Self.rows(of: tables, in: database) { try sink.count(row: $0, of: $1) }
        try Self.digests(of: tables, in: database) { try sink.count(content: $0, isPlain: $1) }
        try sink.begin(schema: Schema.migrations.version)
        try Self.rows(of: tables, in: database) { try sink.keep(row: $0, of: $1) }
        try Self.digests(of: tables, in: database) { digest, isPlain in
          let bytes =
            isPlain
            ? try store.contents.map(digest, isChecked: true) : try store.contents.read(digest)
          try sink.keep(content: bytes, digest: digest, isPlain: isPlain)
        }
      }
    }
  }

  private static func rows(
    of tables: [DumpPart], in database: borrowing Connection,
    _ body: (_ row: [UInt8], _ table: String) throws -> Void
  ) throws {
    for part in tables {
      let columns = try TableColumn.all(of: part.table.name, in: database)
      let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      let keys = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
      let order = keys.map { "\"\($0.name)\"" }.joined(separator: ", ")
      let rows = try database.prepare(
        "SELECT \(names) FROM \(part.table.name) WHERE \(part.condition) ORDER BY \(order)")
      while try rows.step() {
        var writer = JSONWriter()
        writer.beginObject()
        for (index, column) in columns.enumerated() { column.write(rows, index, to: &writer) }
        writer.endObject()
        writer.newLine()
        try body(writer.takeBytes(), part.table.name)
      }
    }
  }

  /// Passes the digests of submissions, documents and attachments first, in the order of the submissions, then
  /// those of debug files and files of releases in their own order. Contents are near each other on the disk
  /// when their submissions were stored one after the other.
  private static func digests(
    of tables: [DumpPart], in database: borrowing Connection,
    _ body: (_ digest: [UInt8], _ isPlain: Bool) throws -> Void
  ) throws {
    let owned = tables.filter { !$0.table.isPlain }
      .flatMap { $0.table.ownedDigestQueries(where: $0.condition) }
    let rows = try database.prepare(
      "SELECT digest FROM (\(owned.joined(separator: " UNION ALL "))) AS digests"
        + " GROUP BY digest ORDER BY min(submission), digest")
    while try rows.step() { try body(rows.blob("digest"), false) }
    let plain = tables.filter(\.table.isPlain)
      .flatMap { $0.table.digestQueries(where: $0.condition) }
    guard !plain.isEmpty else { return }
    let files = try database.prepare(
      "SELECT DISTINCT digest FROM (\(plain.joined(separator: " UNION ALL "))) AS digests"
        + " ORDER BY digest")
    while try files.step() { try body(files.blob("digest"), true) }
  }
}

/// A table, and the condition for the rows that are dumped.
struct DumpPart {
  let table: StoreTable
  let condition: String

  /// Returns the tables of a selection, in their order. Temporary tables hold the selected ids.
  static func select(
    _ selection: DumpSelection, contents: ContentStore, in database: borrowing Connection
  ) throws -> [DumpPart] {
    guard case .reports(let names, let withDebugFiles) = selection else {
      return StoreTable.kept.map { DumpPart(table: $0, condition: "true") }
    }
    forget(in: database)
    try database.execute(
      """
      CREATE TEMP TABLE part_reports (id INTEGER PRIMARY KEY);
      CREATE TEMP TABLE part_groups (id INTEGER PRIMARY KEY);
      CREATE TEMP TABLE part_debug_files (digest BLOB PRIMARY KEY);
      """)
    for name in names {
      try database.run(
        "INSERT INTO part_reports SELECT id FROM reports WHERE name = ?1 ON CONFLICT DO NOTHING",
        name)
    }
    // A group brings those that are merged with it, and those that its origins were split from.
    try database.run(
      "INSERT INTO part_groups SELECT DISTINCT grp FROM reports JOIN part_reports USING (id)")
    while try addFurtherGroups(in: database) {}
    if withDebugFiles { try addDebugFiles(contents, in: database) }
    return StoreTable.kept.compactMap { table in
      table.part.map { DumpPart(table: table, condition: $0) }
    }
  }

  /// - Returns: Whether any were added.
  private static func addFurtherGroups(in database: borrowing Connection) throws -> Bool {
    let origins = """
      FROM part_groups JOIN origins ON origins.grp = part_groups.id
      JOIN origins AS older ON older.id = origins.parent WHERE true
      """
    var isChanged = false
    for groups in [
      """
      SELECT groups.id FROM groups JOIN part_groups ON groups.redirect = part_groups.id WHERE true
      """,
      """
      SELECT groups.redirect FROM groups JOIN part_groups ON groups.id = part_groups.id
      WHERE groups.redirect IS NOT NULL
      """,
      "SELECT older.home \(origins)", "SELECT older.grp \(origins)",
    ] {
      try database.run(
        "INSERT INTO part_groups \(groups) ON CONFLICT DO NOTHING")
      if database.changes > 0 { isChanged = true }
    }
    return isChanged
  }

  /// Adds the debug files with which the reports' documents were made.
  private static func addDebugFiles(
    _ contents: ContentStore, in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      "SELECT document FROM reports JOIN part_reports USING (id) ORDER BY reports.id")
    while try rows.step() {
      let document = try rows.blob("document")
      let stored = try StoreError.unlessDamaged {
        try StoredReport(document: contents.read(document))
      }
      guard let engine = stored?.report.engine else { continue }
      for digest in engine.debugFiles.values {
        guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else { continue }
        try database.run("INSERT INTO part_debug_files VALUES (?1) ON CONFLICT DO NOTHING", bytes)
      }
    }
  }

  static func forget(in database: borrowing Connection) {
    for table in ["part_reports", "part_groups", "part_debug_files"] {
      try? database.execute("DROP TABLE IF EXISTS \(table)")
    }
  }
}

/// A home in which nothing is deleted that a backup needs; see ``CrashStore/Archive/hold()``.
public struct ArchiveHold: Sendable {
  let lease: (any Lease)?
}
