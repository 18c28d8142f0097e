import Bytes
import Compression
import Crypto
import Database
import Glibc
import TestSupport
import Testing
import Workers

@testable import CrashStore

@Suite("Small contents in blocks") struct ContentBlockTests {
  private let folder = ScratchFolder()

  private func open() throws -> ContentStore {
    let path = folder.path("blobs")
    if mkdir(path, 0o700) == 0 { _ = mkdir(path + "/new", 0o700) }
    return try ContentStore(
      in: BlobFolder(path: path), database: path + "/small.db", options: ContentStore.options)
  }

  /// Text that resembles that of other numbers, as reports do.
  private static func text(_ number: Int, lines: Int = 200) -> ByteView {
    ByteView((0..<lines).map { "frame \($0) of report \(number * 7919 % 10_007)\n" }.joined().utf8)
  }

  private static func noise(_ count: Int) -> String {
    var random = SplitMix(seed: UInt64(count))
    return String(
      decoding: (0..<count).map { _ in UInt8(33 + random.next() % 94) }, as: UTF8.self)
  }

  private func integer(_ sql: String, in store: ContentStore) throws -> Int {
    try store.database.withLock { try $0.integer(sql) ?? 0 }
  }

  /// Everything that the blocks hold, read without the store.
  private func blocks(of store: ContentStore) throws -> [UInt8] {
    try store.database.withLock { database in
      let rows = try database.prepare("SELECT bytes FROM blocks ORDER BY id")
      var all: [UInt8] = []
      while try rows.step() {
        all += try Zstandard.decompress(ByteView(rows.blob("bytes")), limit: 1 << 20).array
      }
      return all
    }
  }

  /// Deletes all contents but some.
  private func sweep(_ store: ContentStore, keeping digests: [[UInt8]]) throws {
    let names = try Connection(opening: folder.path("names.db"))
    try names.execute("DROP TABLE IF EXISTS named; CREATE TABLE named (digest BLOB)")
    for digest in digests { try names.run("INSERT INTO named VALUES (?1)", digest) }
    try store.markNow()
    var result = SweepResult()
    try store.sweep(
      ReferenceTable(named: ["SELECT digest FROM named"], part: 0, of: 1, in: names),
      cutoff: ContentAges.now, isDry: false, into: &result)
    try ContentPacking.run(in: store.database)
  }

  @Test(
    "Contents of all sizes are read as they were written, small ones of a batch from few blocks")
  func sizes() throws {
    let store = try open()
    let sizes = [0, 1, 100, 65_535, 262_143, 262_144, 262_145, 600_000]
    var contents = try sizes.map { try Content(ByteView(Self.noise($0).utf8)) }
    contents += try (0..<100).map { try Content(Self.text($0)) }
    #expect(try store.write(contents) == [])
    for store in [store, try open()] {
      for content in contents.shuffled() where content.form == .inBlock {
        #expect(try store.read(content.digest).array == content.bytes.array)
      }
      #expect(try store.read(contents[7].digest).count == 600_000)
    }
    let count = try integer("SELECT count(*) FROM blocks", in: store)
    // Two of the texts, and the two that fill a block by themselves or nearly so.
    #expect(count == 4)
    #expect(try integer("SELECT count(*) FROM contents", in: store) == contents.count)
    // The texts take less space than by themselves.
    let together = try contents.suffix(100).reduce(0) { try $0 + store.packedSize($1.digest) }
    let alone = try contents.suffix(100).reduce(0) { try $0 + Zstandard.compress($1.bytes).count }
    #expect(together * 2 < alone)
  }

