internal import Bytes
internal import Crypto
internal import Database

/// Contents under their own SHA-256, each kept once however often it is stored.
///
/// Small ones are rows of a separate database, large ones and mapped ones are files. Each file has to be
/// synced by itself, which takes a disk ten milliseconds; a transaction with a hundred rows is synced once.
struct ContentStore: Sendable {
  /// Maximum size of a row, compressed, in bytes.
  static let rowLimit = 512 << 10
  /// Contents of reports have two to six KiB. A row that fits is not split, so a page of 8 KiB would hold one
  /// of the larger ones and waste the rest.
  static var options: Connection.Options {
    var options = Connection.Options()
    options.pageSize = 16_384
    options.cacheSize = 64 << 20
    options.logPages = (64 << 20) / options.pageSize
    return options
  }
  /// "Mayb", the mark of the database.
  private static let application: Int32 = 0x4d61_7962
  private static let migrations = Migrations(
    application: application, steps: [schema + ContentAges.schema])
  private static let schema = """
    CREATE TABLE contents (digest BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;

    """

  let folder: BlobFolder
  let database: SharedConnection
  private let path: String

  init(
    in folder: BlobFolder, database path: String, options: Connection.Options
  ) throws {
    self.folder = folder
    self.path = path
    let connection = try Connection(opening: path, options: options)
    try Self.migrations.apply(to: connection)
    database = SharedConnection(connection)
  }

  /// Stores contents; when this returns, they survive a loss of power.
  ///
  /// - Throws: `FileError` or `DatabaseError`, such as on a full disk. Some of the contents may be stored
  ///   then, none in part.
  func write(_ contents: [Content]) throws {
    let rows = contents.filter { !$0.isPlain && $0.bytes.count <= Self.rowLimit }
    let files = contents.filter { $0.isPlain || $0.bytes.count > Self.rowLimit }
    try folder.write(files)
    guard !rows.isEmpty else { return }
    try database.withLock { database in
      try database.transaction { database in
        let now = ContentAges.now
        for row in rows {
          try database.run(
            "INSERT INTO contents (digest, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            row.digest, row.bytes.array)
          if database.changes == 0 { try ContentAges.reuse(row.digest, at: now, in: database) }
        }
        try ContentAges.mark(now, in: database)
      }
    }
  }

  /// Returns the content that was stored under `digest`, a large one mapped.
  ///
  /// - Throws: `StoreError` when it is missing or not what was stored; `DatabaseError`, `FileError`.
  func read(_ digest: [UInt8]) throws -> ByteView {
    let row: [UInt8]? = try database.withLock { database in
      let rows = try database.prepare("SELECT bytes FROM contents WHERE digest = ?1", [digest])
      return try rows.step() ? rows.blob("bytes") : nil
    }
    if let row {
      return try Content.unpack(
        ByteView(row), digest: digest, at: "\(path), content \(SHA256.hex(digest))")
    }
    // A large one is not compressed.
    if try !folder.isCompressed(digest), try folder.has(digest) {
      return try map(digest, isChecked: true)
    }
    return try Content.unpack(
      folder.bytes(of: digest, isPlain: false), digest: digest,
      at: folder.path(of: digest, isPlain: false))
  }

  /// Returns the size of a content on the disk in bytes, in its stored form; `nil` when it is missing. Reads
  /// names and sizes only.
  ///
  /// - Parameter isPlain: Whether it is stored uncompressed whatever its size; others only if they are large.
  /// - Throws: `DatabaseError`; `FileError` where that cannot be determined.
  func storedSize(of digest: [UInt8], isPlain: Bool) throws -> Int? {
    guard !isPlain else { return try folder.size(of: digest, isPlain: true) }
    let row = try database.withLock {
      try $0.integer("SELECT length(bytes) FROM contents WHERE digest = ?1", digest)
    }
    return try row ?? folder.size(of: digest)
  }

  /// Returns the compressed size of a content in bytes; 0 when there is none.
  ///
  /// - Throws: `DatabaseError`.
  func packedSize(_ digest: [UInt8]) throws -> Int {
    let row = try database.withLock {
      try $0.integer("SELECT length(bytes) FROM contents WHERE digest = ?1", digest)
    }
    return try row ?? folder.size(of: digest) ?? 0
  }

  /// Returns the content that was stored uncompressed under `digest`, mapped.
  ///
  /// - Parameter isChecked: Whether to recompute its digest, which reads all of it.
  /// - Throws: `StoreError` when it is missing, or checked and not what was stored; `FileError`.
  func map(_ digest: [UInt8], isChecked: Bool) throws -> ByteView {
    let content = try folder.bytes(of: digest, isPlain: true)
    if isChecked {
      try Content.check(content, digest: digest, at: folder.path(of: digest, isPlain: true))
    }
    return content
  }
}
