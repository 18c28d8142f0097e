public import Bytes

extension JSONReader {
  /// The next string.
  ///
  /// - Returns: `nil` when the next value is of another kind, and is skipped, or the string is cut
  ///   off.
  /// - Throws: ``ParseError`` for damage, and for a string longer than the limit.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readString() throws(ParseError) -> String? {
    guard let text = try readText() else { return nil }
    guard text.count <= limits.stringBytes else {
      throw error(.limit(name: "bytes of a string", value: limits.stringBytes))
    }
    return string(text)
  }

  /// The location of the next string, for examining its bytes without a copy.
  ///
  /// - Returns: `nil` when the next value is of another kind, and is skipped, or the string is cut
  ///   off.
  /// - Throws: ``ParseError`` for damage.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readText() throws(ParseError) -> JSONText? {
    skipSpace()
    guard offset < end, byte(at: offset) == UInt8(ascii: "\"") else {
      try skipValue()
      return nil
    }
    isPending = false
    return try scanString()
  }

  /// The raw bytes of a string, with escapes not decoded.
  @inlinable
  @_lifetime(copy self)
  public func bytes(of text: JSONText) -> RawSpan {
    span.extracting(text.start..<(text.start &+ text.count))
  }

  /// A string with its escapes decoded; invalid UTF-8 and lone surrogates become U+FFFD.
  ///
  /// - Complexity: O(length).
  @inlinable
  @_lifetime(self: copy self)
  public mutating func string(_ text: JSONText) -> String {
    let bytes = span.extracting(text.start..<(text.start &+ text.count))
    return text.isEscaped ? Self.unescaped(bytes) : bytes.text
  }

  /// Scans the string whose quote is at the offset; `nil` when it is cut off.
  ///
  /// Eight bytes a step: the subtraction sets the high bit of the first byte that is zero after the
  /// exclusive or, which is the first quote or backslash.
  @inlinable
  @_lifetime(self: copy self)
  mutating func scanString() throws(ParseError) -> JSONText? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let start = offset &+ 1
    var at = start
    var isEscaped = false
    while true {
      if at &+ 8 <= end {
        let word = UInt64(
          littleEndian: unsafe span.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
        let quote = word ^ 0x2222_2222_2222_2222
        let slash = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let hits =
          ((quote &- ones) & ~quote & highs) | ((slash &- ones) & ~slash & highs)
        if hits == 0 {
          at &+= 8
          continue
        }
        at &+= hits.trailingZeroBitCount &>> 3
      } else {
        while at < end, byte(at: at) != UInt8(ascii: "\""), byte(at: at) != UInt8(ascii: "\\") {
          at &+= 1
        }
      }
      // An escape counts as two bytes here: the digits after \u contain neither mark.
      guard at < end else {
        _ = cutHere()
        return nil
      }
      if byte(at: at) == UInt8(ascii: "\"") { break }
      isEscaped = true
      at &+= 2
    }
    offset = at &+ 1
    return JSONText(start: start, count: at &- start, isEscaped: isEscaped)
  }

  /// Decodes the escapes of RFC 8259, section 7; an unknown one yields its own character.
  @inline(never)
  @usableFromInline
  static func unescaped(_ text: RawSpan) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.byteCount)
    var at = 0
    while at < text.byteCount {
      let byte = text.byte(at)
      at += 1
      guard byte == UInt8(ascii: "\\"), at < text.byteCount else {
        bytes.append(byte)
        continue
      }
      let escape = text.byte(at)
      at += 1
      switch escape {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "u"): bytes.append(contentsOf: unicode(text, at: &at))
      default: bytes.append(escape)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The UTF-8 of the `\uXXXX` whose digits begin at `at`, with the second half of a pair if there
  /// is one.
  private static func unicode(_ text: RawSpan, at: inout Int) -> [UInt8] {
    guard let first = hexDigits(text, at: at) else { return Array("\u{FFFD}".utf8) }
    at += 4
    if UTF16.isLeadSurrogate(first), at + 6 <= text.byteCount, text.byte(at) == UInt8(ascii: "\\"),
      text.byte(at + 1) == UInt8(ascii: "u"), let second = hexDigits(text, at: at + 2),
      UTF16.isTrailSurrogate(second)
    {
      at += 6
      return Array(String(decoding: [first, second], as: UTF16.self).utf8)
    }
    return Array(String(decoding: CollectionOfOne(first), as: UTF16.self).utf8)
  }

  private static func hexDigits(_ text: RawSpan, at: Int) -> UInt16? {
    guard at + 4 <= text.byteCount else { return nil }
    var value: UInt16 = 0
    for offset in at..<(at + 4) {
      guard let digit = text.byte(offset).hexadecimalDigit else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
