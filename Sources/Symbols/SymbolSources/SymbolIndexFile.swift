internal import Bytes
internal import Compression
internal import ObjectStorage
internal import Synchronization

/// A symbol index, opened; see ``SymbolIndexFormat``.
///
/// Opening checks head and directory; each block is checked when it is first read.
struct SymbolIndexFile: Sendable {
  let head: SymbolIndexHead
  /// The number of files.
  let count: Int
  private let bytes: ByteView
  private let fileBlocks: [Block]
  private let keyBlocks: [Block]
  private let checked: CheckedBlocks
  private let checksSums: Bool

  private struct Block: Sendable {
    let range: Range<Int>
    let checksum: UInt32
    /// The hash of the first key.
    var first: UInt64 = 0
  }

  /// The blocks whose checksum is known to be right.
  private final class CheckedBlocks: Sendable {
    private let starts = Mutex<Set<Int>>([])

    func isKnown(_ block: Block) -> Bool {
      starts.withLock { $0.contains(block.range.lowerBound) }
    }

    func add(_ block: Block) { starts.withLock { _ = $0.insert(block.range.lowerBound) } }
  }

  /// Whether a file is one, by its first bytes.
  static func isIndex(_ head: ByteView) -> Bool { head.starts(with: SymbolIndexFormat.magic) }

  /// - Parameter checksSums: Whether to compare checksums. Without, everything else is checked.
  init(_ bytes: ByteView, checksSums: Bool = true) throws(ParseError) {
    self.checksSums = checksSums
    guard Self.isIndex(bytes) else { throw ParseError(.notRecognised, in: "symbol index", at: 0) }
    var reader = ByteReader(bytes.bytes, reading: "symbol index")
    try reader.skip(SymbolIndexFormat.magic.count)
    let version: UInt32 = try reader.read()
    guard version == SymbolIndexFormat.version else {
      throw ParseError(.unsupported("version \(version)"), in: "symbol index", at: 8)
    }
    let headSize = Int(try reader.read(UInt32.self))
    let headEnd = SymbolIndexFormat.fixedSize + headSize
    let trailer = bytes.count - SymbolIndexFormat.trailerSize
    guard headSize <= SymbolIndexFormat.mostHeadBytes, headEnd <= trailer else {
      throw ParseError(
        .truncated(needed: headSize + SymbolIndexFormat.trailerSize, left: bytes.count),
        in: "symbol index", at: SymbolIndexFormat.fixedSize)
    }
    try reader.seek(to: trailer)
    let start: UInt64 = try reader.read()
    let size = Int(try reader.read(UInt32.self))
    let checksum: UInt32 = try reader.read()
    guard bytes.clamped((bytes.count - 8)..<bytes.count).starts(with: SymbolIndexFormat.end) else {
      throw ParseError(
        .invalid("no end: the file is cut off"), in: "symbol index", at: bytes.count)
    }
    guard let start = Int(exactly: start), start >= headEnd, size <= trailer,
      start == trailer - size, size <= SymbolIndexFormat.mostDirectoryBytes
    else { throw ParseError(.invalid("a wrong directory"), in: "symbol index", at: trailer) }
    let covered = bytes.clamped(0..<headEnd).array + bytes.clamped(start..<trailer).array
    guard !checksSums || CRC32.checksum(of: ByteView(covered)) == checksum else {
      throw ParseError(.invalid("a wrong checksum"), in: "symbol index", at: trailer)
    }
    head = try SymbolIndexHead(bytes.clamped(SymbolIndexFormat.fixedSize..<headEnd))
    self.bytes = bytes
    checked = CheckedBlocks()
    try reader.seek(to: start)
    var next = headEnd
    /// Takes a block that follows the one before it.
    func block(
      _ offset: UInt64, _ size: Int, _ checksum: UInt32, first: UInt64 = 0
    ) throws(ParseError) -> Block {
      guard offset == UInt64(next), size > 0, size <= start - next else {
        throw ParseError(.invalid("a wrong block"), in: "symbol index", at: next)
      }
      defer { next += size }
      return Block(range: next..<(next + size), checksum: checksum, first: first)
    }
    count = Int(try reader.read(UInt32.self))
    let most = SymbolIndexFormat.filesInBlock
    let fileBlockCount = Int(try reader.read(UInt32.self))
    guard fileBlockCount == (count + most - 1) / most,
      fileBlockCount <= reader.remaining / SymbolIndexFormat.fileEntrySize
    else { throw reader.error(.invalid("a wrong number of files")) }
    var fileBlocks: [Block] = []
    for _ in 0..<fileBlockCount {
      let offset: UInt64 = try reader.read()
      let size = Int(try reader.read(UInt32.self))
      fileBlocks.append(try block(offset, size, try reader.read(UInt32.self)))
    }
    let keyBlockCount = Int(try reader.read(UInt32.self))
    guard keyBlockCount <= reader.remaining / SymbolIndexFormat.keyEntrySize else {
      throw reader.error(.invalid("a wrong number of keys"))
    }
    var keyBlocks: [Block] = []
    for _ in 0..<keyBlockCount {
      let first: UInt64 = try reader.read()
      let offset: UInt64 = try reader.read()
      let entries = Int(try reader.read(UInt32.self))
      let checksum: UInt32 = try reader.read()
      guard (1...SymbolIndexFormat.keysInBlock).contains(entries),
        keyBlocks.last.map({ $0.first <= first }) ?? true
      else { throw reader.error(.invalid("a wrong block of keys")) }
      keyBlocks.append(
        try block(offset, entries * SymbolIndexFormat.keySize, checksum, first: first))
    }
    guard next == start, reader.position == trailer else {
      throw reader.error(.invalid("bytes between the parts"))
    }
    self.fileBlocks = fileBlocks
    self.keyBlocks = keyBlocks
  }

