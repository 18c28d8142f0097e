package import Bytes

/// The container of a PDB 7.0: numbered streams, each a list of blocks of the file.
///
///     OFFSET  SIZE  FIELD
///          0    32  "Microsoft C/C++ MSF 7.00\r\n\x1aDS" and three zeros
///         32     4  size of a block in bytes
///         36     4  block of the free block map
///         40     4  number of blocks
///         44     4  size of the stream directory in bytes
///         48     4  0
///         52     4  block with the numbers of the directory's blocks
///     the directory, itself a stream
///          0     4  number of streams
///          4    4n  size of each in bytes; all ones for one that was deleted
///             then  for each stream the numbers of its blocks, 4 bytes each
///
/// Source: LLVM docs, "The MSF File Format".
package struct MSFFile: Sendable {
  private static let magic = Array("Microsoft C/C++ MSF 7.00\r\n\u{1a}DS\0\0\0".utf8)
  private static let headerSize = 56
  private static let deleted: UInt32 = .max

  /// The whole file.
  package let bytes: ByteView
  private let blockSize: Int
  /// The size of the whole file according to its header, in bytes.
  let announcedSize: UInt64
  private let directory: ByteView
  /// The sizes of the streams in bytes.
  private let sizes: [UInt32]
  /// The offset in the directory of each stream's block numbers.
  private let blockListOffsets: [Int]

  static func isHeader(_ view: ByteView) -> Bool { view.starts(with: magic) }

  /// - Throws: ``ParseError`` when the bytes are not such a file, its directory is not inside them,
  ///   or its streams have more blocks than there are: no two may share one, so all streams
  ///   together are no larger than the file.
  init(parsing view: ByteView) throws(ParseError) {
    guard Self.isHeader(view) else { throw ParseError(.notRecognised, in: "PDB", at: 0) }
    bytes = view
    var reader = ByteReader(view.bytes, reading: "PDB header")
    try reader.seek(to: Self.magic.count)
    let size: UInt32 = try reader.read()
    guard size >= 512, size <= 1 << 16, size & (size - 1) == 0 else {
      throw reader.error(.invalid("blocks of \(size) bytes"))
    }
    blockSize = Int(size)
    try reader.skip(4)
    announcedSize = UInt64(try reader.read(UInt32.self)) * UInt64(size)
    let directorySize = Int(try reader.read(UInt32.self))
    try reader.skip(4)
    let map: UInt32 = try reader.read()
    let blocks = try view.slice(
      at: UInt64(map) * UInt64(size),
      count: UInt64((directorySize + blockSize - 1) / blockSize * 4),
      of: "PDB directory map")
    let directory = try Self.gather(
      blocks, size: directorySize, blockSize: blockSize, in: view, structure: "PDB directory")

    var entries = ByteReader(directory.bytes, reading: "PDB directory")
    let count: UInt32 = try entries.read()
    guard count <= ObjectLimits.pdbStreams, entries.remaining / 4 >= Int(count) else {
      throw entries.error(.invalid("\(count) streams"))
    }
    var sizes: [UInt32] = []
    for _ in 0..<count {
      let size: UInt32 = try entries.read()
      sizes.append(size == Self.deleted ? 0 : size)
    }
    var blockListOffsets: [Int] = []
    var offset = entries.position
    let first = offset
    for size in sizes {
      blockListOffsets.append(offset)
      offset += (Int(size) + blockSize - 1) / blockSize * 4
    }
    guard (offset - first) / 4 <= view.count / blockSize + 1 else {
      throw entries.error(.invalid("\((offset - first) / 4) blocks in \(view.count) bytes"))
    }
    self.directory = directory
    self.sizes = sizes
    self.blockListOffsets = blockListOffsets
  }

  package var streamCount: Int { sizes.count }

  /// The size of a stream in bytes; 0 for a missing one.
  package func size(of stream: Int) -> Int {
    stream >= 0 && stream < sizes.count ? Int(sizes[stream]) : 0
  }

  /// The contents of a stream: a part of the file where its blocks are contiguous, otherwise a
  /// copy. Empty for a missing stream.
  ///
  /// - Throws: ``ParseError`` when a block is outside the file.
  /// - Complexity: O(n) where blocks are not contiguous.
  package func stream(_ stream: Int) throws(ParseError) -> ByteView {
    let size = size(of: stream)
    guard size > 0 else { return .empty }
    let blocks = try directory.slice(
      at: UInt64(blockListOffsets[stream]), count: UInt64((size + blockSize - 1) / blockSize * 4),
      of: "PDB stream \(stream)")
    return try Self.gather(
      blocks, size: size, blockSize: blockSize, in: bytes, structure: "PDB stream \(stream)")
  }

  /// Concatenates blocks.
  ///
  /// - Parameter numbers: The numbers of the blocks, enough for `size` bytes.
  private static func gather(
    _ numbers: ByteView, size: Int, blockSize: Int, in file: ByteView, structure: String
  ) throws(ParseError) -> ByteView {
    guard size <= file.count else {
      throw ParseError(.invalid("\(size) bytes in \(file.count)"), in: structure, at: 0)
    }
    var reader = ByteReader(numbers.bytes, reading: "PDB blocks")
    let first: UInt32 = try reader.read()
    var isInARow = true
    var next = first
    while !reader.isAtEnd {
      let number: UInt32 = try reader.read()
      next = next &+ 1
      if number != next {
        isInARow = false
        break
      }
    }
    if isInARow {
      return try file.slice(
        at: UInt64(first) * UInt64(blockSize), count: UInt64(size), of: structure)
    }
    try reader.seek(to: 0)
    var gathered = Table<UInt8>(minimumCapacity: size)
    while gathered.count < size {
      let number: UInt32 = try reader.read()
      let block = try file.slice(
        at: UInt64(number) * UInt64(blockSize),
        count: UInt64(min(blockSize, size - gathered.count)),
        of: structure)
      gathered.append(contentsOf: block.bytes)
    }
    return ByteView(taking: gathered)
  }
}
