public import Bytes
internal import Crypto
internal import Database
public import Identifiers

extension CrashStore.DebugFiles {
  /// Stores a debug file, with a record for each image that it explains.
  ///
  /// The file is stored uncompressed, so that it can be mapped. Adding the same file again costs nothing.
  /// Reports that wait for a new one are marked for reprocessing in the same transaction.
  ///
  /// - Parameters:
  ///   - records: Their digest must be that of `bytes`.
  ///   - release: The app, which is created if it is new, and its release that the file belongs to.
  ///   - bundle: The release that the file's bundle names.
  ///   - apps: Apps that it is uploaded for, besides the one of `release`; `nil` for all when there is no
  ///     release.
  /// - Returns: Which of the records are new.
  /// - Throws: ``StoreError/damagedBlob(path:reason:)`` when the digest differs; `FileError`,
  ///   `DatabaseError`.
  @discardableResult
  public func add(
    _ bytes: ByteView, records: [DebugFileRecord], release: (app: String, release: Release)? = nil,
    bundle: Release? = nil, apps: [String]? = nil
  ) throws -> [Bool] {
    if let release, !AppName.isValid(release.app) { throw StoreError.invalidAppName(release.app) }
    for app in apps ?? [] where !AppName.isValid(app) { throw StoreError.invalidAppName(app) }
    let digest = SHA256.digest(of: bytes)
    for record in records where record.digest != SHA256.hex(digest) {
      throw StoreError.damagedBlob(path: record.name, reason: "its SHA-256 differs")
    }
    while true {
      let isWritten = try store.contents.folder.write([Content(keeping: bytes, digest: digest)])
        .contains(digest)
      let isNew = try store.write(.debugFiles) { database -> [Bool]? in
        // Another process may have deleted it since, with the last row that named it.
        guard try store.contents.folder.has(digest) else { return nil }
        if let release {
          try AppsTable.check(named: release.app, in: database)
          try Self.tie(digest, to: release, in: database)
        }
        if let bundle {
          try database.insert(
            into: "debug_file_bundles",
            ["digest": digest, "version": bundle.version, "build": bundle.build],
            onConflict: "ON CONFLICT DO NOTHING")
        }
        let names = (apps ?? []) + (release.map { [$0.app] } ?? [])
        let rows = try names.map { name in
          try AppsTable.check(new: name, in: database)
          return try AppsTable.app(named: name, in: database).row
        }
        let isWider = try Self.tie(
          digest, toApps: rows.isEmpty && apps == nil ? [Self.allApps] : rows, in: database)
        let before = try WaitingReports.arrivals(in: database)
        let isNew = try records.map { try Self.insert($0, digest: digest, in: database) }
        if isWritten || isWider { try Self.readmit(digest, upTo: before, in: database) }
        return isNew
      }
      if let isNew { return isNew }
    }
  }

