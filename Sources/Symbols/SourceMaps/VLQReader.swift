internal import Bytes

/// Reads the numbers of a `mappings` text: base 64, five bits a digit, the lowest first; the sixth bit
/// says that another digit follows, the lowest bit of the number is its sign.
///
/// Source: ECMA-426, "Base64 VLQ".
struct VLQReader: ~Escapable {
  let text: RawSpan
  var position: Int

  @_lifetime(copy text)
  init(_ text: RawSpan, at position: Int = 0) {
    self.text = text
    self.position = position
  }

  var isAtEnd: Bool { position >= text.byteCount }
  var byte: UInt8 { text.byte(position) }

  /// Whether a number stands next, and not the end of a segment.
  var hasNumber: Bool {
    position < text.byteCount && byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";")
  }

  /// The next number.
  ///
  /// - Throws: ``ParseError`` for another character, a number that is cut, and one beyond 32 bits.
  @_lifetime(self: copy self)
  mutating func read() throws(ParseError) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard position < text.byteCount, let digit = Self.value(of: text.byte(position)) else {
        throw ParseError(.invalid("not a number in base 64"), in: "mappings", at: position)
      }
      // Thirty-three bits: the sign and a number up to 2^32 - 1, in seven digits.
      guard shift < 35 else {
        throw ParseError(.invalid("a number of more than 32 bits"), in: "mappings", at: position)
      }
      position &+= 1
      value |= UInt64(digit & 31) &<< shift
      shift &+= 5
      if digit & 32 == 0 { break }
    }
    guard value >> 33 == 0 else {
      throw ParseError(.invalid("a number of more than 32 bits"), in: "mappings", at: position)
    }
    let magnitude = Int(value >> 1)
    return value & 1 == 0 ? magnitude : -magnitude
  }

  @inline(__always)
  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte &- 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte &- 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &+ 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
