internal import Bytes

extension RawSpan {
  /// The byte at `index`, which must be inside.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) }

  /// Where `byte` stands first, from `start` on; eight bytes a step.
  ///
  /// - Complexity: O(distance).
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let wanted = UInt64(byte) &* ones
    let end = byteCount
    var at = start
    while at &+ 8 <= end {
      let word = UInt64(
        littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
      let mixed = word ^ wanted
      // The lowest high bit that the subtraction sets belongs to the first zero byte.
      let hits = (mixed &- ones) & ~mixed & highs
      if hits != 0 { return at &+ hits.trailingZeroBitCount &>> 3 }
      at &+= 8
    }
    while at < end {
      if self.byte(at) == byte { return at }
      at &+= 1
    }
    return nil
  }
}

/// The value of a hexadecimal digit in either letter case.
@inline(__always)
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- (UInt8(ascii: "a") &- 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- (UInt8(ascii: "A") &- 10)
  default: nil
  }
}
