extension MicrosoftParser {
  /// A string literal, of which a name holds at most 32 bytes.
  ///
  ///     <string> ::= ?_C@_0 <size> <checksum> @ <byte>* @
  ///              ::= ?_C@_1 <size> <checksum> @ <byte>* @     # wchar_t
  mutating func stringLiteral() throws(NameRefusal) -> ID {
    position += 3
    guard takeWord("@_") else { throw .damaged }
    let isWide = next == UInt8(ascii: "1")
    guard isWide || next == UInt8(ascii: "0") else { throw .damaged }
    position += 1
    let size = try unsigned()
    guard size >= (isWide ? 2 : 1) else { throw .damaged }
    _ = try textBeforeAt()
    return isWide ? try wideString(size: size) : try narrowString(size: size)
  }

  /// Two bytes a character, the higher one first.
  private mutating func wideString(size: UInt64) throws(NameRefusal) -> ID {
    let start = tree.strings.count
    let isCut = size > 64
    var left = size
    while !take("@") {
      guard left >= 2, left % 2 == 0 else { throw .damaged }
      let value = UInt32(try stringByte()) << 8 | UInt32(try stringByte())
      // The last one is the NUL.
      if left != 2 || isCut { try escape(value) }
      left -= 2
    }
    return string(.wide, from: start, isCut: isCut)
  }

  private mutating func narrowString(size: UInt64) throws(NameRefusal) -> ID {
    // Some compilers write more than 32 bytes.
    var bytes = InlineArray<128, UInt8>(repeating: 0)
    var count = 0
    while !take("@") {
      guard count < bytes.count else { throw .damaged }
      bytes[count] = try stringByte()
      count += 1
    }
    let start = tree.strings.count
    let isCut = size > count
    let width = Self.width(of: bytes, count: count, size: size)
    for index in 0..<count / width where index + 1 < count / width || isCut {
      var value: UInt32 = 0
      for offset in 0..<width {
        value |= UInt32(bytes[index * width + offset]) << UInt32(8 * offset)
      }
      try escape(value)
    }
    let kind: MicrosoftCharacter = width == 1 ? .char : width == 2 ? .char16 : .char32
    return string(kind, from: start, isCut: isCut)
  }

  /// How wide the characters are: a guess from the NUL at the end, or where that is cut off from how
  /// many bytes are 0.
  private static func width(
    of bytes: InlineArray<128, UInt8>, count: Int, size: UInt64
  ) -> Int {
    guard size % 2 == 0 else { return 1 }
    if size < 32 {
      var zeros = 0
      while zeros < count, bytes[count - 1 - zeros] == 0 { zeros += 1 }
      return zeros >= 4 && size % 4 == 0 ? 4 : zeros >= 2 ? 2 : 1
    }
    var zeros = 0
    for index in 0..<count where bytes[index] == 0 { zeros += 1 }
    return zeros >= 2 * count / 3 && size % 4 == 0 ? 4 : zeros >= count / 3 ? 2 : 1
  }

  private mutating func string(
    _ kind: MicrosoftCharacter, from start: Int, isCut: Bool
  ) -> ID {
    let text = Text(start: Int32(start), count: Int32(tree.strings.count - start))
    return add(.string(kind, text, isCut: isCut))
  }

  ///     <byte> ::= <any but ?> | ?$ <hex digit> <hex digit>
  ///            ::= ? <digit>                   # , / \ : . space newline tab ' -
  ///            ::= ? <letter>                  # 0x80 added
  private mutating func stringByte() throws(NameRefusal) -> UInt8 {
    let letter = try self.letter()
    guard letter == UInt8(ascii: "?") else { return letter }
    let code = try self.letter()
    switch code {
    case UInt8(ascii: "$"):
      guard let high = Self.nibble(try self.letter()), let low = Self.nibble(try self.letter())
      else { throw .damaged }
      return high << 4 | low
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let marks: StaticString = ",/\\:. \n\t'-"
      return marks.utf8Start[Int(code - UInt8(ascii: "0"))]
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return code + 0x80
    default: throw .damaged
    }
  }

  private mutating func escape(_ value: UInt32) throws(NameRefusal) {
    switch value {
    case 0x00: try tree.strings.append("\\0")
    case 0x07: try tree.strings.append("\\a")
    case 0x08: try tree.strings.append("\\b")
    case 0x09: try tree.strings.append("\\t")
    case 0x0a: try tree.strings.append("\\n")
    case 0x0b: try tree.strings.append("\\v")
    case 0x0c: try tree.strings.append("\\f")
    case 0x0d: try tree.strings.append("\\r")
    case 0x22: try tree.strings.append("\\\"")
    case 0x27: try tree.strings.append("\\'")
    case 0x5c: try tree.strings.append("\\\\")
    case 0x20..<0x7f: try tree.strings.append(UInt8(value))
    default:
      try tree.strings.append("\\x")
      var shift: UInt32 = value > 0xff_ffff ? 24 : value > 0xffff ? 16 : value > 0xff ? 8 : 0
      while true {
        let byte = UInt8(truncatingIfNeeded: value >> shift)
        for digit in [byte >> 4, byte & 15] {
          try tree.strings.append(digit < 10 ? digit + 0x30 : digit + 0x37)
        }
        if shift == 0 { break }
        shift -= 8
      }
    }
  }
}
