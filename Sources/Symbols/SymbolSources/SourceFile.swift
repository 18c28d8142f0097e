internal import Bytes
internal import Crypto
internal import ObjectFormats
internal import Synchronization

/// The bytes of one file that objects were found in, and their digests, worked out when they are
/// first asked for.
final class SourceFile: Sendable {
  private struct Sums {
    var digest: String?
    var checksum: UInt32?
  }

  let bytes: ByteView
  private let sums = Mutex(Sums())

  init(_ bytes: ByteView) { self.bytes = bytes }

  /// SHA-256 in hexadecimal.
  var digest: String {
    sums.withLock { sums in
      let digest = sums.digest ?? SHA256.hex(of: bytes)
      sums.digest = digest
      return digest
    }
  }

  /// One digest for several files: that of their digests, one after the other.
  static func digest(of files: [SourceFile]) -> String {
    guard let first = files.first, files.count > 1 else { return files.first?.digest ?? "" }
    return files.dropFirst().reduce(first.digest) { all, file in
      SHA256.hex(of: ByteView((all + file.digest).utf8))
    }
  }

  /// The checksum that a debug link holds.
  var checksum: UInt32 {
    sums.withLock { sums in
      let checksum = sums.checksum ?? DebugLink.checksum(of: bytes)
      sums.checksum = checksum
      return checksum
    }
  }
}
