internal import Bytes
internal import Database
internal import Glibc
internal import Leases

/// Contents of erased reports, deleted immediately and not by the next sweep.
///
/// Contents that another process found in the store within the last hour, while storing the same bytes,
/// are left to the sweep, as is everything while a backup reads contents.
struct ErasedContents {
  /// Seconds within which a process that found a content may still be about to reference it.
  private static let settling = 3_600

  /// Number of contents that are deleted in one transaction; the others of their blocks are packed anew.
  private static let portion = 50

  /// Digests, with the rows that hold them; `nil` for a digest in a file.
  private var contents: [[UInt8]: Int?] = [:]

  /// Records the contents of reports: their submissions, documents, older documents and attachments.
  mutating func note(
    _ reports: [RowID<Tables.Reports>], in database: borrowing Connection, _ store: ContentStore
  ) throws {
    var new: [RowKey: [UInt8]] = [:]
    try database.readMany(
      """
      SELECT document FROM reports WHERE id = ?1
      UNION SELECT submissions.digest FROM reports
        JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1
      UNION SELECT document FROM report_versions WHERE report = ?1
      UNION SELECT digest FROM attachments WHERE report = ?1
      """, reports.map { RowKey($0.sqlValue) }
    ) { _, row in
      let digest = try row.blob("document")
      if contents[digest] == nil { new[RowKey(digest.sqlValue)] = digest }
    }
    for digest in new.values { contents[digest] = .some(nil) }
    try store.database.withLock {
      try $0.readMany("SELECT rowid FROM contents WHERE digest = ?1", new.keys.sorted()) {
        key, row in
        // By position: `rowid` has no name of its own.
        if let digest = new[key] { contents[digest] = row.int(0) }
      }
    }
  }

  /// Deletes the contents that no row references any more.
  func remove(from store: CrashStore) throws {
    guard !contents.isEmpty,
      let lock = try store.leases.take(.contents)
    else { return }
    defer { withExtendedLifetime(lock) {} }
    let named = try store.read { database in
      try ReferenceTable(part: 0, of: 1, in: database)
    }
    let cutoff = ContentAges.now - Self.settling
    let free = contents.filter { !named.contains($0.key) }
    var rest = free.compactMap { digest, row in row.map { (digest: digest, row: $0) } }[...]
    while !rest.isEmpty {
      let portion = rest.prefix(Self.portion)
      rest = rest.dropFirst(portion.count)
      try store.contents.database.withLock { database in
        try database.transaction { try Self.remove(portion, cutoff: cutoff, in: $0) }
      }
    }
    for (digest, row) in free where row == nil {
      // A large content is stored uncompressed.
      for isPlain in [false, true] {
        let path = store.contents.folder.path(of: digest, isPlain: isPlain)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mtim.tv_sec <= cutoff else { continue }
        unlink(path)
      }
    }
    // So do the segments of the search index,
    try store.settleSearch()
    try store.write(.global) { try SegmentSettling.renew(isForced: true, in: $0) }
    try store.write(.global) { try SegmentSettling.removeOthers(in: $0) }
    // and the logs of the databases.
    for database in [store.connection, store.contents.database] {
      try database.withLock { try $0.truncateLog() }
    }
  }

  private static func remove(
    _ contents: ArraySlice<(digest: [UInt8], row: Int)>, cutoff: Int,
    in database: borrowing Connection
  ) throws {
    var blocks: Set<Int> = []
    for (digest, row) in contents {
      let isReused = try database.integer(
        "SELECT 1 FROM reused WHERE digest = ?1 AND time > ?2", digest, cutoff)
      guard isReused == nil else { continue }
      let (_, block) = try BlockTable.remove(digest, in: row...row, of: database)
      if let block { blocks.insert(block) }
    }
    for block in try ContentPacking.rewrite(blocks.sorted(), in: database) {
      // The other contents in it cannot be read, either.
      try database.run("UPDATE blocks SET bytes = ?2 WHERE id = ?1", block, [UInt8]())
    }
    try ContentAges.clamp(in: database)
  }
}
