extension RawSpan {
  /// A checksum of the bytes in `range`: against damage, not against forgery.
  ///
  /// Eight bytes at a time, s = rotate(s ^ word, 29) * 0x9e3779b97f4a7c15, from `seed` ^ the number of
  /// bytes; the last bytes are filled up with zeros. It stands in files, so it stays as it is.
  ///
  /// - Returns: `seed` where the range is empty or outside.
  /// - Complexity: O(n).
  func checksum(_ range: Range<Int>, seed: UInt64 = 0) -> UInt64 {
    let end = Swift.min(range.upperBound, byteCount)
    let start = range.lowerBound
    guard start >= 0, start < end else { return seed }
    var sum = seed ^ UInt64(truncatingIfNeeded: end &- start)
    var offset = start
    while end &- offset >= 8 {
      let word = UInt64(
        littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
      sum = Self.mix(sum, word)
      offset &+= 8
    }
    var rest: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end {
      rest |= UInt64(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)) &<< shift
      shift &+= 8
      offset &+= 1
    }
    return Self.mix(sum, rest)
  }

  @inline(__always)
  private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum ^ word
    return (mixed &<< 29 | mixed &>> 35) &* 0x9e37_79b9_7f4a_7c15
  }
}
