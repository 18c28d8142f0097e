extension RawSpan {
  /// The little-endian number of four bytes at `offset`; 0 where they are not all inside.
  @inline(__always)
  func word32(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= byteCount &- 4 else { return 0 }
    return UInt32(
      littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The little-endian number of eight bytes at `offset`; 0 where they are not all inside.
  @inline(__always)
  func word64(at offset: Int) -> UInt64 {
    guard offset >= 0, offset <= byteCount &- 8 else { return 0 }
    return UInt64(
      littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The index of the last of the ascending little-endian numbers of four bytes in `range` that is
  /// not above `value`, or -1.
  ///
  /// Without a branch that depends on the numbers: it would be guessed wrong every second time.
  ///
  /// - Complexity: O(log n).
  @inline(__always)
  func lastWord32(notAbove value: UInt32, in range: Range<Int>) -> Int {
    var count = range.count / 4
    guard count > 0, range.lowerBound >= 0, range.upperBound <= byteCount else { return -1 }
    let numbers = extracting(range)
    var low = 0
    while count > 1 {
      let half = count &>> 1
      // Inside the range: low + half < count of the numbers, always.
      let number = UInt32(
        littleEndian: unsafe numbers.unsafeLoadUnaligned(
          fromUncheckedByteOffset: (low &+ half) &* 4, as: UInt32.self))
      // All ones where the number is above the value.
      let above = (Int(value) &- Int(number)) &>> 63
      low &+= half & ~above
      count &-= half
    }
    return word32(at: range.lowerBound &+ low &* 4) <= value ? low : -1
  }

  /// How many of the sixteen little-endian numbers of two bytes from `offset` on are not above
  /// `value`; 0 where they are not all inside.
  @inline(__always)
  func countOfSixteen(notAbove value: UInt16, at offset: Int) -> Int {
    guard offset >= 0, offset <= byteCount &- 32 else { return 0 }
    var above: Int32 = 0
    for slot in 0..<16 {
      // Inside by the test above.
      let number = UInt16(
        littleEndian: unsafe unsafeLoadUnaligned(
          fromUncheckedByteOffset: offset &+ slot &* 2, as: UInt16.self))
      // Less one where the number is above the value.
      above &+= (Int32(value) &- Int32(number)) &>> 31
    }
    return 16 &+ Int(above)
  }
}
