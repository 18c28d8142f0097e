extension RawSpan {
  /// A number that equal bytes share, for look-up tables inside one process run; two may share one
  /// that do not, so compare the bytes as well.
  ///
  /// - Parameter seed: A random number, the same for all that are compared: whoever chooses the bytes
  ///   could else make them all collide.
  /// - Complexity: O(`count`).
  @inlinable
  public func contentHash(from start: Int, count: Int, seed: UInt64 = 0) -> UInt64 {
    let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
    var hash = UInt64(truncatingIfNeeded: count) &* prime ^ seed
    var offset = start
    let end = start &+ count
    while end &- offset >= 8 {
      let word = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let product = (hash ^ word).multipliedFullWidth(by: prime)
      hash = product.high ^ product.low
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < end {
      rest = rest &<< 8 | UInt64(unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    let product = (hash ^ rest ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(by: prime)
    return product.high ^ product.low
  }

  /// Whether `count` bytes at `start` equal those of `other` at `otherStart`; false where either ends
  /// before.
  @inlinable
  public func matches(
    from start: Int, count: Int, in other: RawSpan, from otherStart: Int
  ) -> Bool {
    guard start >= 0, otherStart >= 0, count >= 0, start <= byteCount &- count,
      otherStart <= other.byteCount &- count
    else { return false }
    var done = 0
    while count &- done >= 8 {
      let left = unsafe unsafeLoadUnaligned(fromByteOffset: start &+ done, as: UInt64.self)
      let right = unsafe other.unsafeLoadUnaligned(
        fromByteOffset: otherStart &+ done, as: UInt64.self)
      if left != right { return false }
      done &+= 8
    }
    while done < count {
      let left = unsafe unsafeLoad(fromByteOffset: start &+ done, as: UInt8.self)
      let right = unsafe other.unsafeLoad(fromByteOffset: otherStart &+ done, as: UInt8.self)
      if left != right { return false }
      done &+= 1
    }
    return true
  }

  /// How many bytes stand from `start` to the next NUL or the end, `limit` at most.
  ///
  /// - Complexity: O(length).
  @inlinable
  public func textLength(from start: Int, limit: Int) -> Int {
    guard start >= 0, start < byteCount else { return 0 }
    let end = start &+ Swift.min(limit, byteCount &- start)
    var offset = start
    while end &- offset >= 8 {
      let word = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 {
        return offset &- start &+ UInt64(littleEndian: zeros).trailingZeroBitCount / 8
      }
      offset &+= 8
    }
    while offset < end, unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) != 0 {
      offset &+= 1
    }
    return offset &- start
  }
}
