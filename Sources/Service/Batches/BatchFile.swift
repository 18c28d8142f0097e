public import Bytes
internal import Compression

/// The file of a batch, opened; see ``BatchFormat``.
///
/// Opening checks head and directory; each block is checked when it is read.
public struct BatchFile: Sendable {
  /// The name of the file, for messages.
  public let path: String
  public let head: BatchHead
  private let bytes: ByteView
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

  /// - Parameters:
  ///   - bytes: The whole file, usually mapped.
  ///   - checksSums: Whether to compare checksums. Without, everything else is checked.
  /// - Throws: ``BatchError`` for a file of another kind or version, and one that is cut off or damaged.
  public init(
    opening bytes: ByteView, named path: String, checksSums: Bool = true
  ) throws(BatchError) {
    do throws(ParseError) {
      self = try BatchFile(bytes, path, checksSums: checksSums)
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  /// Maps a file.
  ///
  /// - Throws: ``BatchError``.
  public init(at path: String) throws(BatchError) {
    let bytes: ByteView
    do throws(FileError) {
      bytes = try ByteView(mapping: path)
    } catch {
      throw .file(error)
    }
    self = try BatchFile(opening: bytes, named: path)
  }

  private init(
    _ bytes: ByteView, _ path: String, checksSums: Bool
  ) throws(ParseError) {
    guard bytes.starts(with: BatchFormat.magic) else {
      throw ParseError(.notRecognised, in: "batch", at: 0)
    }
    self.path = path
    self.bytes = bytes
    self.checksSums = checksSums
    var reader = ByteReader(bytes.bytes, reading: "batch")
    try reader.skip(BatchFormat.magic.count)
    let version: UInt32 = try reader.read()
    guard version == BatchFormat.version else {
      throw ParseError(.unsupported("version \(version)"), in: "batch", at: 8)
    }
    let headSize = Int(try reader.read(UInt32.self))
    let headEnd = BatchFormat.fixedSize + headSize
    let trailer = bytes.count - BatchFormat.trailerSize
    guard headSize <= BatchFormat.mostHeadBytes, headEnd <= trailer else {
      throw ParseError(
        .truncated(needed: headSize + BatchFormat.trailerSize, left: bytes.count), in: "batch",
        at: BatchFormat.fixedSize)
    }
    try reader.seek(to: trailer)
    let start: UInt64 = try reader.read()
    let size = Int(try reader.read(UInt32.self))
    let checksum: UInt32 = try reader.read()
    guard
      bytes.clamped((bytes.count - BatchFormat.end.count)..<bytes.count)
        .starts(with: BatchFormat.end)
    else { throw ParseError(.invalid("no end: the file is cut off"), in: "batch", at: bytes.count) }
    guard let start = Int(exactly: start), start >= headEnd, size <= trailer,
      start == trailer - size
    else { throw ParseError(.invalid("a wrong directory"), in: "batch", at: trailer) }
    let head = bytes.clamped(BatchFormat.fixedSize..<headEnd)
    if checksSums {
      let covered = bytes.clamped(0..<headEnd).array + bytes.clamped(start..<trailer).array
      guard CRC32.checksum(of: ByteView(covered)) == checksum else {
        throw ParseError(.invalid("a wrong checksum"), in: "batch", at: trailer)
      }
    }
    self.head = try BatchHead(head)
    try reader.seek(to: start)
    var sections: [Section] = []
    var next = headEnd
    var allSize = 0
    for _ in BatchSection.allCases {
      let count: UInt64 = try reader.read()
      let blockCount = Int(try reader.read(UInt32.self))
      guard reader.position <= trailer, let count = Int(exactly: count),
        blockCount <= (trailer - reader.position) / BatchFormat.blockEntrySize,
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
    guard next == start, reader.position == trailer else {
      throw reader.error(.invalid("bytes between the parts"))
    }
    guard allSize / BatchFormat.mostExpansion <= bytes.count else {
      throw reader.error(
        .limit(name: "bytes of records for each of the file", value: BatchFormat.mostExpansion))
    }
    self.sections = sections
  }

  private let checksSums: Bool

  /// The number of blocks of a section.
  func blockCount(of section: BatchSection) -> Int { sections[section.rawValue].blocks.count }

  /// The number of records of a section.
  func recordCount(of section: BatchSection) -> Int { sections[section.rawValue].count }

  /// Reads the records of a block.
  func records<Record: BatchRecord>(
    _ type: Record.Type, block index: Int
  ) throws(BatchError) -> [Record] {
    do throws(ParseError) {
      return try read(type, sections[Record.section.rawValue].blocks[index])
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  private func read<Record: BatchRecord>(
    _ type: Record.Type, _ block: Block
  ) throws(ParseError) -> [Record] {
    let stored = bytes.clamped(block.range)
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