  @Test("A content is stored once, whether its equal is in the batch or in the store")
  func equal() throws {
    let store = try open()
    let (one, other) = (try Content(Self.text(1)), try Content(Self.text(2)))
    #expect(try store.write([one, other, one]) == [one.digest])
    #expect(try store.write([one, try Content(Self.text(3))]) == [one.digest])
    #expect(try integer("SELECT count(*) FROM contents", in: store) == 3)
    #expect(try integer("SELECT sum(live) FROM blocks", in: store) == 3 * one.bytes.count)
    // A block with a content that another process stores first.
    let pair = try [4, 1].map { (try Content(Self.text($0)).digest, Self.text($0)) }
    let block = try #require(try ContentBlock.blocks(of: pair).first)
    let again = try store.database.withLock { try BlockTable.add(block, in: $0) }
    #expect(again == [one.digest])
    #expect(try integer("SELECT sum(live) FROM blocks", in: store) == 4 * one.bytes.count)
    // And one of which nothing is new.
    let known = try #require(try ContentBlock.blocks(of: [(one.digest, one.bytes)]).first)
    #expect(try store.database.withLock { try BlockTable.add(known, in: $0) } == [one.digest])
    #expect(try integer("SELECT count(*) FROM blocks WHERE live = 0", in: store) == 0)
    #expect(try store.read(one.digest).array == Self.text(1).array)
  }

