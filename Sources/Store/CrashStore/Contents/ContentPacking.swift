internal import Bytes
internal import Compression
internal import Database
internal import Files

/// Packs contents anew: those of blocks of which a third was deleted, those that came one at a time, and those
/// that were stored before there were blocks.
enum ContentPacking {
  /// The size in bytes below which a block is packed together with others.
  static let smallSize = 64 << 10
  /// Number of contents from before there were blocks that are packed in one transaction.
  private static let portion = 200
  /// Number of bytes, unpacked, that are packed in one transaction.
  private static let portionSize = 2 << 20

  /// Packs all that is worth it, in short transactions.
  ///
  /// - Throws: `DatabaseError`, such as on a full disk; `CompressionError` when memory is short.
  static func run(in database: SharedConnection) throws {
    var last = 0
    while let next = try step(database, { try packBlocks(after: last, in: $0) }) { last = next }
    while try step(database, { try packOld(in: $0) }) {}
  }

  /// Runs one transaction, and then pauses for half of its time: others may be waiting for the database, and
  /// none of them is served in turn.
  private static func step<Result: Sendable>(
    _ database: SharedConnection, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let start = SteadyClock.nanoseconds
    let result = try database.withLock(body)
    SteadyClock.pause(nanoseconds: (SteadyClock.nanoseconds - start) / 2)
    return result
  }

  /// Packs blocks with numbers above `last` as long as they are not too much for one transaction.
  ///
  /// - Returns: The number of the last block that was looked at; `nil` where there was none.
  private static func packBlocks(
    after last: Int, in database: borrowing Connection
  ) throws -> Int? {
    try database.transaction { database in
      var blocks: [Int] = []
      var wasteful: [Int] = []
      var size = 0
      do {
        let rows = try database.prepare(
          """
          SELECT id, live, live * 3 < size * 2 AS is_wasteful FROM blocks
          WHERE (size < \(smallSize) OR live * 3 < size * 2) AND id > ?1 ORDER BY id
          """, [last])
        while size < portionSize, try rows.step() {
          try blocks.append(rows.int("id"))
          if try rows.bool("is_wasteful") { try wasteful.append(rows.int("id")) }
          size += try max(rows.int("live"), 0)
        }
      }
      // Small ones wait until they fill a block.
      try rewrite(size >= ContentBlock.fullSize ? blocks : wasteful, in: database)
      return blocks.last
    }
  }

  /// Moves what is left of some blocks into new ones.
  ///
  /// - Returns: The blocks that are damaged, and stay as they are.
  @discardableResult
  static func rewrite(_ blocks: [Int], in database: borrowing Connection) throws -> [Int] {
    var contents: [(digest: [UInt8], bytes: ByteView)] = []
    var damaged: [Int] = []
    for block in blocks {
      guard let packed = try BlockTable.packed(block, in: database) else { continue }
      guard let bytes = try? ContentBlock.unpack(packed) else {
        damaged.append(block)
        continue
      }
      let rows = try database.prepare(
        "SELECT digest, start, size FROM contents WHERE block = ?1 ORDER BY start", [block])
      var found: [(digest: [UInt8], bytes: ByteView)] = []
      var isWhole = true
      while try rows.step() {
        let part = try? bytes.slice(
          at: UInt64(clamping: rows.int("start")), count: UInt64(clamping: rows.int("size")),
          of: "block")
        guard let part else {
          isWhole = false
          break
        }
        try found.append((rows.blob("digest"), part))
      }
      guard isWhole else {
        damaged.append(block)
        continue
      }
      contents += found
      try database.run("DELETE FROM blocks WHERE id = ?1", block)
    }
    for block in try ContentBlock.blocks(of: contents) {
      let number = try BlockTable.insert(block, in: database)
      for part in block.parts {
        try database.run(
          "UPDATE contents SET block = ?2, start = ?3 WHERE digest = ?1", part.digest, number,
          part.start)
      }
    }
    return damaged
  }

  /// Packs some of the contents that were stored before there were blocks.
  ///
  /// - Returns: Whether there may be more.
  private static func packOld(in database: borrowing Connection) throws -> Bool {
    try database.transaction { database in
      guard let done = try database.integer("SELECT done FROM unpacked"),
        let last = try database.integer("SELECT last FROM unpacked")
      else { return false }
      var contents: [(digest: [UInt8], bytes: ByteView)] = []
      var numbers: [[UInt8]: Int] = [:]
      var (next, count, size) = (done, 0, 0)
      do {
        let rows = try database.prepare(
          """
          SELECT rowid AS number, digest, bytes FROM contents
          WHERE rowid > ?1 AND rowid <= ?2 AND block IS NULL ORDER BY rowid LIMIT ?3
          """, [done, last, portion])
        while size < portionSize, try rows.step() {
          count += 1
          next = try rows.int("number")
          let packed = ByteView(try rows.blob("bytes"))
          // A larger one stays alone, and so does a damaged one.
          guard
            let bytes = try? Zstandard.decompress(packed, limit: ContentBlock.partLimit)
          else { continue }
          size += bytes.count
          let digest = try rows.blob("digest")
          contents.append((digest, bytes))
          numbers[digest] = next
        }
      }
      for block in try ContentBlock.blocks(of: contents) {
        let number = try BlockTable.insert(block, in: database)
        for part in block.parts {
          // Not changed in place: SQLite joins pages that became empty only where rows are deleted.
          try database.run("DELETE FROM contents WHERE digest = ?1", part.digest)
          try database.run(
            """
            INSERT INTO contents (rowid, digest, bytes, block, start, size)
            VALUES (?1, ?2, x'', ?3, ?4, ?5)
            """, numbers[part.digest], part.digest, number, part.start, part.size)
        }
      }
      if count == 0 || next >= last {
        try database.run("DELETE FROM unpacked")
        return false
      }
      try database.run("UPDATE unpacked SET done = ?1", next)
      return true
    }
  }
}
