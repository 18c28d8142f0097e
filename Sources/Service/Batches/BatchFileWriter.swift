internal import Bytes
internal import Compression

/// Writes the file of a batch, section by section; see ``BatchFormat``.
struct BatchFileWriter: RecordTarget {
  private let sink: (ByteView) throws -> Void
  private let isPacked: Bool
  private let blockSize: Int
  private var offset = 0
  private var front: [UInt8] = []
  private var directory: [UInt8] = []
  // The section that is open.
  private var encoder = BatchEncoder()
  private var records = 0
  private var blocks: UInt32 = 0
  private var blockEntries: [UInt8] = []

  /// - Parameter blockSize: At most ``BatchFormat/blockSize``.
  init(
    _ sink: @escaping (ByteView) throws -> Void, isPacked: Bool,
    blockSize: Int = BatchFormat.blockSize
  ) {
    self.sink = sink
    self.isPacked = isPacked
    self.blockSize = blockSize
  }

  mutating func begin(_ head: BatchHead) throws {
    let document = head.bytes
    guard document.count <= BatchFormat.mostHeadBytes else {
      throw BatchError.tooLarge(bytes: document.count, limit: BatchFormat.mostHeadBytes)
    }
    front = BatchFormat.magic
    front.append(little: BatchFormat.version)
    front.append(little: UInt32(document.count))
    front += document
    try put(front)
  }

  private mutating func put(_ bytes: [UInt8]) throws {
    try sink(ByteView(bytes))
    offset += bytes.count
  }

  /// Adds a record to the section that is open.
  mutating func add(_ record: some BatchRecord) throws {
    record.write(to: &encoder)
    records += 1
    if encoder.bytes.count >= blockSize { try closeBlock() }
  }

  /// Ends a section; the next record begins another.
  ///
  /// - Returns: The number of its records.
  @discardableResult
  mutating func endSection() throws -> Int {
    try closeBlock()
    directory.append(little: UInt64(records))
    directory.append(little: blocks)
    directory += blockEntries
    defer {
      records = 0
      blocks = 0
      blockEntries = []
    }
    return records
  }

  private mutating func closeBlock() throws {
    guard !encoder.bytes.isEmpty else { return }
    let content = ByteView(encoder.bytes)
    guard content.count <= BatchFormat.mostBlockBytes else {
      throw BatchError.tooLarge(bytes: content.count, limit: BatchFormat.mostBlockBytes)
    }
    var frame = isPacked ? try Zstandard.compress(content) : content
    // Readers refuse what grows more: a report with a million equal frames must not cost the others.
    if frame.count >= content.count || content.count / BatchFormat.mostExpansion >= frame.count {
      frame = content
    }
    blockEntries.append(little: UInt64(offset))
    blockEntries.append(little: UInt32(frame.count))
    blockEntries.append(little: UInt32(content.count))
    blockEntries.append(little: CRC32.checksum(of: frame))
    try put(frame.array)
    encoder.removeAll()
    blocks += 1
  }

  mutating func finish() throws {
    let start = UInt64(offset)
    let size = UInt32(directory.count)
    let checksum = CRC32.checksum(of: ByteView(front + directory))
    var end = directory
    end.append(little: start)
    end.append(little: size)
    end.append(little: checksum)
    end += BatchFormat.end
    try put(end)
  }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(little number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
