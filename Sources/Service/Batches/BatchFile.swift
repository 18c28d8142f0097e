public import Bytes
internal import Compression
public import Files
internal import Glibc

/// The file of a batch, opened; see ``BatchFormat``.
///
/// Opening checks head and directory; each block is checked when it is read.
public struct BatchFile: Sendable {
  /// The name of the file, for messages.
  public let path: String
  public let head: BatchHead
  private let content: BatchContent
  private let sections: [Section]

  private struct Section {
    var count: Int
    var blocks: [Block]
  }

  private struct Block {
    var range: Range<Int>
    var size: Int
    var checksum: UInt32
  }

  /// Whether the file at `path` begins like one; `false` also if it cannot be read.
  public static func isBatch(_ path: String) -> Bool {
    let head = try? ByteView(reading: path, range: 0..<BatchFormat.magic.count)
    return head?.starts(with: BatchFormat.magic) ?? false
  }

  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - checksSums: Whether to compare checksums. Without, everything else is checked.
  /// - Throws: ``BatchError`` for a file of another kind or version, and one that is cut off or damaged.
  public init(
    opening bytes: ByteView, named path: String, checksSums: Bool = true
  ) throws(BatchError) {
    try self.init(.memory(bytes), path, checksSums: checksSums)
  }

  /// Opens a file. Its blocks are read when they are needed.
  ///
  /// - Throws: ``BatchError``.
  public init(at path: String) throws(BatchError) {
    let content: BatchContent
    do throws(FileError) {
      content = try BatchContent(path: path)
    } catch {
      throw .file(error)
    }
    try self.init(content, path)
  }

  /// Opens a file without a name, which stays open.
  ///
  /// - Parameter path: What messages call it.
  /// - Throws: ``BatchError``.
  public init(in file: UnnamedFile, named path: String) throws(BatchError) {
    let content: BatchContent
    do throws(FileError) {
      let status = try file.file.status(name: path)
      content = .unnamed(file, size: Int(status.st_size))
    } catch {
      throw .file(error)
    }
    try self.init(content, path)
  }

  /// - Parameter content: What ``BatchMerge/write(isPacked:to:)`` has written.
  init(_ content: BatchContent, _ path: String, checksSums: Bool = true) throws(BatchError) {
    do {
      try self.init(reading: content, path, checksSums: checksSums)
    } catch let error as ParseError {
      throw .unreadable(path: path, error)
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .unreadable(
        path: path, ParseError(.invalid("\(error)"), in: "batch", at: 0))
    }
  }

  private init(reading content: BatchContent, _ path: String, checksSums: Bool) throws {
    let fixed = try content.part(0..<BatchFormat.fixedSize)
    guard fixed.starts(with: BatchFormat.magic) else {
      throw ParseError(.notRecognised, in: "batch", at: 0)
    }
    self.path = path
    self.content = content
    self.checksSums = checksSums
    var reader = ByteReader(fixed.bytes, reading: "batch")
    try reader.skip(BatchFormat.magic.count)
    let version: UInt32 = try reader.read()
    guard version == BatchFormat.version else {
      throw ParseError(.unsupported("version \(version)"), in: "batch", at: 8)
    }
    let headSize = Int(try reader.read(UInt32.self))
    let headEnd = BatchFormat.fixedSize + headSize
    let trailer = content.count - BatchFormat.trailerSize
    guard headSize <= BatchFormat.mostHeadBytes, headEnd <= trailer else {
      throw ParseError(
        .truncated(needed: headSize + BatchFormat.trailerSize, left: content.count), in: "batch",
        at: BatchFormat.fixedSize)
    }
    let end = try content.part(trailer..<content.count)
    reader = ByteReader(end.bytes, reading: "batch", base: trailer)
    let start: UInt64 = try reader.read()
    let size = Int(try reader.read(UInt32.self))
    let checksum: UInt32 = try reader.read()
    guard
      end.clamped((end.count - BatchFormat.end.count)..<end.count).starts(with: BatchFormat.end)
    else {
      throw ParseError(.invalid("no end: the file is cut off"), in: "batch", at: content.count)
    }
    guard let start = Int(exactly: start), start >= headEnd, size <= trailer,
      start == trailer - size, size <= BatchFormat.mostDirectoryBytes
    else { throw ParseError(.invalid("a wrong directory"), in: "batch", at: trailer) }
    let head = try content.part(BatchFormat.fixedSize..<headEnd)
    let directory = try content.part(start..<trailer)
    if checksSums {
      guard CRC32.checksum(of: ByteView(fixed.array + head.array + directory.array)) == checksum
      else {
        throw ParseError(.invalid("a wrong checksum"), in: "batch", at: trailer)
      }
    }
    self.head = try BatchHead(head)
    reader = ByteReader(directory.bytes, reading: "batch", base: start)
    var sections: [Section] = []
    var next = headEnd
    var allSize = 0
    for _ in BatchSection.allCases {
      let count: UInt64 = try reader.read()
      let blockCount = Int(try reader.read(UInt32.self))
      guard let count = Int(exactly: count),
        blockCount <= reader.remaining / BatchFormat.blockEntrySize,
        (count == 0) == (blockCount == 0), blockCount <= count
      else { throw reader.error(.invalid("a wrong number of records")) }
      var section = Section(count: count, blocks: [])
      for _ in 0..<blockCount {
        let offset: UInt64 = try reader.read()
        let stored = Int(try reader.read(UInt32.self))
        let unpacked = Int(try reader.read(UInt32.self))
        let checksum: UInt32 = try reader.read()
        guard offset == UInt64(next), stored > 0, stored <= start - next,
          (1...BatchFormat.mostBlockBytes).contains(unpacked)
        else { throw reader.error(.invalid("a wrong block")) }
        allSize += unpacked
        section.blocks.append(
          Block(range: next..<(next + stored), size: unpacked, checksum: checksum))
        next += stored
      }
      sections.append(section)
    }
    guard next == start, reader.remaining == 0 else {
      throw reader.error(.invalid("bytes between the parts"))
    }
    guard allSize / BatchFormat.mostExpansion <= content.count else {
      throw reader.error(
        .limit(name: "bytes of records for each of the file", value: BatchFormat.mostExpansion))
    }
    self.sections = sections
  }

