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
      low = low &+ (number <= value ? half : 0)
      count &-= half
    }
    return number(at: range.lowerBound &+ low &* 4) <= value ? low : -1
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

  @inline(__always)
  func foldedVarint(at offset: inout Int) -> UInt32 {
    let folded = varint(at: &offset)
    return folded &>> 1 ^ (0 &- (folded & 1))
  }
}
