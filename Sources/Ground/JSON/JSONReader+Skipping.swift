public import Bytes

extension JSONReader {
  /// Skips the next value, however deep.
  ///
  /// Inside it only strings and brackets are examined. Not recursive.
  ///
  /// - Throws: ``ParseError`` for a wrong bracket, a wrong word, and beyond the depth limit.
  /// - Complexity: O(length).
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skipValue() throws(ParseError) {
    skipSpace()
    isPending = false
    guard offset < end else {
      _ = cutHere()
      return
    }
    switch byte(at: offset) {
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
    default: try skipWord()
    }
  }

  @inlinable
  @_lifetime(self: copy self)
  mutating func skipContainer() throws(ParseError) {
    let outer = open
    repeat {
      guard offset < end else {
        _ = cutHere()
        return
      }
      switch byte(at: offset) {
      case UInt8(ascii: "\""): guard try scanString() != nil else { return }
      case UInt8(ascii: "{"): try push(1)
      case UInt8(ascii: "["): try push(0)
      case UInt8(ascii: "}"):
        guard objects & 1 == 1 else { throw unexpected("the end of an array") }
        pop()
      case UInt8(ascii: "]"):
        guard objects & 1 == 0 else { throw unexpected("the end of an object") }
        pop()
      default: offset &+= 1
      }
    } while open > outer
    isFirst = false
  }

  /// `true`, `false`, `null` or a number.
  @usableFromInline
  @_lifetime(self: copy self)
  mutating func skipWord() throws(ParseError) {
    let kind = try peek()
    if kind == .number {
      _ = try readNumber()
      return
    }
    let word: StaticString =
      kind == .null ? "null" : byte(at: offset) == UInt8(ascii: "t") ? "true" : "false"
    let count = word.utf8CodeUnitCount
    for index in 0..<min(count, end - offset)
    where unsafe byte(at: offset + index) != word.utf8Start[index] {
      throw unexpected("a value")
    }
    guard end - offset >= count else {
      _ = cutHere()
      return
    }
    offset += count
  }
}
