internal import Bytes
internal import Compression

/// Small contents that are compressed as one: a report, its document and its neighbours have most of their
/// text in common, so that together they take a third of the space. Reading one unpacks its block.
struct ContentBlock {
  /// A content in a block.
  struct Part {
    let digest: [UInt8]
    /// Where it begins in the unpacked block, in bytes.
    let start: Int
    let size: Int
  }

  /// Maximum size of a content in a block, in bytes.
  static let partLimit = 256 << 10
  /// The size at which a block is full, in bytes. Larger ones take little less space, and longer to read.
  static let fullSize = 256 << 10
  /// Maximum size of a block in bytes.
  private static let limit = fullSize + partLimit

  let parts: [Part]
  /// Its size, unpacked.
  let size: Int
  /// One zstd frame.
  let packed: ByteView

  /// Packs contents in their order.
  ///
  /// - Throws: `CompressionError` when memory is short.
  static func blocks(of contents: [(digest: [UInt8], bytes: ByteView)]) throws -> [ContentBlock] {
    var blocks: [ContentBlock] = []
    var rest = contents[...]
    while !rest.isEmpty {
      var size = 0
      let block = rest.prefix {
        guard size < fullSize else { return false }
        size += $0.bytes.count
        return true
      }
      try blocks.append(ContentBlock(block, size: size))
      rest = rest.dropFirst(block.count)
    }
    return blocks
  }

  private init(_ contents: ArraySlice<(digest: [UInt8], bytes: ByteView)>, size: Int) throws {
    var parts: [Part] = []
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for content in contents {
      parts.append(Part(digest: content.digest, start: bytes.count, size: content.bytes.count))
      content.bytes.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    self.parts = parts
    self.size = size
    packed = try Zstandard.compress(ByteView(bytes))
  }

  /// Returns the contents of a packed block, one after the other.
  ///
  /// - Throws: `CompressionError` for damage.
  static func unpack(_ packed: [UInt8]) throws(CompressionError) -> ByteView {
    try Zstandard.decompress(ByteView(packed), limit: limit)
  }
}
