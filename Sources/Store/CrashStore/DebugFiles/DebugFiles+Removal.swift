internal import Bytes
internal import Database
internal import Files
internal import Glibc
public import Identifiers
internal import Leases

extension CrashStore.DebugFiles {
  /// Returns every debug file with its uses, those that were needed longest ago first.
  ///
  /// - Throws: `DatabaseError`.
  public func uses() throws -> [DebugFileUse] {
    try store.read { try Self.uses(in: $0) }
  }

  /// Returns the debug files to delete under `limits`, in the order of deletion, and the bytes that remain.
  ///
  /// - Parameter grace: Seconds for which a file is kept after it was added, whatever the limits.
  /// - Throws: `DatabaseError`.
  public func removals(
    under limits: DebugFileRetention, at now: Timestamp, grace: Int = CrashStore.Expiry.contentGrace
  ) throws -> (removals: [DebugFileRemoval], bytesLeft: Int) {
    try store.read { try Self.removals(under: limits, at: now, grace: grace, in: $0) }
  }

  /// Deletes the debug files beyond `limits`, and frees their disk space. Results that they explained stay as
  /// they are.
  ///
  /// The transaction that deletes the files also selects them, so that one that is added meanwhile stays.
  ///
  /// - Throws: `DatabaseError`, `FileError`.
  public func remove(
    under limits: DebugFileRetention, at now: Timestamp, grace: Int = CrashStore.Expiry.contentGrace
  ) throws -> (removals: [DebugFileRemoval], bytesLeft: Int) {
    let result = try store.write(.debugFiles) { database in
      let result = try Self.removals(under: limits, at: now, grace: grace, in: database)
      for removal in result.removals { try Self.forget(removal.file.digest, in: database) }
      return result
    }
    try freeDebugFiles(result.removals.map(\.file.digest))
    return result
  }

  /// Deletes debug files, all or none, and frees their disk space.
  ///
  /// - Parameter digests: The SHA-256 of the files, in hexadecimal.
  /// - Throws: ``StoreError/notFound(_:)`` for an unknown one; `DatabaseError`, `FileError`.
  public func remove(_ digests: [String]) throws {
    try store.write(.debugFiles) { database in
      for digest in digests { try Self.forget(digest, in: database) }
    }
    try freeDebugFiles(digests)
  }

  private static func forget(_ digest: String, in database: borrowing Connection) throws {
    guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else {
      throw StoreError.notFound(digest)
    }
    try database.run("DELETE FROM debug_files WHERE digest = ?1", bytes)
    guard database.changes > 0 else { throw StoreError.notFound(digest) }
    try database.run("DELETE FROM debug_file_releases WHERE digest = ?1", bytes)
    try database.run("DELETE FROM debug_file_apps WHERE digest = ?1", bytes)
    try database.run("DELETE FROM debug_file_bundles WHERE digest = ?1", bytes)
  }

  /// Removes files that no row names any more, and the caches made from them. While a backup reads contents,
  /// the files are left to ``sweep(grace:isDry:)``.
  private func freeDebugFiles(_ digests: [String]) throws {
    for digest in digests { try freeCaches(of: digest) }
    guard let lock = try store.leases.take(.contents) else { return }
    defer { withExtendedLifetime(lock) {} }
    for digest in digests {
      guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else { continue }
      // A process that adds the same file checks for it again in its own transaction.
      try store.write(.debugFiles) { database in
        // A file of a release may have the same bytes.
        let isNamed = try ContentReferences.queries(ofPlain: true).contains { query in
          try database.integer(
            "SELECT 1 FROM (\(query)) AS digests WHERE digest = ?1 LIMIT 1", bytes) != nil
        }
        if !isNamed { unlink(store.contents.folder.path(of: bytes, isPlain: true)) }
      }
    }
  }

  private func freeCaches(of digest: String) throws {
    for name in try BlobFolder.names(in: store.caches) where name.hasPrefix(digest + "-") {
      unlink("\(store.caches)/\(name)")
    }
  }

  /// Removes caches of debug files that are no longer stored, such as files that were only lent for one run;
  /// they are rebuilt when they are needed.
  ///
  /// - Parameter age: Minimum age of a cache in seconds.
  /// - Returns: The number of bytes that were freed, or would be.
  /// - Throws: `DatabaseError`.
  public func removeCaches(olderThan age: Int = 86_400, isDry: Bool = false) throws -> Int {
    let known = Set(try list().map(\.digest))
    let now = WallClock.seconds
    var bytes = 0
    for name in try BlobFolder.names(in: store.caches)
    where name.hasSuffix(".symcache") || name.hasSuffix(".unwind") {
      var status = stat()
      guard !known.contains(String(name.prefix(64))), stat("\(store.caches)/\(name)", &status) == 0,
        now - status.st_mtim.tv_sec > age
      else { continue }
      bytes += Int(status.st_size)
      if !isDry { unlink("\(store.caches)/\(name)") }
    }
    return bytes
  }

  // MARK: Uses