  @Test("A block is packed again when a third of it was deleted, and goes with its last content")
  func deletion() throws {
    let store = try open()
    let contents = try (0..<40).map { try Content(Self.text($0)) }
    try store.write(contents)
    let before = try integer("SELECT max(id) FROM blocks", in: store)
    try sweep(store, keeping: contents.dropFirst(10).map(\.digest))
    #expect(try integer("SELECT max(id) FROM blocks", in: store) == before)
    try sweep(store, keeping: contents.dropFirst(20).map(\.digest))
    #expect(try integer("SELECT max(id) FROM blocks", in: store) > before)
    #expect(
      try integer("SELECT sum(size) FROM blocks", in: store)
        == contents.dropFirst(20).reduce(0) { $0 + $1.bytes.count })
    for content in contents.dropFirst(20) {
      #expect(try store.read(content.digest).array == content.bytes.array)
    }
    #expect(throws: StoreError.self) { try store.read(contents[0].digest) }
    try sweep(store, keeping: [])
    #expect(try integer("SELECT count(*) FROM blocks", in: store) == 0)
    #expect(try integer("SELECT count(*) FROM contents", in: store) == 0)
  }

  @Test("Contents that came one at a time are packed together once they fill a block")
  func singles() throws {
    let store = try open()
    let contents = try (0..<60).map { try Content(Self.text($0)) }
    for content in contents.prefix(10) { try store.write([content]) }
    try ContentPacking.run(in: store.database)
    #expect(try integer("SELECT count(*) FROM blocks", in: store) == 10)
    for content in contents.dropFirst(10) { try store.write([content]) }
    let before = try integer("SELECT sum(length(bytes)) FROM blocks", in: store)
    try ContentPacking.run(in: store.database)
    #expect(try integer("SELECT count(*) FROM blocks", in: store) < 4)
    #expect(try integer("SELECT sum(length(bytes)) FROM blocks", in: store) * 3 < before * 2)
    for content in contents { #expect(try store.read(content.digest).array == content.bytes.array) }
  }

  @Test("Contents from before there were blocks are packed, except damaged and large ones")
  func old() throws {
    _ = try open()
    let contents = try (0..<50).map { try Content(Self.text($0)) }
    let large = try Content(Self.text(1, lines: 20_000))
    let small = try Connection(opening: folder.path("blobs/small.db"))
    for content in contents {
      try small.run(
        "INSERT INTO contents (digest, bytes) VALUES (?1, ?2)", content.digest,
        Zstandard.compress(content.bytes).array)
    }
    try small.run(
      "INSERT INTO contents (digest, bytes) VALUES (?1, ?2)", large.digest, large.bytes.array)
    try small.run("UPDATE contents SET bytes = x'00' WHERE digest = ?1", contents[7].digest)
    try small.execute("INSERT INTO unpacked SELECT 0, max(rowid) FROM contents")
    let store = try open()
    #expect(try store.read(contents[3].digest).array == contents[3].bytes.array)
    let rows = try integer("SELECT sum(rowid * rowid) FROM contents", in: store)
    let pages = try integer("SELECT sum(pgsize) FROM dbstat WHERE name = 'contents'", in: store)
    try ContentPacking.run(in: store.database)
    #expect(try integer("SELECT sum(rowid * rowid) FROM contents", in: store) == rows)
    // The space that the rows took is free for others.
    let left = try integer("SELECT sum(pgsize) FROM dbstat WHERE name = 'contents'", in: store)
    #expect(left < pages, "\(left) of \(pages)")
    #expect(try integer("SELECT count(*) FROM contents WHERE block IS NULL", in: store) == 2)
    #expect(try integer("SELECT count(*) FROM unpacked", in: store) == 0)
    for content in contents where content.digest != contents[7].digest {
      #expect(try store.read(content.digest).array == content.bytes.array)
    }
    #expect(throws: StoreError.self) { try store.read(contents[7].digest) }
    #expect(try store.read(large.digest).count == Self.text(1, lines: 20_000).count)
  }

  @Test("A damaged block is named, and neither stops others nor is packed anew")
  func damage() throws {
    let contents = try (0..<100).map { try Content(Self.text($0)) }
    for change in [
      "UPDATE blocks SET bytes = x'00' WHERE id = 1", "DELETE FROM blocks WHERE id = 1",
      "UPDATE blocks SET bytes = (SELECT bytes FROM blocks WHERE id = 2) WHERE id = 1",
      "UPDATE contents SET start = 1000000000 WHERE block = 1",
      "UPDATE contents SET size = -1 WHERE block = 1",
    ] {
      let writing = try open()
      try writing.database.withLock {
        try $0.execute("DELETE FROM contents; DELETE FROM blocks; DELETE FROM sqlite_sequence")
      }
      try writing.write(contents)
      try Connection(opening: folder.path("blobs/small.db")).execute(change)
      let store = try open()
      let lost = try contents.filter { content in
        do {
          return try store.read(content.digest).array != content.bytes.array
        } catch let error as StoreError {
          #expect(error.description.contains("small.db, content \(SHA256.hex(content.digest))"))
          return true
        }
      }
      #expect(!lost.isEmpty && lost.count < 60, "\(change)")
      try sweep(store, keeping: contents.dropFirst(30).map(\.digest))
      for content in contents.suffix(30) {
        #expect(try store.read(content.digest).array == content.bytes.array)
      }
    }
  }

  @Test("Threads that read from more blocks than the cache holds find every content")
  func threads() throws {
    let store = try open()
    let contents = try (0..<1_000).map { try Content(Self.text($0)) }
    try store.write(contents)
    #expect(try integer("SELECT count(*) FROM blocks", in: store) > 12)
    let wrong = Workers.map(count: 4_000, width: 8) { index in
      let content = contents[index * 617 % contents.count]
      return Result { try store.read(content.digest).array == content.bytes.array }
    }.filter { (try? $0.get()) != true }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.first.map { "\($0)" } ?? "")")
  }

  @Test("An archive with a content that is repeated is refused")
  func repeated() throws {
    let loader = try StoreLoader(
      making: folder.path("home"), schema: CrashStore.Archive.schemaVersion)
    let content = try Content(Self.text(1))
    for _ in 0..<2 {
      try loader.load(content: content.bytes, digest: content.digest, isPlain: false)
    }
    #expect(throws: LoadError.repeated(SHA256.hex(content.digest))) { try loader.finish() }
  }

  @Test("Random batches, deletions and packing leave the same contents as a dictionary")
  func random() throws {
    var random = SplitMix(seed: TestSize.seed)
    let store = try open()
    var model: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<60 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        let batch = try (0..<Int.random(in: 1..<30, using: &random)).map { _ in
          try Content(
            Self.text(
              .random(in: 0..<300, using: &random), lines: .random(in: 0..<900, using: &random)))
        }
        try store.write(batch)
        for content in batch { model[content.digest] = content.bytes.array }
      } else {
        for digest in model.keys.sorted(by: { $0.lexicographicallyPrecedes($1) })
        where Int.random(in: 0..<4, using: &random) == 0 { model[digest] = nil }
        try sweep(store, keeping: Array(model.keys))
      }
      for (digest, bytes) in model { #expect(try store.read(digest).array == bytes) }
      #expect(try integer("SELECT count(*) FROM contents", in: store) == model.count)
      #expect(
        try integer("SELECT sum(live) FROM blocks", in: store)
          == model.values.reduce(0) { $0 + $1.count })
    }
    let all = try blocks(of: store)
    #expect(all.count * 2 <= model.values.reduce(0) { $0 + $1.count } * 3 + 2)
  }
}
