internal import Bytes
internal import Compression
internal import Crypto

/// Bytes on their way to the disk, with the SHA-256 under which they are found again.
struct Content: Sendable {
  /// Maximum size of a content in bytes.
  static let limit = CrashStore.contentLimit
  /// A content of more bytes, such as a core, is stored uncompressed, so that it can be mapped: neither
  /// storing nor reading it takes memory for all of it.
  static let compressedLimit = 256 << 20
  /// The most bytes of a compressed content. What cannot be compressed grows a little.
  static let packedLimit = compressedLimit + compressedLimit / 128

  /// SHA-256 of the content itself, not of the written bytes.
  let digest: [UInt8]
  /// The bytes to write: compressed, unless ``isPlain``.
  let bytes: ByteView
  /// Whether it is stored uncompressed, so that it can be mapped.
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

  /// Returns the content of `packed`, which must have the SHA-256 `digest`.
  ///
  /// - Parameter path: Its location, for the error.
  /// - Throws: `StoreError` when it is not what was stored.
  static func unpack(_ packed: ByteView, digest: [UInt8], at path: String) throws -> ByteView {
    let content: ByteView
    do {
      content = try Zstandard.decompress(packed, limit: compressedLimit)
    } catch {
      throw StoreError.damagedBlob(path: path, reason: error.description)
    }
    try check(content, digest: digest, at: path)
    return content
  }

  /// - Throws: `StoreError` when the SHA-256 of `content` is not `digest`.
  static func check(_ content: ByteView, digest: [UInt8], at path: String) throws {
    guard SHA256.digest(of: content) == digest else {
      throw StoreError.damagedBlob(path: path, reason: "its SHA-256 differs")
    }
  }
}