  private let checksSums: Bool

  /// The bytes of a section's records.
  func recordBytes(of section: BatchSection) -> Int {
    sections[section.rawValue].blocks.reduce(0) { $0 + $1.size }
  }

  /// The number of blocks of a section.
  func blockCount(of section: BatchSection) -> Int { sections[section.rawValue].blocks.count }

  /// The number of records of a section.
  func recordCount(of section: BatchSection) -> Int { sections[section.rawValue].count }

  /// Reads the records of a block.
  func records<Record: BatchRecord>(
    _ type: Record.Type, block index: Int
  ) throws(BatchError) -> [Record] {
    let block = sections[Record.section.rawValue].blocks[index]
    let stored: ByteView
    do throws(FileError) {
      stored = try content.part(block.range)
    } catch {
      throw .file(error)
    }
    do throws(ParseError) {
      return try read(type, block, stored)
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  private func read<Record: BatchRecord>(
    _ type: Record.Type, _ block: Block, _ stored: ByteView
  ) throws(ParseError) -> [Record] {
    let name = Record.section.name
    guard !checksSums || CRC32.checksum(of: stored) == block.checksum else {
      throw ParseError(
        .invalid("a wrong checksum"), in: name.description, at: block.range.lowerBound)
    }
    var content = stored
    if block.size != stored.count {
      content = try Self.unpacked(stored, block, name)
    }
    var decoder = BatchDecoder(content.bytes, name, at: 0)
    var records: [Record] = []
    while !decoder.isAtEnd {
      guard decoder.position < BatchFormat.blockSize else {
        throw decoder.error("a record that begins too late in its block")
      }
      let record = try Record(from: &decoder)
      guard records.last.map({ Record.order($0, record) < 0 }) ?? true else {
        throw decoder.error("a record out of order")
      }
      records.append(record)
    }
    return records
  }

  private static func unpacked(
    _ stored: ByteView, _ block: Block, _ name: StaticString
  ) throws(ParseError) -> ByteView {
    do throws(CompressionError) {
      // No frame of Zstandard gives more: a run of 128 KiB takes at least four bytes.
      guard block.size / (1 << 15) <= stored.count else {
        throw .tooLarge(format: "zstd", size: UInt64(block.size), limit: stored.count << 15)
      }
      return try Zstandard.decompress(
        stored, size: UInt64(block.size), limit: BatchFormat.mostBlockBytes)
    } catch {
      throw ParseError(.invalid("\(error)"), in: name.description, at: block.range.lowerBound)
    }
  }
}
