public import Bytes
internal import Compression
internal import Files

extension Batch {
  /// Writes the batch to a file without a name, which then gets the name `path`: a file of that name is complete, and
  /// nothing is left of one that is not. Where the file system has no such files, a temporary file is left if the
  /// process is killed.
  ///
  /// - Throws: ``FileError``, such as on a full disk.
  public func write(to path: String) throws {
    let file: UnnamedFile
    do throws(FileError) {
      file = try UnnamedFile(in: Folder.parent(of: path))
    } catch {
      throw FileError("write", path: path, code: error.code)
    }
    try write { (bytes) throws(FileError) in try bytes.write(to: file.file.number, named: path) }
    try file.file.sync(name: path)
    try file.replace(path)
    try Folder.sync(Folder.parent(of: path))
  }

  /// Passes the bytes of the file to `sink`, in order.
  ///
  /// - Parameter isPacked: Whether blocks are compressed.
  public func write(isPacked: Bool = true, to sink: (ByteView) throws -> Void) throws {
    try withoutActuallyEscaping(sink) { sink in
      var writer = BatchFileWriter(sink, isPacked: isPacked)
      try writer.begin(head)
      try writer.write(images)
      try writer.write(files)
      try writer.write(classes)
      try writer.write(reports)
      try writer.finish()
    }
  }
}

/// Writes the file of a batch, section by section; see ``BatchFormat``.
private struct BatchFileWriter {
  private let sink: (ByteView) throws -> Void
  private let isPacked: Bool
  private var offset = 0
  private var front: [UInt8] = []
  private var directory: [UInt8] = []

  init(_ sink: @escaping (ByteView) throws -> Void, isPacked: Bool) {
    self.sink = sink
    self.isPacked = isPacked
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

  mutating func write<Record: BatchRecord>(_ records: [Record]) throws {
    var blocks: [UInt8] = []
    var count: UInt32 = 0
    var encoder = BatchEncoder()
    func close(_ writer: inout BatchFileWriter) throws {
      guard !encoder.bytes.isEmpty else { return }
      let records = ByteView(encoder.bytes)
      guard records.count <= BatchFormat.mostBlockBytes else {
        throw BatchError.tooLarge(bytes: records.count, limit: BatchFormat.mostBlockBytes)
      }
      var frame = writer.isPacked ? try Zstandard.compress(records) : records
      // Readers refuse what grows more: a report with a million equal frames must not cost the others.
      if frame.count >= records.count || records.count / BatchFormat.mostExpansion >= frame.count {
        frame = records
      }
      blocks.append(little: UInt64(writer.offset))
      blocks.append(little: UInt32(frame.count))
      blocks.append(little: UInt32(encoder.bytes.count))
      blocks.append(little: CRC32.checksum(of: frame))
      try writer.put(frame.array)
      encoder.removeAll()
      count += 1
    }
    for record in records {
      record.write(to: &encoder)
      if encoder.bytes.count >= BatchFormat.blockSize { try close(&self) }
    }
    try close(&self)
    directory.append(little: UInt64(records.count))
    directory.append(little: count)
    directory += blocks
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
