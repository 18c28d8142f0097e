internal import Bytes
internal import Files
internal import Glibc

/// Bytes that come in pieces and in unknown number; becomes a ``ByteView`` without a copy.
///
/// Many bytes go to a file without a name, where zeros take no room, and are mapped: the memory of a dump is
/// large, and little of it is read.
struct GrowingBuffer: ~Copyable {
  /// The most bytes that stay in memory.
  static let memoryLimit = 64 << 20
  /// Zeros that are left out of the file where they lie together.
  private static let holeSize = 4096

  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var file: UnnamedFile?
  private(set) var count = 0

  init() {}

  /// - Throws: ``FileError`` when the machine has no memory or no room in the temporary folder left.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    if file == nil, count + bytes.count > Self.memoryLimit {
      let file = try UnnamedFile(in: Self.folder)
      try Self.write(UnsafeRawBufferPointer(start: memory, count: count), to: file, at: 0)
      self.file = file
      free(memory)
      memory = nil
      capacity = 0
    }
    if let file {
      try Self.write(bytes, to: file, at: count)
    } else if bytes.count > capacity - count {
      // realloc moves large blocks by turning pages over, so that doubling copies little.
      let wanted = max(capacity * 2, count + bytes.count, 1 << 12)
      guard let larger = realloc(memory, wanted) else {
        throw FileError("keep", path: "archive", code: ENOMEM)
      }
      memory = larger
      capacity = wanted
    }
    memory?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// The first bytes, at most `count`.
  func head(_ count: Int) throws(FileError) -> ByteView {
    if let file { return try file.file.head(min(count, self.count), name: "archive") }
    return ByteView(UnsafeRawBufferPointer(start: memory, count: min(count, self.count)))
  }

  /// The bytes so far; the buffer is empty afterwards.
  ///
  /// - Throws: ``FileError`` when the file cannot be mapped.
  mutating func take() throws(FileError) -> ByteView {
    defer {
      memory = nil
      file = nil
      capacity = 0
      count = 0
    }
    if let file {
      guard ftruncate(file.file.number, off_t(count)) == 0 else {
        throw FileError("write", path: Self.folder)
      }
      return try ByteView(mapping: file.path)
    }
    guard count > 0, let memory else { return .empty }
    let kept = realloc(memory, count) ?? memory
    return unsafe ByteView(taking: UnsafeRawBufferPointer(start: kept, count: count)) {
      free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
  }

  /// Where large members are unpacked to.
  static var folder: String { Folder.temporary }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to file: UnnamedFile, at offset: Int
  ) throws(FileError) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + holeSize)
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      let isHole = part.count == holeSize && isZero(part)
      var done = isHole ? part.count : 0
      while done < part.count {
        let written = pwrite(
          file.file.number, part.baseAddress?.advanced(by: done), part.count - done,
          off_t(offset + start + done))
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { throw FileError("write", path: folder) }
        done += written
      }
      start = end
    }
  }

  private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    return bytes[0] == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
  }

  deinit { free(memory) }
}
