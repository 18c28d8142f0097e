internal import Bytes
internal import Database
internal import Files
internal import Glibc
internal import Identifiers
internal import ServerStore

/// Limits on uploads, and their expiry.
extension BlobUploads {
  /// Checks that one more upload may be announced.
  func admit(_ caller: String, in database: borrowing Connection) throws {
    let all = try database.requiredInteger(
      "SELECT count(*) FROM uploads WHERE status = '\(Upload.Status.created)'")
    guard all < limits.announced else { throw UploadRefusal.tooMany(limit: limits.announced) }
    let own =
      try database.requiredInteger(
        "SELECT count(*) FROM uploads WHERE status = '\(Upload.Status.created)' AND caller = ?1",
        caller)
    guard own < limits.announcedOfCaller else {
      throw UploadRefusal.tooManyOfToken(limit: limits.announcedOfCaller)
    }
  }

  /// Counts data that is about to be sent to an upload, or below zero, data that was deleted.
  ///
  /// - Throws: ``UploadRefusal`` if it would exceed a limit; nothing is counted then.
  public func take(bytes: Int, blocks: Int = 0, for id: String) throws {
    try store.write { database in
      let caller: String
      do {
        let rows = try database.prepare(
          "SELECT caller, sent, blocks FROM uploads WHERE id = ?1", [id])
        guard try rows.step() else { return }
        caller = try rows.text("caller")
        guard try bytes <= 0 || rows.int("sent") <= limits.bytesOfUpload - bytes else {
          throw UploadRefusal.uploadTooLarge(limit: limits.bytesOfUpload)
        }
        guard try blocks <= 0 || rows.int("blocks") < limits.blocksOfUpload else {
          throw UploadRefusal.tooManyBlocks(limit: limits.blocksOfUpload)
        }
      }
      if bytes > 0 {
        let own = try sums(of: caller, in: database)
        guard own.bytes <= limits.bytesOfCaller - bytes else {
          throw UploadRefusal.tooLargeOfToken(limit: limits.bytesOfCaller)
        }
        let all = try sums(of: nil, in: database)
        guard all.bytes <= limits.bytes - bytes else {
          throw UploadRefusal.tooLarge(limit: limits.bytes)
        }
        guard blocks <= 0 || own.blocks < limits.blocksOfCaller && all.blocks < limits.blocks else {
          throw UploadRefusal.tooMany(limit: limits.blocks)
        }
      }
      try database.run(
        """
        UPDATE uploads SET sent = CASE WHEN sent + ?1 > 0 THEN sent + ?1 ELSE 0 END,
          blocks = CASE WHEN blocks + ?2 > 0 THEN blocks + ?2 ELSE 0 END
        WHERE id = ?3
        """,
        bytes, blocks, id)
    }
  }

  private func sums(
    of caller: String?, in database: borrowing Connection
  ) throws -> (bytes: Int, blocks: Int) {
    let values: [any SQLBindable] = caller.map { [$0] } ?? []
    let rows = try database.prepare(
      """
      SELECT coalesce(sum(sent), 0) AS sent, coalesce(sum(blocks), 0) AS blocks FROM uploads
      WHERE sent > 0 \(caller == nil ? "" : "AND caller = ?1")
      """, values)
    _ = try rows.step()
    return try (rows.int("sent"), rows.int("blocks"))
  }

  /// Deletes the oldest ended uploads of each app, beyond the number to remember.
  func forgetEnded() throws {
    try store.write { database in
      try database.run(
        """
        DELETE FROM uploads WHERE id IN (
          SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY app ORDER BY created DESC, id) AS place
            FROM uploads WHERE status IN (\(Upload.Status.ended))) AS ended
          WHERE place > ?1)
        """, limits.remembered)
    }
  }

  /// Deletes folders without an upload, such as those of a process that was killed in between.
  func clearFolders(olderThan time: Timestamp) throws {
    let root = store.home + "/uploads"
    for name in FolderNames.of(root) where !name.hasPrefix(PartialUploads.prefix) {
      var status = stat()
      guard stat(root + "/" + name, &status) == 0, status.st_mtim.tv_sec < Int(time.seconds) else {
        continue
      }
      let isOwned = try store.read {
        try $0.integer(
          "SELECT 1 FROM uploads WHERE id = ?1 AND status IN (\(Upload.Status.open))",
          name) != nil
      }
      if !isOwned { clear(name) }
    }
  }

  // MARK: Processing

  /// Committed uploads whose debug files are still to be read.
  public func processing() throws -> [(id: String, app: String)] {
    try store.read { database in
      var uploads: [(id: String, app: String)] = []
      let rows = try database.prepare(
        "SELECT id, app FROM uploads WHERE status = '\(Upload.Status.processing)' ORDER BY committed"
      )
      while try rows.step() { try uploads.append((rows.text("id"), rows.text("app"))) }
      return uploads
    }
  }

  /// Counts one more attempt to process an upload.
  ///
  /// - Returns: Whether the attempt is allowed.
  public func beginTry(_ id: String) throws -> Bool {
    try store.write { database in
      try database.run("UPDATE uploads SET tries = tries + 1 WHERE id = ?1", id)
      let tries = try database.integer("SELECT tries FROM uploads WHERE id = ?1", id)
      return tries.map { $0 <= limits.tries } ?? false
    }
  }

  /// Uncounts an attempt that ended with an error, such as a full disk.
  public func takeBackTry(_ id: String) throws {
    try store.write {
      try $0.run("UPDATE uploads SET tries = tries - 1 WHERE id = ?1 AND tries > 0", id)
    }
  }
}
