public import Bytes

/// The fields of one line of a Breakpad symbol file, read from left to right.
///
/// Fields are apart by one space or more. A field that is not of the asked form is `nil`, and the
/// line is not to be read on.
public struct BreakpadLine: ~Escapable {
  @usableFromInline let bytes: RawSpan
  @usableFromInline var position: Int
  @usableFromInline let end: Int

  @inlinable
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, from start: Int, to end: Int) {
    self.bytes = bytes
    position = start
    self.end = end
  }

  /// The kind of the line; its first word is read, except for ``BreakpadRecord/line``.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func record() -> BreakpadRecord {
    guard position < end else { return .line }
    switch bytes.byte(position) {
    case UInt8(ascii: "F"):
      if takes("FUNC ") { return .function }
      if takes("FILE ") { return .file }
    case UInt8(ascii: "I"):
      if takes("INLINE ") { return .inline }
      if takes("INLINE_ORIGIN ") { return .inlineOrigin }
      if takes("INFO ") { return .info }
    case UInt8(ascii: "P"):
      if takes("PUBLIC ") { return .publicSymbol }
    case UInt8(ascii: "S"):
      if takes("STACK CFI ") { return .stackCFI }
      if takes("STACK WIN ") { return .stackWin }
    case UInt8(ascii: "M"):
      if takes("MODULE ") { return .module }
    default: break
    }
    return .line
  }

  /// Reads `word`, which ends with its space, if it stands next.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func takes(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard end &- position >= count else { return false }
    let start = position
    for index in 0..<count {
      let wanted = unsafe word.utf8Start[index]
      guard bytes.byte(start &+ index) == wanted else { return false }
    }
    position &+= count
    return true
  }

  /// The range of a line `STACK CFI INIT`, after `STACK CFI `; `nil` for other rules.
  @_lifetime(self: copy self)
  public mutating func unwoundRange() -> Range<UInt64>? {
    guard takes("INIT "), let start = hexadecimal(), let size = hexadecimal(), size > 0 else {
      return nil
    }
    let end = start.addingReportingOverflow(size)
    return end.overflow ? nil : start..<end.partialValue
  }

  /// Whether nothing but spaces is left.
  @inlinable
  public var isAtEnd: Bool {
    @_lifetime(self: copy self)
    mutating get {
      skipSpaces()
      return position >= end
    }
  }

  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func skipSpaces() {
    while position < end, bytes.byte(position) == UInt8(ascii: " ") { position &+= 1 }
  }

  /// The next field as a hexadecimal number of up to 64 bits.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func hexadecimal() -> UInt64? {
    skipSpaces()
    let start = position
    var value: UInt64 = 0
    while position < end {
      let byte = bytes.byte(position)
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        value = value &<< 4 | UInt64(digit)
      } else {
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        guard letter < 6 else { break }
        value = value &<< 4 | UInt64(letter &+ 10)
      }
      position &+= 1
    }
    return isField(from: start, atMost: 16) ? value : nil
  }

  /// The next field as a decimal number of up to 32 bits.
  @inlinable
  @inline(__always)
  @_lifetime(self: copy self)
  public mutating func decimal() -> UInt32? {
    skipSpaces()
    let start = position
    var value: UInt64 = 0
    while position < end {
      let digit = bytes.byte(position) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      position &+= 1
    }
    return isField(from: start, atMost: 18) ? UInt32(exactly: value) : nil
  }

  /// Whether what was read from `start` on is a whole field of this many digits.
  @inlinable
  @inline(__always)
  func isField(from start: Int, atMost digits: Int) -> Bool {
    position > start && position &- start <= digits
      && (position == end || bytes.byte(position) == UInt8(ascii: " "))
  }

  /// Where the next field lies in the bytes; empty at the end.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func word() -> Range<Int> {
    skipSpaces()
    let start = position
    while position < end, bytes.byte(position) != UInt8(ascii: " ") { position &+= 1 }
    return start..<position
  }

  /// Where the rest of the line lies in the bytes, without the space before it; empty at the end.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func rest() -> Range<Int> {
    if position < end, bytes.byte(position) == UInt8(ascii: " ") { position &+= 1 }
    let range = position..<end
    position = end
    return range
  }
}
