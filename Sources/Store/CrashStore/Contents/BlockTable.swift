internal import Bytes
internal import Database

/// The tables of blocks and of the contents in them, inside a transaction.
///
/// A row of `contents` either has its own bytes or says where it is in a block. `blocks.live` is how many bytes
/// of a block, unpacked, rows of `contents` name: the rest was deleted.
enum BlockTable {
  /// Step 2 of the database. `unpacked` has the rows that were written before there were blocks, as long as
  /// there are some: the last that was looked at, and the last of all.
  static let schema = """
    CREATE TABLE blocks (
      id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL, live INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX blocks_to_pack ON blocks (id)
      WHERE size < \(ContentPacking.smallSize) OR live * 3 < size * 2;
    ALTER TABLE contents ADD COLUMN block INTEGER;
    ALTER TABLE contents ADD COLUMN start INTEGER;
    ALTER TABLE contents ADD COLUMN size INTEGER;
    CREATE INDEX contents_of_block ON contents (block) WHERE block IS NOT NULL;
    CREATE TABLE unpacked (done INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
    INSERT INTO unpacked SELECT 0, max(rowid) FROM contents HAVING count(*) > 0;
    """

  /// Where a content is.
  enum Place {
    /// Its compressed bytes.
    case alone([UInt8])
    /// A part of a block.
    case part(ContentBlock.Part, block: Int, BlockBytes)
  }

  /// The bytes of a block.
  enum BlockBytes {
    case unpacked(ByteView)
    case packed([UInt8])
    case missing
  }

  static func has(_ digest: [UInt8], in database: borrowing Connection) throws -> Bool {
    try database.integer("SELECT 1 FROM contents WHERE digest = ?1", digest) != nil
  }

  static func find(
    _ digest: [UInt8], _ cache: BlockCache, in database: borrowing Connection
  ) throws -> Place? {
    let rows = try database.prepare(
      "SELECT bytes, block, start, size FROM contents WHERE digest = ?1", [digest])
    guard try rows.step() else { return nil }
    guard let block = try rows.optionalInt("block") else { return .alone(try rows.blob("bytes")) }
    let part = ContentBlock.Part(
      digest: digest, start: try rows.int("start"), size: try rows.int("size"))
    // What the cache has now, another thread may soon push out of it.
    if let known = cache[block] { return .part(part, block: block, .unpacked(known)) }
    let packed = try packed(block, in: database)
    return .part(part, block: block, packed.map { .packed($0) } ?? .missing)
  }

  /// Returns a packed block; `nil` where it is missing.
  static func packed(_ block: Int, in database: borrowing Connection) throws -> [UInt8]? {
    let rows = try database.prepare("SELECT bytes FROM blocks WHERE id = ?1", [block])
    return try rows.step() ? rows.blob("bytes") : nil
  }

  /// Adds a block with those of its contents that are not stored.
  ///
  /// - Returns: The digests of the others.
  static func add(_ block: ContentBlock, in database: borrowing Connection) throws -> [[UInt8]] {
    let number = try insert(block, in: database)
    var known: [ContentBlock.Part] = []
    for part in block.parts {
      try database.run(
        """
        INSERT INTO contents (digest, bytes, block, start, size) VALUES (?1, x'', ?2, ?3, ?4)
        ON CONFLICT DO NOTHING
        """, part.digest, number, part.start, part.size)
      if database.changes == 0 { known.append(part) }
    }
    for part in known { try release(part.size, of: number, in: database) }
    return known.map(\.digest)
  }

  /// Adds a block. Its number was never used before.
  static func insert(_ block: ContentBlock, in database: borrowing Connection) throws -> Int {
    try database.run(
      "INSERT INTO blocks (size, live, bytes) VALUES (?1, ?1, ?2)", block.size, block.packed.array)
    return database.lastRow
  }

  /// Notes that a content of `size` bytes no longer needs its block, and deletes the block with the last one.
  static func release(
    _ size: Int, of block: Int, in database: borrowing Connection
  ) throws {
    try database.run("UPDATE blocks SET live = live - ?2 WHERE id = ?1", block, size)
    try database.run(
      """
      DELETE FROM blocks WHERE id = ?1 AND live <= 0
        AND NOT EXISTS (SELECT 1 FROM contents WHERE block = ?1)
      """, block)
  }

  /// Deletes a content if it is in one of some rows.
  ///
  /// - Returns: Whether it was, and the number of its block if it was in one.
  static func remove(
    _ digest: [UInt8], in found: ClosedRange<Int>, of database: borrowing Connection
  ) throws -> (isRemoved: Bool, block: Int?) {
    var place: (block: Int?, size: Int) = (nil, 0)
    do {
      let rows = try database.prepare(
        "SELECT block, size FROM contents WHERE digest = ?1 AND rowid BETWEEN ?2 AND ?3",
        [digest, found.lowerBound, found.upperBound])
      guard try rows.step() else { return (false, nil) }
      place = (try rows.optionalInt("block"), try rows.optionalInt("size") ?? 0)
    }
    try database.run("DELETE FROM contents WHERE digest = ?1", digest)
    if let block = place.block { try release(place.size, of: block, in: database) }
    return (true, place.block)
  }

  /// Returns the size of a content on the disk in bytes, of a part its share of its block; `nil` when it is
  /// missing.
  static func storedSize(
    of digest: [UInt8], in database: borrowing Connection
  ) throws -> Int? {
    try database.integer(
      """
      SELECT CASE WHEN block IS NULL THEN length(contents.bytes)
        ELSE (SELECT length(blocks.bytes) * contents.size / max(blocks.size, 1)
          FROM blocks WHERE id = contents.block) END
      FROM contents WHERE digest = ?1
      """, digest)
  }
}