  private func content(of block: Block) throws(ParseError) -> ByteView {
    let content = bytes.clamped(block.range)
    if !checksSums || checked.isKnown(block) { return content }
    guard CRC32.checksum(of: content) == block.checksum else {
      throw ParseError(
        .invalid("a wrong checksum"), in: "symbol index", at: block.range.lowerBound)
    }
    checked.add(block)
    return content
  }

  /// The numbers of the files that may be found by a key, in ascending order.
  ///
  /// - Complexity: O(log n), and O(m) in their number.
  func files(by key: SymbolIndexKey) throws(ParseError) -> [Int] {
    let hash = key.hash
    // The last block that begins before the hash may end with it.
    var index = max(keyBlocks.lowerBound { $0.first < hash } - 1, 0)
    var found: [Int] = []
    while index < keyBlocks.count, keyBlocks[index].first <= hash {
      let content = try content(of: keyBlocks[index])
      let count = content.count / SymbolIndexFormat.keySize
      func entry(_ number: Int) -> (hash: UInt64, file: UInt32) {
        let offset = number * SymbolIndexFormat.keySize
        return unsafe (
          content.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian,
          content.bytes.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)
            .littleEndian
        )
      }
      var number = (0..<count).lowerBound { entry($0).hash < hash }
      while number < count, entry(number).hash == hash {
        let file = Int(entry(number).file)
        guard file < self.count else {
          throw ParseError(
            .invalid("a file that is not there"), in: "symbol index",
            at: keyBlocks[index].range.lowerBound)
        }
        if found.last != file { found.append(file) }
        number += 1
      }
      guard number == count else { break }
      index += 1
    }
    return found
  }

  /// The file with a number below ``count``.
  ///
  /// - Complexity: O(``SymbolIndexFormat/filesInBlock``).
  func file(_ number: Int) throws(ParseError) -> IndexedFile {
    let block = fileBlocks[number / SymbolIndexFormat.filesInBlock]
    let content = try content(of: block)
    var reader = ByteReader(
      content.bytes, reading: "symbol index", base: block.range.lowerBound)
    var left = number % SymbolIndexFormat.filesInBlock
    while true {
      let file = try Self.file(&reader)
      if left == 0 { return file }
      left -= 1
    }
  }

  private static func file(_ reader: inout ByteReader) throws(ParseError) -> IndexedFile {
    let path = try text(&reader)
    let size = try reader.readULEB128()
    let state: IndexedFile.State =
      if ObjectAddress.isMeant(by: path) {
        .entityTag(try text(&reader))
      } else {
        .changed(Int64(bitPattern: try reader.readULEB128()))
      }
    let objects = try reader.readULEB128()
    guard let size = Int(exactly: size), objects <= UInt64(reader.remaining / 8) + 1
    else { throw reader.error(.invalid("a wrong file")) }
    var file = IndexedFile(path: path, size: size, state: state)
    if objects > 0 {
      var hashes: [UInt64] = []
      for _ in 1..<objects { hashes.append(try reader.read()) }
      file.objects = hashes
    }
    return file
  }

  private static func text(_ reader: inout ByteReader) throws(ParseError) -> String {
    guard let length = Int(exactly: try reader.readULEB128()) else {
      throw reader.error(.invalid("a wrong text"))
    }
    let span = try reader.readBytes(length)
    let text = unsafe span.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else { throw reader.error(.invalid("a wrong text")) }
    return text
  }
}
