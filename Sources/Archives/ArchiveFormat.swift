internal import Bytes

/// What the first bytes of a file say about how it is packed.
enum ArchiveFormat {
  case zip, tar, gzip, bzip2, xz, zstd

  /// How many bytes of the start are looked at.
  static let headSize = 512

  /// - Parameter head: The first ``headSize`` bytes, or all there are.
  init?(recognising head: ByteView) {
    // The local header, the end record of an empty archive, the mark of a split one.
    // Source: APPNOTE.TXT, sections 4.3.7, 4.3.16, 8.5.3.
    let isZip = [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6], [0x50, 0x4b, 7, 8]].contains {
      head.starts(with: $0)
    }
    if isZip {
      self = .zip
    } else if head.starts(with: [0x1f, 0x8b, 8]) {  // RFC 1952, section 2.3.1
      self = .gzip
    } else if Self.isBzip2(head) {
      self = .bzip2
    } else if head.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) {  // xz format, section 2.1.1.1
      self = .xz
    } else if Self.isZstd(head) {
      self = .zstd
    } else if Self.isTar(head) {
      self = .tar
    } else {
      return nil
    }
  }

  /// "BZh", the block size as a digit, then the mark of a block or of the end.
  private static func isBzip2(_ head: ByteView) -> Bool {
    guard head.count >= 10, head.starts(with: [0x42, 0x5a, 0x68]) else { return false }
    let mark = head.clamped(4..<10)
    return (0x31...0x39).contains(head[3])
      && (mark.starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
        || mark.starts(with: [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))
  }

  /// A frame, or a frame to be skipped, which some writers put first. Source: RFC 8878, section 3.1.
  private static func isZstd(_ head: ByteView) -> Bool {
    guard head.count >= 4 else { return false }
    return head.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || (head[0] & 0xf0 == 0x50 && head.clamped(1..<4).starts(with: [0x2a, 0x4d, 0x18]))
  }

  /// A tar header has no magic in its oldest form, but always a sum over its 512 bytes, with its own
  /// eight bytes taken as blanks. Source: POSIX.1-2017, pax, "ustar Interchange Format".
  private static func isTar(_ head: ByteView) -> Bool {
    guard head.count >= headSize, head[0] != 0 else { return false }
    var stored = 0
    for index in 148..<156 {
      let byte = head[index]
      switch byte {
      case 0x30...0x37: stored = stored << 3 | Int(byte - 0x30)
      case 0, 0x20: continue
      default: return false
      }
    }
    var sum = 0
    for index in 0..<headSize { sum += (148..<156).contains(index) ? 0x20 : Int(head[index]) }
    return sum == stored
  }
}
