internal import Bytes
internal import Compression
internal import Hashing

/// Bytes on their way to the disk, with the SHA-256 under which they are found again.
struct Content: Sendable {
  /// The most bytes of a content.
  static let limit = CrashStore.contentLimit
  /// A content of more bytes, such as a core, is kept as it is, so that it can be mapped: neither storing nor
  /// reading it takes memory for all of it.
  static let compressedLimit = 256 << 20
  /// The most bytes that come out of a compressed content; earlier versions compressed larger ones.
  static let unpackedLimit = 1 << 30
  /// The most bytes of a compressed content. What cannot be compressed grows a little.
  static let packedLimit = unpackedLimit + unpackedLimit / 128

  /// Of the content itself, not of what is written.
  let digest: [UInt8]
  /// What is written: compressed, unless ``isPlain``.
  let bytes: ByteView
  /// Kept as it is, so that it can be mapped.
  let isPlain: Bool

  /// - Throws: `CompressionError` when memory is short, or for more than ``limit`` bytes, which could
  ///   not be read back.
  init(compressing content: ByteView) throws(CompressionError) {
    guard content.count <= Self.limit else {
      throw .tooLarge(format: "zstd", size: UInt64(content.count), limit: Self.limit)
    }
    digest = SHA256.digest(of: content)
    isPlain = content.count > Self.compressedLimit
    bytes = try isPlain ? content : Zstandard.compress(content)
  }

  init(keeping content: ByteView, digest: [UInt8]) {
    self.digest = digest
    bytes = content
    isPlain = true
  }

  /// The content of `packed`, which must have the SHA-256 `digest`.
  ///
  /// - Parameter place: Where it was found, for the error.
  /// - Throws: `StoreError` when it is not what was stored.
  static func unpack(_ packed: ByteView, digest: [UInt8], at place: String) throws -> ByteView {
    let content: ByteView
    do {
      content = try Zstandard.decompress(packed, limit: unpackedLimit)
    } catch {
      throw StoreError.damagedBlob(path: place, reason: error.description)
    }
    try check(content, digest: digest, at: place)
    return content
  }

  /// - Throws: `StoreError` when the SHA-256 of `content` is not `digest`.
  static func check(_ content: ByteView, digest: [UInt8], at place: String) throws {
    guard SHA256.digest(of: content) == digest else {
      throw StoreError.damagedBlob(path: place, reason: "its SHA-256 is another")
    }
  }
}