  private static func uses(in database: borrowing Connection) throws -> [DebugFileUse] {
    var uses: [String: DebugFileUse] = [:]
    do {
      let rows = try database.prepare(debugFileColumns + " ORDER BY id")
      while try rows.step() {
        let record = try debugFile(rows)
        let empty = DebugFileUse(records: [], reports: 0, lastNeeded: nil, builds: [])
        uses[record.digest, default: empty].records.append(record)
      }
    }
    for (digest, use) in uses {
      var use = use
      for record in use.records { try addNeed(of: record, to: &use, in: database) }
      try addReleases(of: digest, to: &use, in: database)
      uses[digest] = use
    }
    return uses.values.sorted {
      $0.lastUse != $1.lastUse ? $0.lastUse < $1.lastUse : $0.digest < $1.digest
    }
  }

  private static func addNeed(
    of record: DebugFileRecord, to use: inout DebugFileUse, in database: borrowing Connection
  ) throws {
    let id = record.debugID.description
    let image = try WaitingReports.number(of: id, in: database)
    for table in ["uses", "waiting"] {
      // A report that uses a file and waits for a better one counts once.
      let others =
        table == "waiting"
        ? " AND NOT EXISTS (SELECT 1 FROM uses WHERE image = ?1 AND uses.report = waiting.report)"
        : ""
      let rows = try database.prepare(
        "SELECT count(*) AS count, max(report) AS last_report FROM \(table) WHERE image = ?1"
          + others, [image])
      guard try rows.step(), try rows.int("count") > 0 else { continue }
      use.reports += try rows.count("count")
      // Reports are numbered in the order of their arrival.
      if let received = try database.integer(
        "SELECT received FROM reports WHERE id = ?1", rows.int("last_report"))
      {
        let time = Timestamp(microseconds: received)
        use.lastNeeded = max(use.lastNeeded ?? time, time)
      }
    }
    let rows = try database.prepare(
      """
      SELECT apps.name AS app_name, version, build
      FROM image_builds JOIN apps ON apps.id = image_builds.app
      WHERE debug_id = ?1 AND (version != '' OR build != '')
      """, [id])
    while try rows.step() { try add(build(rows), to: &use) }
  }

  private static func addReleases(
    of digest: String, to use: inout DebugFileUse, in database: borrowing Connection
  ) throws {
    guard let bytes = CrashStore.Reports.bytes(ofHex: digest) else { return }
    let rows = try database.prepare(
      """
      SELECT apps.name AS app_name, version, build FROM debug_file_releases
        JOIN apps ON apps.id = debug_file_releases.app WHERE digest = ?1
      """, [bytes])
    while try rows.step() { try add(build(rows), to: &use) }
    use.builds.sort {
      $0.app != $1.app ? $0.app < $1.app : $0.release.precedesByNumber($1.release)
    }
  }

  private static func build(
    _ row: borrowing Statement
  ) throws(DatabaseError) -> MissingImage.Build {
    try MissingImage.Build(
      app: row.text("app_name"),
      release: Release(version: row.text("version"), build: row.text("build")))
  }

  private static func add(_ build: MissingImage.Build, to use: inout DebugFileUse) {
    if !use.builds.contains(build) { use.builds.append(build) }
  }

  // MARK: Removals

  private static func removals(
    under limits: DebugFileRetention, at now: Timestamp, grace: Int,
    in database: borrowing Connection
  ) throws -> (removals: [DebugFileRemoval], bytesLeft: Int) {
    let uses = try uses(in: database)
    let kept = try limits.releases.map { try newestReleases($0, in: database) }
    var left = uses.reduce(0) { $0.addingClamped($1.size) }
    var removals: [DebugFileRemoval] = []
    // Files that no report needs are deleted before those that stored reports need.
    for takesNeeded in limits.takesNeeded ? [false, true] : [false] {
      for use in uses where (use.reports > 0) == takesNeeded {
        guard now.seconds - use.added.seconds >= Int64(grace) else { continue }
        let reason: DebugFileRemoval.Reason
        if let since = limits.notNeededSince, use.lastUse < since {
          reason = .age
        } else if let kept, !use.builds.isEmpty, use.builds.allSatisfy({ !kept.contains($0) }) {
          reason = .release
        } else if let bytes = limits.bytes, left > bytes {
          reason = .bytes
        } else {
          continue
        }
        left -= use.size
        removals.append(DebugFileRemoval(file: use, reason: reason))
      }
    }
    return (removals, left)
  }

  /// Returns the newest releases of each app.
  private static func newestReleases(
    _ count: Int, in database: borrowing Connection
  ) throws -> Set<MissingImage.Build> {
    var apps: [(name: String, row: RowID<Tables.Apps>)] = []
    do {
      let rows = try database.prepare("SELECT name, id FROM apps")
      while try rows.step() { try apps.append((rows.text("name"), rows.id("id"))) }
    }
    var newest: Set<MissingImage.Build> = []
    for app in apps {
      var releases: [Release] = []
      let rows = try database.prepare(
        "SELECT version, build FROM releases WHERE app = ?1", [app.row])
      while try rows.step() {
        try releases.append(Release(version: rows.text("version"), build: rows.text("build")))
      }
      for release in try ReleasesTable.order(of: app.row, in: database).sorted(releases).suffix(
        count)
      {
        newest.insert(MissingImage.Build(app: app.name, release: release))
      }
    }
    return newest
  }
}
