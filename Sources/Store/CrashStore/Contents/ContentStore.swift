internal import Bytes
internal import Compression
internal import Crypto
internal import Database

/// Contents under their own SHA-256, each kept once however often it is stored.
///
/// Small ones are in blocks, which are rows of a separate database; larger ones are rows of their own, and the
/// largest and mapped ones are files. Each file has to be synced by itself, which takes a disk ten
/// milliseconds; a transaction with a hundred rows is synced once.
struct ContentStore: Sendable {
  /// Maximum size of a row, compressed, in bytes.
  static let rowLimit = 512 << 10
  /// Each content writes a page of the index of digests, another one than its neighbours: with the usual small
  /// pages that is little.
  static var options: Connection.Options {
    var options = Connection.Options()
    options.cacheSize = 64 << 20
    options.logPages = (64 << 20) / options.pageSize
    return options
  }
  /// "Mayb", the mark of the database.
  private static let application: Int32 = 0x4d61_7962
  private static let migrations = Migrations(
    application: application, steps: [schema + ContentAges.schema, BlockTable.schema])
  private static let schema = """
    CREATE TABLE contents (digest BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;

    """

  let folder: BlobFolder
  let database: SharedConnection
  private let path: String
  private let cache = BlockCache()

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
  /// - Returns: The digests of those that were stored already, and of equal ones all but the first.
  /// - Throws: `FileError` or `DatabaseError`, such as on a full disk; `CompressionError` when memory is short.
  ///   Some of the contents may be stored then, none in part.
  @discardableResult
  func write(_ contents: [Content]) throws -> [[UInt8]] {
    let files = contents.filter(Self.isFile)
    let written = try folder.write(files)
    var seen: Set<[UInt8]> = []
    var repeated = files.map(\.digest).filter { !written.contains($0) || !seen.insert($0).inserted }
    var rows: [Content] = []
    for row in contents where !Self.isFile(row) {
      if seen.insert(row.digest).inserted { rows.append(row) } else { repeated.append(row.digest) }
    }
    guard !rows.isEmpty else { return repeated }
    let known = try database.withLock { database in
      Set(try rows.map(\.digest).filter { try BlockTable.has($0, in: database) })
    }
    // Others need not wait while they are compressed.
    let blocks = try ContentBlock.blocks(
      of: rows.filter { $0.form == .inBlock && !known.contains($0.digest) }
        .map { ($0.digest, $0.bytes) })
    return try database.withLock { database in
      try database.transaction { database in
        let again = try Self.add(rows, blocks, besides: known, in: database)
        let now = ContentAges.now
        for digest in again { try ContentAges.reuse(digest, at: now, in: database) }
        try ContentAges.mark(now, in: database)
        return repeated + again
      }
    }
  }

  private static func isFile(_ content: Content) -> Bool {
    content.form == .plain || content.form == .alone && content.bytes.count > rowLimit
  }

  /// - Parameters:
  ///   - blocks: Those of the rows that were not found before.
  ///   - known: The digests that were.
  /// - Returns: The digests that are stored already.
  private static func add(
    _ rows: [Content], _ blocks: [ContentBlock], besides known: Set<[UInt8]>,
    in database: borrowing Connection
  ) throws -> [[UInt8]] {
    var again: [[UInt8]] = []
    var gone: [(digest: [UInt8], bytes: ByteView)] = []
    for row in rows {
      switch row.form {
      case .plain: continue
      case .alone:
        try database.run(
          "INSERT INTO contents (digest, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
          row.digest, row.bytes.array)
        if database.changes == 0 { again.append(row.digest) }
      case .inBlock:
        guard known.contains(row.digest) else { continue }
        // Another process may have deleted it meanwhile.
        if try BlockTable.has(row.digest, in: database) {
          again.append(row.digest)
        } else {
          gone.append((row.digest, row.bytes))
        }
      }
    }
    for block in try blocks + ContentBlock.blocks(of: gone) {
      again += try BlockTable.add(block, in: database)
    }
    return again
  }

  /// Returns the content that was stored under `digest`, a large one mapped.
  ///
  /// - Throws: `StoreError` when it is missing or not what was stored; `DatabaseError`, `FileError`.
  func read(_ digest: [UInt8]) throws -> ByteView {
    let found = try database.withLock { database in
      // Another process may put it into another block.
      try database.snapshot { try BlockTable.find(digest, cache, in: $0) }
    }
    let place = "\(path), content \(SHA256.hex(digest))"
    switch found {
    case .alone(let bytes): return try Content.unpack(ByteView(bytes), digest: digest, at: place)
    case .part(let part, let block, let stored):
      let bytes = try unpack(stored, block, for: place)
      guard
        let content = try? bytes.slice(
          at: UInt64(clamping: part.start), count: UInt64(clamping: part.size), of: "block")
      else {
        throw StoreError.damagedBlob(path: place, reason: "it is beyond the end of block \(block)")
      }
      try Content.check(content, digest: digest, at: place)
      // Not the block, of which nothing else is needed.
      return ByteView(copying: content.bytes)
    case nil:
      // A large one is not compressed.
      if try !folder.isCompressed(digest), try folder.has(digest) {
        return try map(digest, isChecked: true)
      }
      return try Content.unpack(
        folder.bytes(of: digest, isPlain: false), digest: digest,
        at: folder.path(of: digest, isPlain: false))
    }
  }

  private func unpack(
    _ stored: BlockTable.BlockBytes, _ number: Int, for place: String
  ) throws -> ByteView {
    switch stored {
    case .unpacked(let bytes): return bytes
    case .missing:
      throw StoreError.damagedBlob(path: place, reason: "block \(number) is missing")
    case .packed(let packed):
      do {
        let bytes = try ContentBlock.unpack(packed)
        cache.add(number, bytes)
        return bytes
      } catch {
        throw StoreError.damagedBlob(
          path: place, reason: "block \(number): \(error.description)")
      }
    }
  }

  /// Returns the size of a content on the disk in bytes, in its stored form; `nil` when it is missing. Reads
  /// names and sizes only.
  ///
  /// - Parameter isPlain: Whether it is stored uncompressed whatever its size; others only if they are large.
  /// - Throws: `DatabaseError`; `FileError` where that cannot be determined.
  func storedSize(of digest: [UInt8], isPlain: Bool) throws -> Int? {
    guard !isPlain else { return try folder.size(of: digest, isPlain: true) }
    return try database.withLock { try BlockTable.storedSize(of: digest, in: $0) }
      ?? folder.size(of: digest)
  }

  /// Returns the compressed size of a content in bytes, of a part its share of its block; 0 when there is none.
  ///
  /// - Throws: `DatabaseError`.
  func packedSize(_ digest: [UInt8]) throws -> Int {
    try storedSize(of: digest, isPlain: false) ?? 0
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
