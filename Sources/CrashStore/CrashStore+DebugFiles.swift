public import Bytes
public import CrashModel
internal import Hashing
internal import SQLite

extension CrashStore {
  /// Keeps a debug file, with a record for each image that it explains.
  ///
  /// The file is kept as it is, not compressed, so that it can be mapped. The same file costs
  /// nothing the second time. Reports that wait for a new one are noted as to be done again, by the
  /// same transaction.
  ///
  /// - Parameter records: Their digest must be that of `bytes`.
  /// - Returns: Which of the records are new.
  /// - Throws: ``StoreError/damagedBlob(path:reason:)`` when the digest is another; `FileError`,
  ///   `DatabaseError`.
  @discardableResult
  public func addDebugFile(_ bytes: ByteView, records: [DebugFileRecord]) throws -> [Bool] {
    let digest = SHA256.digest(of: bytes)
    for record in records where record.digest != SHA256.hex(digest) {
      throw StoreError.damagedBlob(path: record.name, reason: "its SHA-256 is another")
    }
    try contents.write([Content(keeping: bytes, digest: digest)])
    return try write { database in
      try records.map { record in
        let arrival = try WaitingBook.arrivals(in: database) + 1
        try database.run(
          """
          INSERT INTO debug_files
            (debug_id, kind, code_id, architecture, digest, name, size, added, arrival)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING
          """, record.debugID.description, record.kind, record.codeID?.description,
          record.architecture.description, digest, record.name, record.size,
          record.added.microseconds, arrival)
        guard database.changes > 0 else { return false }
        try database.run("UPDATE arrivals SET last = ?1", arrival)
        try WaitingBook.arrived(
          record.debugID.description, codeID: record.codeID?.description, in: database)
        return true
      }
    }
  }

  /// All debug files, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFiles() throws -> [DebugFileRecord] { try debugFiles(where: Filter()) }

  /// The debug files of this id, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFiles(for debugID: DebugID) throws -> [DebugFileRecord] {
    var filter = Filter()
    filter.add("debug_id =", debugID.description)
    return try debugFiles(where: filter)
  }

  /// The debug files of the binary with this identity, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFiles(for codeID: CodeID) throws -> [DebugFileRecord] {
    var filter = Filter()
    filter.add("code_id =", codeID.description)
    return try debugFiles(where: filter)
  }

  /// The debug files with this file name, in the order in which they were added.
  ///
  /// - Throws: `DatabaseError`.
  public func debugFiles(named name: String) throws -> [DebugFileRecord] {
    var filter = Filter()
    filter.add("name =", name)
    return try debugFiles(where: filter)
  }

  private func debugFiles(where filter: Filter) throws -> [DebugFileRecord] {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT debug_id, code_id, architecture, kind, name, digest, size, added FROM debug_files
        """ + filter.sql + " ORDER BY id", filter.values)
      var records: [DebugFileRecord] = []
      while try rows.step() {
        guard let debugID = DebugID(rows.text(0)) else { continue }
        records.append(
          DebugFileRecord(
            debugID: debugID, codeID: rows.optionalText(1).flatMap { CodeID($0) },
            architecture: Architecture(rows.text(2)), kind: rows.text(3), name: rows.text(4),
            digest: SHA256.hex(rows.blob(5)), size: rows.int(6),
            added: Timestamp(microseconds: rows.int(7))))
      }
      return records
    }
  }

  /// The bytes of a debug file, mapped.
  ///
  /// - Parameters:
  ///   - digest: As its record says.
  ///   - isChecked: Whether to compute the digest again, which reads the whole file.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/damagedBlob(path:reason:)``; `FileError`,
  ///   `DatabaseError`.
  public func debugFile(_ digest: String, isChecked: Bool = false) throws -> ByteView {
    guard let bytes = Self.bytes(ofHex: digest),
      let size = try read({ database in
        try database.integer("SELECT size FROM debug_files WHERE digest = ?1", bytes)
      })
    else { throw StoreError.notFound(digest) }
    let content = try contents.map(bytes, isChecked: isChecked)
    guard content.count == size else {
      throw StoreError.damagedBlob(
        path: contents.folder.path(of: bytes, isPlain: true),
        reason: "\(content.count) bytes in place of \(size)")
    }
    return content
  }
}
