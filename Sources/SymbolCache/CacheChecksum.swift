internal import Bytes

/// The checksums of a cache: against damage, not against forgery.
///
/// Four sums side by side, each of every fourth word of eight bytes, for the processor does not wait
/// for one to work on the next: s = rotate(s ^ word, 29) * 0x9e3779b97f4a7c15, from the number of
/// bytes; then of the four one after the other, and of the words that are left, the last filled up
/// with zeros.
enum CacheChecksum {
  /// Of everything behind the header and the index.
  static func contents(_ file: RawSpan) -> UInt64 {
    sum(of: file, from: SymbolCacheFormat.headerSize, to: file.byteCount, start: 0)
  }

  /// Of the header, whose field for this sum is left out, and of the index.
  ///
  /// - Parameter stretches: Where the section is that is the index.
  static func header(_ file: RawSpan, stretches: Range<Int>) -> UInt64 {
    let start = sum(of: file, from: 0, to: 16, start: 0)
    let end = min(
      max(stretches.upperBound, SymbolCacheFormat.headerSize), SymbolCacheFormat.headerReach)
    return sum(of: file, from: 24, to: end, start: start)
  }

  private static func sum(of file: RawSpan, from start: Int, to end: Int, start seed: UInt64)
    -> UInt64
  {
    let end = min(end, file.byteCount)
    guard start >= 0, start < end else { return seed }
    var sum = seed ^ UInt64(truncatingIfNeeded: end &- start)
    var offset = start
    if end &- offset >= 32 {
      var (first, second, third, fourth) = (sum, sum, sum, sum)
      while end &- offset >= 32 {
        first = mix(first, word(file, offset))
        second = mix(second, word(file, offset &+ 8))
        third = mix(third, word(file, offset &+ 16))
        fourth = mix(fourth, word(file, offset &+ 24))
        offset &+= 32
      }
      sum = mix(mix(mix(first, second), third), fourth)
    }
    while end &- offset >= 8 {
      sum = mix(sum, word(file, offset))
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
  private static func word(_ file: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe file.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum ^ word
    return (mixed &<< 29 | mixed &>> 35) &* 0x9e37_79b9_7f4a_7c15
  }
}
