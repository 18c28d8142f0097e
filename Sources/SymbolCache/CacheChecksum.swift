internal import Bytes

/// The checksums of a cache: against damage, not against forgery.
///
/// Eight bytes at a time, s = rotate(s ^ word, 29) * 0x9e3779b97f4a7c15, from the number of bytes;
/// the last bytes are filled up with zeros.
enum CacheChecksum {
  /// Of everything behind the header.
  static func contents(_ file: RawSpan) -> UInt64 {
    sum(of: file, from: SymbolCacheFormat.headerSize, to: file.byteCount, start: 0)
  }

  /// Of the header, whose field for this sum counts as zeros, and of the sections in `index`.
  static func header(_ file: RawSpan, index: [Range<Int>]) -> UInt64 {
    var result = sum(of: file, from: 0, to: 16, start: 0)
    result = sum(of: file, from: 24, to: SymbolCacheFormat.headerSize, start: result)
    for section in index {
      result = sum(of: file, from: section.lowerBound, to: section.upperBound, start: result)
    }
    return result
  }

  private static func sum(of file: RawSpan, from start: Int, to end: Int, start seed: UInt64)
    -> UInt64
  {
    let end = min(end, file.byteCount)
    guard start >= 0, start < end else { return seed }
    var sum = seed ^ UInt64(truncatingIfNeeded: end &- start)
    var offset = start
    while end &- offset >= 8 {
      let word = UInt64(
        littleEndian: unsafe file.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
      sum = mix(sum, word)
      offset &+= 8
    }
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      rest |= UInt64(unsafe file.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) &<< shift
      shift &+= 8
      offset &+= 1
    }
    return mix(sum, rest)
  }

  @inline(__always)
  private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum ^ word
    return (mixed &<< 29 | mixed &>> 35) &* 0x9e37_79b9_7f4a_7c15
  }
}
