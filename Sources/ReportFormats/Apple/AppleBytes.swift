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

extension RawSpan {
  /// Whether the bytes begin with `text`.
  @inline(__always)
  func hasPrefix(_ text: StaticString) -> Bool { hasText(text, at: 0) }

  /// Whether `text` stands at `start`.
  @inline(__always)
  func hasText(_ text: StaticString, at start: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard start >= 0, byteCount &- start >= count else { return false }
    var index = 0
    while index < count {
      guard unsafe byte(start &+ index) == text.utf8Start[index] else { return false }
      index &+= 1
    }
    return true
  }

  /// Where `text` stands first, from `start` on.
  func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
    guard text.utf8CodeUnitCount > 0 else { return nil }
    let first = unsafe text.utf8Start[0]
    var at = start
    while let found = firstIndex(of: first, from: at) {
      if hasText(text, at: found) { return found }
      at = found &+ 1
    }
    return nil
  }

  /// Where `text` stands last.
  func lastIndex(of text: StaticString) -> Int? {
    var at = byteCount &- text.utf8CodeUnitCount
    while at >= 0 {
      if hasText(text, at: at) { return at }
      at &-= 1
    }
    return nil
  }

  /// The part without blanks, tabs and carriage returns at either end.
  var trimmed: RawSpan {
    @_lifetime(copy self)
    get {
      var start = 0
      var end = byteCount
      while start < end, isBlank(byte(start)) { start &+= 1 }
      while end > start, isBlank(byte(end &- 1)) { end &-= 1 }
      return extracting(start..<end)
    }
  }

  /// The bytes as an unsigned number; `nil` unless all are digits, with `0x` in front if they are
  /// hexadecimal.
  var unsignedNumber: UInt64? {
    let isHexadecimal = byteCount > 2 && byte(0) == UInt8(ascii: "0") && byte(1) | 0x20 == 0x78
    var index = isHexadecimal ? 2 : 0
    guard index < byteCount else { return nil }
    var value: UInt64 = 0
    while index < byteCount {
      guard let digit = hexadecimalDigit(byte(index)), isHexadecimal || digit < 10 else {
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

@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0 }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
