internal import Bytes
internal import Crypto
internal import Database
internal import Files
internal import Glibc
public import Identifiers
public import Leases
public import ServerStore

/// Uploads in several steps, as App Center's clients make them. Sent data is stored in a folder until it is
/// committed.
public struct BlobUploads: Sendable {
  let store: ServerStore
  public let limits: UploadLimits

  public init(in store: ServerStore, limits: UploadLimits = UploadLimits()) {
    self.store = store
    self.limits = limits
  }

  /// Maximum time from announcing an upload to its end, in seconds.
  public static let lifetime: Int64 = 24 * 3_600
  /// The kind of uploads that are files of releases.
  public static let releaseKind = "Release"

  /// Announces an upload.
  ///
  /// - Parameter caller: The id of a token.
  /// - Returns: The upload, and the signature that its sender has to present.
  /// - Throws: ``UploadRefusal`` where too many are in progress.
  public func begin(
    app: String, kind: String, fileName: String?, version: String?, build: String?,
    caller: String = "", now: Timestamp
  ) throws -> (upload: Upload, signature: String) {
    let id = RandomBytes.hex(16)
    let signature = RandomBytes.hex(32)
    try store.write { database in
      try admit(caller, in: database)
      try database.insert(
        into: "uploads",
        [
          "id": id, "app": app, "kind": kind, "file_name": Self.value(fileName),
          "version": Self.value(version), "build": Self.value(build),
          "signature": Self.hash(signature), "created": now.microseconds, "caller": caller,
          "status": "created",
        ])
    }
    let path = folder(of: id)
    for folder in [store.home + "/uploads", path] { try Folder.make(folder) }
    let upload = Upload(
      id: id, app: app, kind: kind, fileName: fileName, version: version, build: build,
      created: now.wholeMicroseconds, committed: nil, status: .created, size: 0, symbols: [],
      announced: nil, author: nil, artefact: nil, problem: nil)
    return (upload, signature)
  }

  /// The folder for the pieces of an upload.
  func folder(of id: String) -> String { "\(store.home)/uploads/\(id)" }

