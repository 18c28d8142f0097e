/// The bytes of a cache; reads outside them give 0.
struct CacheBytes: ~Escapable {
  private let span: RawSpan

  @_lifetime(copy span)
  init(_ span: RawSpan) { self.span = span }

  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < span.byteCount else { return 0 }
    return unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  func number(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= span.byteCount &- 4 else { return 0 }
    return UInt32(
      littleEndian: unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The index of the last of the sorted numbers in `range` that is not above `value`, or -1.
  ///
  /// - Parameter index: Which part of the header's index has some of the numbers.
  @inline(__always)
  func search(_ range: Range<Int>, index: Int, for value: UInt32) -> Int {
    let count = range.count / 4
    let stride = SymbolCacheFormat.indexStride(count)
    let start = SymbolCacheFormat.index &+ index &* (SymbolCacheFormat.indexCount &* 4)
    let first = search(start..<(start &+ SymbolCacheFormat.indexCount &* 4), for: value)
    if first < 0 { return -1 }
    let place = first &* stride
    // All ones are not above all ones, where the index has no number.
    guard place < count else { return search(range, for: value) }
    let end = min(place &+ stride, count)
    let found = search(
      (range.lowerBound &+ place &* 4)..<(range.lowerBound &+ end &* 4), for: value)
    return found < 0 ? -1 : place &+ found
  }

  /// The same in numbers that no index has.
  ///
  /// Without a branch that depends on the numbers: it would be guessed wrong every second time.
  @inline(__always)
  func search(_ range: Range<Int>, for value: UInt32) -> Int {
    var count = range.count / 4
    guard count > 0, range.lowerBound >= 0, range.upperBound <= span.byteCount else { return -1 }
    let numbers = span.extracting(range)
    var low = 0
    while count > 1 {
      let half = count &>> 1
      // Inside the section: low + half < count of the numbers, always.
      let number = UInt32(
        littleEndian: unsafe numbers.unsafeLoadUnaligned(
          fromUncheckedByteOffset: (low &+ half) &* 4, as: UInt32.self))
      // All ones where the number is above the value.
      let above = (Int(value) &- Int(number)) &>> 63
      low &+= half & ~above
      count &-= half
    }
    return number(at: range.lowerBound &+ low &* 4) <= value ? low : -1
  }

  /// How many of the sixteen numbers of two bytes from `offset` on are not above `value`; 0 where they
  /// are not all inside the cache.
  @inline(__always)
  func countUpTo(_ value: UInt32, at offset: Int) -> Int {
    guard offset >= 0, offset <= span.byteCount &- SymbolCacheFormat.blockStarts else { return 0 }
    let limit = Int32(truncatingIfNeeded: min(value, SymbolCacheFormat.blockReach))
    var above: Int32 = 0
    for slot in 0..<SymbolCacheFormat.blockCount {
      // Inside the cache by the test above.
      let number = UInt16(
        littleEndian: unsafe span.unsafeLoadUnaligned(
          fromUncheckedByteOffset: offset &+ slot &* 2, as: UInt16.self))
      // Less one where the number is above the limit.
      above &+= (limit &- Int32(number)) &>> 31
    }
    return SymbolCacheFormat.blockCount &+ Int(above)
  }

  /// The varint at `offset`, which moves behind it; at most five bytes.
  @inline(__always)
  func varint(at offset: inout Int) -> UInt32 {
    let first = byte(at: offset)
    offset &+= 1
    if first < 0x80 { return UInt32(first) }
    var value = UInt32(first & 0x7f)
    var shift: UInt32 = 7
    while shift < 35 {
      let byte = byte(at: offset)
      offset &+= 1
      value |= UInt32(byte & 0x7f) &<< shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    return value
  }

  /// The same without a branch on the length, for numbers of mixed lengths.
  @inline(__always)
  func mixedVarint(at offset: inout Int) -> UInt32 {
    guard offset >= 0, offset <= span.byteCount &- 8 else { return varint(at: &offset) }
    let word = UInt64(
      littleEndian: unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    // The first byte without its high bit ends the number; the bytes behind it are masked off.
    let ends = ~word & 0x80_8080_8080
    let bits = word & (ends ^ (ends &- 1))
    offset &+= min(ends.trailingZeroBitCount &>> 3, 4) &+ 1
    let value =
      bits & 0x7f | bits &>> 1 & 0x3f80 | bits &>> 2 & 0x1f_c000 | bits &>> 3 & 0xfe0_0000
      | bits &>> 4 & 0x7_f000_0000
    return UInt32(truncatingIfNeeded: value)
  }

  @inline(__always)
  func foldedVarint(at offset: inout Int) -> UInt32 {
    let folded = varint(at: &offset)
    return folded &>> 1 ^ (0 &- (folded & 1))
  }
}
