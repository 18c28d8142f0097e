internal import Crypto
internal import Database
internal import Leases

extension CrashStore {
  /// Maximum size of a content in bytes, in a home and in its backups.
  public static let contentLimit = 16 << 30
  /// Maximum number of missing contents that are named.
  private static let namedContents = 5

  /// Checks that each content that a row names exists, by name and size. The bytes are not read; `mayday
  /// verify` and `mayday backup` read them.
  ///
  /// - Throws: `DatabaseError`, `FileError`.
  /// - Complexity: Linear in the number of contents, whose digests come in order from two indexes.
  public func checkContents() throws -> ContentCheck {
    // No process deletes contents meanwhile.
    let lock = try leases.take(.contents, isShared: true, waits: true)
    defer { withExtendedLifetime(lock) {} }
    return try read { database in
      var check = ContentCheck()
      try checkCompressed(in: database, &check)
      try checkPlain(in: database, &check)
      return check
    }
  }

  private func checkCompressed(
    in database: borrowing Connection, _ check: inout ContentCheck
  ) throws {
    let rows = try database.prepare(Self.digests(ofPlain: false))
    var missing: [[UInt8]] = []
    try contents.database.withLock { small in
      let stored = try small.prepare(
        """
        SELECT digest FROM contents
        WHERE block IS NULL OR EXISTS (SELECT 1 FROM blocks WHERE id = contents.block)
        ORDER BY digest
        """)
      var last: [UInt8]? = try stored.step() ? stored.blob(0) : nil
      while try rows.step() {
        let digest = rows.blob(0)
        check.count += 1
        while let found = last, found.lexicographicallyPrecedes(digest) {
          last = try stored.step() ? stored.blob(0) : nil
        }
        if last == digest { continue }
        if try contents.folder.size(of: digest) ?? 0 == 0 { missing.append(digest) }
      }
    }
    for digest in missing { try Self.note(digest, in: database, &check) }
  }

  private func checkPlain(in database: borrowing Connection, _ check: inout ContentCheck) throws {
    let rows = try database.prepare(Self.digests(ofPlain: true))
    while try rows.step() {
      let digest = rows.blob(0)
      check.count += 1
      let size = try contents.folder.size(of: digest, isPlain: true)
      let expected = try database.integer(
        """
        SELECT max(size) FROM (SELECT size FROM debug_files WHERE digest = ?1
          UNION ALL SELECT size FROM artefacts WHERE digest = ?1) AS sizes
        """, digest)
      guard let size, size > 0, size == expected ?? size else {
        try Self.note(digest, in: database, &check)
        continue
      }
    }
  }

  private static func digests(ofPlain isPlain: Bool) -> String {
    ContentReferences.queries(ofPlain: isPlain).joined(separator: " UNION ") + " ORDER BY 1"
  }

  private static func note(
    _ digest: [UInt8], in database: borrowing Connection, _ check: inout ContentCheck
  ) throws {
    check.missing += 1
    guard check.names.count < namedContents else { return }
    for query in names {
      if let name = try database.text(query, digest) { return check.names.append(name) }
    }
    check.names.append("content \(SHA256.hex(digest))")
  }

  /// Queries for the description of what names a content.
  private static let names = [
    """
    SELECT 'submission ' || submissions.source || ' of ' || apps.name FROM submissions
    JOIN apps ON apps.id = submissions.app WHERE submissions.digest = ?1 LIMIT 1
    """,
    "SELECT 'document of report ' || name FROM reports WHERE document = ?1 LIMIT 1",
    """
    SELECT 'attachment ' || attachments.name || ' of report ' || reports.name FROM attachments
    JOIN reports ON reports.id = attachments.report WHERE attachments.digest = ?1 LIMIT 1
    """,
    "SELECT 'debug file ' || name || ' (' || debug_id || ')' FROM debug_files WHERE digest = ?1 LIMIT 1",
    """
    SELECT 'release file ' || artefacts.file_name || ' of ' || apps.name FROM artefacts
    JOIN apps ON apps.id = artefacts.app WHERE artefacts.digest = ?1 LIMIT 1
    """,
    """
    SELECT 'icon of release file ' || artefacts.file_name || ' of ' || apps.name FROM artefacts
    JOIN apps ON apps.id = artefacts.app WHERE artefacts.icon = ?1 LIMIT 1
    """,
    """
    SELECT 'former document of report ' || reports.name FROM report_versions
    JOIN reports ON reports.id = report_versions.report WHERE report_versions.document = ?1 LIMIT 1
    """,
    "SELECT 'attachment ' || name || ' of an awaited report' FROM orphan_attachments WHERE digest = ?1 LIMIT 1",
  ]
}
