/// The bytes of a cache; reads outside them give 0.
struct CacheBytes: ~Escapable {
  private let span: RawSpan

  @_lifetime(copy span)
  init(_ span: RawSpan) { self.span = span }

  @inline(__always)
  func number(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= span.byteCount &- 4 else { return 0 }
    // Inside the cache by the test above, as below.
    return UInt32(
      littleEndian: unsafe span.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    guard offset >= 0, offset <= span.byteCount &- 8 else { return 0 }
    return UInt64(
      littleEndian: unsafe span.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The index of the last of the pairs of numbers in `range` whose first one is not above `value`,
  /// or -1. The last pair, which ends them, is not looked at.
  ///
  /// Without a branch that depends on the numbers: it would be guessed wrong every second time.
  @inline(__always)
  func searchPairs(_ range: Range<Int>, for value: UInt32) -> Int {
    var count = range.count / 8 &- 1
    guard count > 0 else { return -1 }
    var low = 0
    while count > 1 {
      let half = count &>> 1
      let number = number(at: range.lowerBound &+ (low &+ half) &* 8)
      // All ones where the number is above the value.
      let above = (Int(value) &- Int(number)) &>> 63
      low &+= half & ~above
      count &-= half
    }
    return number(at: range.lowerBound &+ low &* 8) <= value ? low : -1
  }

  /// How many of the `count` bytes from `offset` on, which ascend, are not above `value`; 0 where
  /// they and as many as sixteen after them are not all inside the cache.
  @inline(__always)
  func countUpTo(_ value: UInt8, of count: Int, at offset: Int) -> Int {
    guard offset >= 0, offset &+ count <= span.byteCount &- 16 else { return 0 }
    let lanes = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let limit = SIMD16<UInt8>(repeating: value)
    var found = 0
    var index = 0
    repeat {
      let bytes = unsafe span.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset &+ index, as: SIMD16<UInt8>.self)
      let rest = SIMD16<UInt8>(repeating: UInt8(truncatingIfNeeded: min(count &- index, 16)))
      let isCounted = (bytes .<= limit) .& (lanes .< rest)
      let ones = SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: isCounted)
      let halves = unsafe unsafeBitCast(ones, to: SIMD2<UInt64>.self)
      // At most sixteen in all, so that the bytes of the sum do not run over.
      let sum = (halves.x &+ halves.y) &* 0x0101_0101_0101_0101
      found &+= Int(truncatingIfNeeded: sum &>> 56)
      index &+= 16
    } while index < count
    return found
  }
}
