public import Bytes

/// A number of a document: exact if it is an integer that fits 64 bits.
@usableFromInline
enum JSONNumber: Equatable {
  case whole(magnitude: UInt64, isNegative: Bool)
  case double(Double)
}

extension JSONReader {
  /// The next value as an integer, from `1`, `1.0` or `1e3`.
  ///
  /// - Returns: `nil` when the next value is not a number, and is skipped, or it does not fit.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readInt() throws(ParseError) -> Int? {
    switch try readNumber() {
    case .whole(let magnitude, isNegative: false): Int(exactly: magnitude)
    case .whole(let magnitude, isNegative: true):
      magnitude <= UInt64(Int.max) ? 0 &- Int(magnitude) : magnitude == 1 << 63 ? Int.min : nil
    case .double(let double): Int(exactly: double)
    case nil: nil
    }
  }

  /// The next number from 0 to 2^64-1, exact.
  ///
  /// - Returns: `nil` when the next value is not a number, and is skipped, or it does not fit.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readUInt64() throws(ParseError) -> UInt64? {
    switch try readNumber() {
    case .whole(let magnitude, let isNegative): isNegative && magnitude != 0 ? nil : magnitude
    case .double(let double): UInt64(exactly: double)
    case nil: nil
    }
  }

  /// The next number, to the precision of a `Double`.
  ///
  /// - Returns: `nil` when the next value is not a number, and is skipped.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readDouble() throws(ParseError) -> Double? {
    switch try readNumber() {
    case .whole(let magnitude, let isNegative):
      isNegative ? -Double(magnitude) : Double(magnitude)
    case .double(let double): double
    case nil: nil
    }
  }

  /// `true` or `false`; a number is true unless it is 0.
  ///
  /// - Returns: `nil` when the next value is of another kind, and is skipped.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readBool() throws(ParseError) -> Bool? {
    switch try peek() {
    case .number: return try readDouble().map { $0 != 0 }
    case .bool:
      let isTrue = byte(at: offset) == UInt8(ascii: "t")
      try skipValue()
      return cutOffset == nil ? isTrue : nil
    default:
      try skipValue()
      return nil
    }
  }

  /// An address: a number, or a string of hexadecimal digits with `0x`, or of decimal digits.
  ///
  /// - Returns: `nil` when the next value is of another kind, and is skipped, or it does not fit.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readAddress() throws(ParseError) -> UInt64? {
    guard try peek() == .string else { return try readUInt64() }
    guard let text = try readText() else { return nil }
    return bytes(of: text).unsignedNumber
  }

  /// The next number; `nil` when the next value is of another kind, which is skipped.
  @inlinable
  @_lifetime(self: copy self)
  mutating func readNumber() throws(ParseError) -> JSONNumber? {
    skipSpace()
    let start = offset
    var at = offset
    let isNegative = at < end && byte(at: at) == UInt8(ascii: "-")
    if isNegative { at &+= 1 }
    let digits = at
    var value: UInt64 = 0
    while at < end {
      let digit = byte(at: at) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      at &+= 1
    }
    // Nineteen digits cannot overflow; anything longer or more complex takes the careful path.
    guard at > digits, at &- digits <= 19, at < end, !isNumberByte(byte(at: at)),
      !isNegative || value <= 1 << 63
    else {
      return try readUnusualNumber(from: start)
    }
    offset = at
    isPending = false
    return .whole(magnitude: value, isNegative: isNegative)
  }

  /// Parses fractions, exponents, twenty digits, `NaN`, `Infinity`, a number at the very end, or
  /// rejects the value.
  @inline(never)
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func readUnusualNumber(from start: Int) throws(ParseError) -> JSONNumber? {
    guard try peek() == .number else {
      try skipValue()
      return nil
    }
    var at = start
    while at < end, isNumberByte(byte(at: at)) { at += 1 }
    // Inside a container a number is whole only if something follows it.
    guard at < end || open == 0 else {
      _ = cutHere()
      return nil
    }
    // The longest that can matter: the decimal expansion of a double has fewer digits.
    guard at - start <= 2048 else { throw error(.invalid("a number of \(at - start) bytes")) }
    let text = span.extracting(start..<at).text
    if let value = UInt64(text) {
      offset = at
      isPending = false
      return .whole(magnitude: value, isNegative: false)
    }
    if let value = Int64(text) {
      offset = at
      isPending = false
      return .whole(magnitude: value.magnitude, isNegative: value < 0)
    }
    guard let double = Double(text) else { throw error(.invalid("a number")) }
    offset = at
    isPending = false
    return .double(double)
  }

  /// Whether `byte` can belong to a number, `NaN` and `Infinity` included.
  @inlinable
  @inline(__always)
  func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}