  /// Marks reports for reprocessing that could not use the existing records of a file: its bytes were damaged
  /// until now, or more apps may use them now.
  ///
  /// - Parameter last: The last arrival before this one.
  private static func readmit(
    _ digest: [UInt8], upTo last: Int, in database: borrowing Connection
  ) throws {
    var found: [(id: String, codeID: String?, name: String)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT DISTINCT debug_id, code_id, name FROM debug_files
        WHERE digest = ?1 AND arrival <= ?2 AND kind != ?3
        """, [digest, last, DebugFileRecord.sourcesKind])
      while try rows.step() {
        try found.append((rows.text("debug_id"), rows.optionalText("code_id"), rows.text("name")))
      }
    }
    guard !found.isEmpty else { return }
    let arrival = try WaitingReports.arrivals(in: database) + 1
    try database.run("UPDATE arrivals SET last = ?1", arrival)
    try database.run(
      "UPDATE debug_files SET arrival = ?1 WHERE digest = ?2 AND arrival <= ?3 AND kind != ?4",
      arrival, digest, last, DebugFileRecord.sourcesKind)
    for file in found {
      try WaitingReports.arrived(file.id, codeID: file.codeID, name: file.name, in: database)
    }
  }

  /// - Returns: Whether it is new.
  private static func insert(
    _ record: DebugFileRecord, digest: [UInt8], in database: borrowing Connection
  ) throws -> Bool {
    let isSources = record.kind == DebugFileRecord.sourcesKind
    let arrival = isSources ? 0 : try WaitingReports.arrivals(in: database) + 1
    try database.insert(
      into: "debug_files",
      [
        "debug_id": record.debugID.description, "kind": record.kind,
        "code_id": record.codeID?.description, "architecture": record.architecture.description,
        "digest": digest, "name": record.name, "size": record.size,
        "added": record.added.microseconds, "arrival": arrival,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    guard database.changes > 0 else { return false }
    if isSources { return true }
    try database.run("UPDATE arrivals SET last = ?1", arrival)
    try WaitingReports.arrived(
      record.debugID.description, codeID: record.codeID?.description, name: record.name,
      in: database)
    return true
  }

  private static func tie(
    _ digest: [UInt8], to release: (app: String, release: Release),
    in database: borrowing Connection
  ) throws {
    let app = try AppsTable.app(named: release.app, in: database).row
    let (version, build) = (release.release.version, release.release.build)
    try database.insert(
      into: "debug_file_releases",
      ["digest": digest, "app": app, "version": version, "build": build],
      onConflict: "ON CONFLICT DO NOTHING")
    try database.insert(
      into: "releases",
      ["app": app, "version": version, "build": build, "added": CrashStore.now.microseconds],
      onConflict: "ON CONFLICT DO NOTHING")
  }

  /// Returns all debug files, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func list() throws -> [DebugFileRecord] { try debugFiles(where: Filter()) }

  /// Returns the debug files of this id, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func list(for debugID: DebugID) throws -> [DebugFileRecord] {
    var filter = Filter()
    filter.add("debug_id =", debugID.description)
    return try debugFiles(where: filter)
  }

  /// Returns the debug files of the binary with this identity, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func list(for codeID: CodeID) throws -> [DebugFileRecord] {
    var filter = Filter()
    filter.add("code_id =", codeID.description)
    return try debugFiles(where: filter)
  }

  /// Returns the debug files with this file name, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func list(named name: String) throws -> [DebugFileRecord] {
    var filter = Filter()
    filter.add("name =", name)
    return try debugFiles(where: filter)
  }

  private func debugFiles(where filter: Filter) throws -> [DebugFileRecord] {
    try store.read { database in
      let rows = try database.prepare(
        Self.debugFileColumns + filter.sql + " ORDER BY id", filter.values)
      var records: [DebugFileRecord] = []
      while try rows.step() {
        try records.append(Self.debugFile(rows))
      }
      return records
    }
  }

  static let debugFileColumns = """
    SELECT debug_id, code_id, architecture, kind, name, digest, size, added FROM debug_files
    """

  /// - Throws: ``StoreError/damaged(_:)`` for a row that this program did not write.
  static func debugFile(_ row: borrowing Statement) throws -> DebugFileRecord {
    guard let debugID = try DebugID(row.text("debug_id")) else {
      throw StoreError.damaged("'\(try row.text("debug_id"))' of debug_files is not a debug id")
    }
    return try DebugFileRecord(
      debugID: debugID, codeID: row.optionalText("code_id").flatMap { CodeID($0) },
      architecture: Architecture(row.text("architecture")), kind: row.text("kind"),
      name: row.text("name"),
      digest: SHA256.hex(row.blob("digest")), size: row.int("size"),
      added: row.timestamp("added"))
  }

  /// Returns the bytes of a debug file, mapped.
  ///
  /// - Parameters:
  ///   - digest: The digest in its record.
  ///   - isChecked: Whether to recompute the digest, which reads the whole file.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/damagedBlob(path:reason:)``; `FileError`,
  ///   `DatabaseError`.
  public func get(_ digest: String, isChecked: Bool = false) throws -> ByteView {
    guard let bytes = CrashStore.Reports.bytes(ofHex: digest),
      let size = try store.read({ database in
        try database.integer("SELECT size FROM debug_files WHERE digest = ?1", bytes)
      })
    else { throw StoreError.notFound(digest) }
    let content = try store.contents.map(bytes, isChecked: isChecked)
    guard content.count == size else {
      throw StoreError.damagedBlob(
        path: store.contents.folder.path(of: bytes, isPlain: true),
        reason: "\(content.count) bytes instead of \(size)")
    }
    return content
  }

  /// Returns the number of stored debug files, and their bytes.
  ///
  /// - Throws: `DatabaseError`.
  public func totals() throws -> LedgerAmount {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT count(*) AS count, coalesce(sum(size), 0) AS size
        FROM (SELECT max(size) AS size FROM debug_files GROUP BY digest) AS files
        """)
      return try rows.step()
        ? LedgerAmount(count: rows.int("count"), bytes: rows.int("size")) : LedgerAmount()
    }
  }

  /// Whether a debug file with this SHA-256 was added; its content is not checked.
  ///
  /// - Throws: `DatabaseError`.
  public func contains(digest: String) throws -> Bool {
    guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else { return false }
    return try store.read { database in
      try database.integer("SELECT 1 FROM debug_files WHERE digest = ?1 LIMIT 1", bytes) != nil
    }
  }
}
