extension RawSpan {
  /// The byte at `index`, which must be inside.
  @inlinable
  @inline(__always)
  public func byte(_ index: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }

  /// All bytes as one number: hexadecimal digits after `0x`, or decimal digits; `nil` for anything
  /// else and for more than 64 bits.
  ///
  /// - Complexity: O(n).
  public var unsignedNumber: UInt64? {
    let isHexadecimal = byteCount > 2 && byte(0) == UInt8(ascii: "0") && byte(1) | 0x20 == 0x78
    var index = isHexadecimal ? 2 : 0
    guard index < byteCount else { return nil }
    var value: UInt64 = 0
    while index < byteCount {
      guard let digit = byte(index).hexadecimalDigit, isHexadecimal || digit < 10 else {
        return nil
      }
      let (product, overflow) = value.multipliedReportingOverflow(by: isHexadecimal ? 16 : 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      guard !overflow, !carry else { return nil }
      value = sum
      index &+= 1
    }
    return value
  }
}

extension UInt8 {
  /// Whether it is one of the bytes of `text`: `"-_.".utf8.contains` without what that costs in generic code.
  @inlinable
  @inline(__always)
  public func isOne(of text: StaticString) -> Bool {
    var index = 0
    while index < text.utf8CodeUnitCount {
      if unsafe text.utf8Start[index] == self { return true }
      index &+= 1
    }
    return false
  }

  /// The value of a hexadecimal digit in either letter case.
  @inlinable
  @inline(__always)
  public var hexadecimalDigit: UInt8? {
    if self &- UInt8(ascii: "0") < 10 { return self &- UInt8(ascii: "0") }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
}
