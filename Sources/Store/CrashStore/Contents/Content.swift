internal import Bytes
internal import Compression
internal import Crypto

/// Bytes on their way to the disk, with the SHA-256 under which they are found again.
struct Content: Sendable {
  /// How a content is stored.
  enum Form: Sendable {
    /// Compressed with others; see ``ContentBlock``.
    case inBlock
    /// By itself, compressed.
    case alone
    /// By itself, uncompressed, so that it can be mapped.
    case plain
  }

  /// Maximum size of a content in bytes.
  static let limit = CrashStore.contentLimit
  /// A content of more bytes, such as a core, is stored uncompressed, so that it can be mapped: neither
  /// storing nor reading it takes memory for all of it.
  static let compressedLimit = 256 << 20
  /// The most bytes of a compressed content. What cannot be compressed grows a little.
  static let packedLimit = compressedLimit + compressedLimit / 128
  /// How many times shorter small contents are when compressed, about.
  private static let usualRatio = 4

  /// SHA-256 of the content itself, not of the written bytes.
  let digest: [UInt8]
  /// The content; compressed where its form is ``Form/alone``.
  let bytes: ByteView
  let form: Form

  var isPlain: Bool { form == .plain }

  /// The bytes that it takes on the disk, about: contents in blocks are compressed when they are written.
  var packedCount: Int { form == .inBlock ? bytes.count / Self.usualRatio : bytes.count }

  /// Takes a content in the form for its size. A small one is copied, since `content` may be a part of a
  /// large file in memory.
  ///
  /// - Throws: `CompressionError` when memory is short, or for more than ``limit`` bytes, which could
  ///   not be read back.
  init(_ content: ByteView) throws(CompressionError) {
    guard content.count <= Self.limit else {
      throw .tooLarge(format: "zstd", size: UInt64(content.count), limit: Self.limit)
    }
    digest = SHA256.digest(of: content)
    if content.count <= ContentBlock.partLimit {
      form = .inBlock
      bytes = ByteView(copying: content.bytes)
    } else if content.count <= Self.compressedLimit {
      form = .alone
      bytes = try Zstandard.compress(content)
    } else {
      form = .plain
      bytes = content
    }
  }

  init(keeping content: ByteView, digest: [UInt8]) {
    self.digest = digest
    bytes = content
    form = .plain
  }

  /// Returns the content itself, as it will be read.
  ///
  /// - Parameter name: What it is, for the error.
  /// - Throws: `StoreError` for bytes that are not those of the digest.
  func unpacked(_ name: String) throws -> ByteView {
    form == .alone ? try Self.unpack(bytes, digest: digest, at: name) : bytes
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