  /// Whether `signature` was issued for an upload that may still be sent: it ends with the token that began
  /// it.
  public func mayReceive(_ id: String, signature: String, now: Timestamp) throws -> Bool {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT signature, created FROM uploads WHERE id = ?1 AND status = '\(Upload.Status.created)'
          AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.id = uploads.caller
            AND (revoked IS NOT NULL OR expires <= ?2))
        """, [id, now.microseconds])
      guard try rows.step() else { return false }
      let isRight = try zip(rows.blob("signature"), Self.hash(signature)).reduce(UInt8(0)) {
        $0 | ($1.0 ^ $1.1)
      }
      return try isRight == 0
        && now.seconds - rows.timestamp("created").seconds < Self.lifetime
    }
  }

  /// Runs `body` while no other request does so for the same upload.
  public func inTurn<Result>(_ id: String, _ body: () throws -> Result) rethrows -> Result {
    // If it has ended meanwhile, the folder for the lease no longer exists.
    let lease = try? store.leases.take(.receiving(upload: id), isShared: false, waits: true)
    defer { withExtendedLifetime(lease) {} }
    return try body()
  }

  /// Begins to store an upload.
  ///
  /// - Returns: `nil` while another process stores it, or where its data was deleted.
  public func beginStoring(_ id: String) -> (any Lease)? {
    (try? store.leases.take(.storing(upload: id))) ?? nil
  }

  /// Ends an upload, whatever its outcome.
  ///
  /// - Parameter problem: The reason for failure.
  public func finish(
    _ id: String, _ status: Upload.Status, size: Int = 0, symbols: [String] = [],
    problem: String? = nil, now: Timestamp
  ) throws {
    // Uploads that are kept unchanged continue to count.
    let kept = [.committed, .processing].contains(status) ? size : 0
    try store.write { database in
      try database.run(
        """
        UPDATE uploads SET status = ?1, committed = ?2, size = ?3, symbols = ?4, problem = ?5, sent = ?6,
          blocks = 0 WHERE id = ?7
        """, status.rawValue, now.microseconds, size, symbols.joined(separator: " "),
        Self.value(problem), kept, id)
    }
  }

  /// Records the client's description of the file that it is about to send.
  public func announce(_ id: String, fileName: String, size: Int) throws {
    try store.write {
      try $0.run(
        """
        UPDATE uploads SET file_name = ?2, announced = ?3
        WHERE id = ?1 AND status = '\(Upload.Status.created)'
        """, id, fileName, size)
    }
  }

  /// Records the user who commits a release's file.
  public func setAuthor(_ author: String, of id: String) throws {
    try store.write { try $0.run("UPDATE uploads SET author = ?2 WHERE id = ?1", id, author) }
  }

  /// Records the number of a release's file.
  public func setArtefact(_ number: Int, of id: String) throws {
    try store.write { try $0.run("UPDATE uploads SET artefact = ?2 WHERE id = ?1", id, number) }
  }

  /// An upload of an app; `nil` for an unknown id.
  public func upload(_ id: String, of app: String) throws -> Upload? {
    try store.read { database in
      let rows = try database.prepare(Self.columns + " WHERE id = ?1 AND app = ?2", [id, app])
      return try rows.step() ? Self.upload(rows) : nil
    }
  }

  /// Records that a symbol of an app is no longer to be requested.
  public func ignore(symbol: String, of app: String) throws {
    try store.write {
      try $0.run(
        "INSERT INTO ignored_symbols (app, symbol) VALUES (?1, ?2) ON CONFLICT DO NOTHING", app,
        symbol)
    }
  }

  /// The symbols of an app that are no longer to be requested.
  public func ignoredSymbols(of app: String) throws -> Set<String> {
    try store.read { database in
      var symbols: Set<String> = []
      let rows = try database.prepare("SELECT symbol FROM ignored_symbols WHERE app = ?1", [app])
      while try rows.step() { try symbols.insert(rows.text("symbol")) }
      return symbols
    }
  }

  /// The app of an upload; `nil` for an unknown id.
  public func app(of id: String) throws -> String? {
    try store.read { try $0.text("SELECT app FROM uploads WHERE id = ?1", id) }
  }

  /// The path of an upload's data, if it is complete.
  public func blob(of id: String) -> String? {
    let path = path(of: .blob, of: id)
    return access(path, R_OK) == 0 ? path : nil
  }

  /// Syncs sent data to disk, for uploads that are kept unchanged.
  public func syncBlob(of id: String) throws {
    let blob = path(of: .blob, of: id)
    try OpenFile.opening(blob).sync(name: blob)
    for path in [folder(of: id), store.home + "/uploads"] { try Folder.sync(path) }
  }

  /// The uploads of an app, newest first.
  public func uploads(of app: String) throws -> [Upload] {
    try store.read { database in
      var uploads: [Upload] = []
      let rows = try database.prepare(
        Self.columns + " WHERE app = ?1 ORDER BY created DESC, id", [app])
      while try rows.step() { try uploads.append(Self.upload(rows)) }
      return uploads
    }
  }

  /// Deletes an upload and its sent data.
  ///
  /// - Returns: Whether it existed.
  public func remove(_ id: String, of app: String) throws -> Bool {
    let isThere = try store.write { database in
      try database.run("DELETE FROM uploads WHERE id = ?1 AND app = ?2", id, app)
      return database.changes > 0
    }
    if isThere { clear(id) }
    return isThere
  }

  /// Deletes the sent data.
  public func clear(_ id: String) {
    let path = folder(of: id)
    for name in FolderNames.of(path) { unlink(path + "/" + name) }
    rmdir(path)
  }

  /// Deletes the sent data of uploads that were never committed.
  public func clearLeftovers(now: Timestamp) throws {
    let oldest = Timestamp(seconds: now.seconds - Self.lifetime)
    let ids = try store.read { database in
      var ids: [String] = []
      let rows = try database.prepare(
        "SELECT id FROM uploads WHERE status = '\(Upload.Status.created)' AND created < ?1",
        [oldest.microseconds])
      while try rows.step() { try ids.append(rows.text("id")) }
      return ids
    }
    for id in ids {
      clear(id)
      try finish(id, .aborted, now: now)
    }
    try forgetEnded()
    try clearFolders(olderThan: oldest)
  }

  private static let columns = """
    SELECT id, app, kind, file_name, version, build, created, committed, status, size, symbols,
      announced, author, artefact, problem
    FROM uploads
    """

  private static func upload(_ row: borrowing Statement) throws(DatabaseError) -> Upload {
    try Upload(
      id: row.text("id"), app: row.text("app"), kind: row.text("kind"),
      fileName: row.optionalText("file_name"),
      version: row.optionalText("version"), build: row.optionalText("build"),
      created: row.timestamp("created"),
      committed: row.optionalTimestamp("committed"),
      status: Upload.Status(rawValue: row.text("status")) ?? .failed, size: row.int("size"),
      symbols: row.text("symbols").split(separator: " ").map(String.init),
      announced: row.optionalInt("announced"), author: row.optionalText("author"),
      artefact: row.optionalInt("artefact"), problem: row.optionalText("problem"))
  }

  private static func value(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }

  private static func hash(_ signature: String) -> [UInt8] {
    SHA256.digest(of: ByteView(signature.utf8))
  }
}
