extension ItaniumParser {
  ///     <expr-primary> ::= L <type> <value number> E
  ///                    ::= L <type> <value float> E
  ///                    ::= L <string type> E
  ///                    ::= L <nullptr type> [0] E
  ///                    ::= L <closure-type-name> E       # lambda expression
  ///                    ::= L _Z <encoding> E             # name of a function or variable
  mutating func literal() throws(NameRefusal) -> ID {
    try expect("L")
    let letter = next
    if let suffix = Self.integer(letter) {
      position += 1
      let value = number(signed: true)
      guard value.count > 0 else { throw .damaged }
      try expect("E")
      return add(.integer(suffix, value))
    }
    switch letter {
    case UInt8(ascii: "b"):
      if takeWord("b0E") { return add(.word(.false_)) }
      if takeWord("b1E") { return add(.word(.true_)) }
      throw .damaged
    case UInt8(ascii: "f"): return try float(.float)
    case UInt8(ascii: "d"): return try float(.double)
    case UInt8(ascii: "e"): return try float(.extended)
    case UInt8(ascii: "_"):
      guard takeWord("_Z") else { throw .damaged }
      let encoding = try encoding()
      try expect("E")
      return encoding
    case UInt8(ascii: "A"):
      let type = try type()
      try expect("E")
      return add(.stringLiteral(type))
    case UInt8(ascii: "D") where byte(ahead: 1) == UInt8(ascii: "n"):
      position += 2
      _ = take("0")
      try expect("E")
      return add(.word(.nullptr))
    case UInt8(ascii: "D"), UInt8(ascii: "T"): throw .damaged
    case UInt8(ascii: "U"):
      guard take("U", "l") else { throw .damaged }
      let closure = try closure()
      try expect("E")
      return add(.lambdaExpression(closure))
    default:
      let type = try type()
      let value = number(signed: true)
      guard value.count > 0 else { throw .damaged }
      try expect("E")
      return add(.enumerator(type: type, value))
    }
  }

  /// The text next to a literal of the type: a suffix of C++ or the type.
  private static func integer(_ letter: UInt8) -> ItaniumWord? {
    switch letter {
    case UInt8(ascii: "w"): .wchar
    case UInt8(ascii: "c"): .char
    case UInt8(ascii: "a"): .signedChar
    case UInt8(ascii: "h"): .unsignedChar
    case UInt8(ascii: "s"): .short
    case UInt8(ascii: "t"): .unsignedShort
    case UInt8(ascii: "i"): .empty
    case UInt8(ascii: "j"): .u
    case UInt8(ascii: "l"): .l
    case UInt8(ascii: "m"): .ul
    case UInt8(ascii: "x"): .ll
    case UInt8(ascii: "y"): .ull
    case UInt8(ascii: "n"): .int128
    case UInt8(ascii: "o"): .unsignedInt128
    default: nil
    }
  }

  /// A floating-point value: the digits of its bytes, highest first.
  private mutating func float(_ format: ItaniumFloat) throws(NameRefusal) -> ID {
    position += 1
    let start = position
    while position - start < format.digits {
      guard HexFloat.digit(next) != nil else { throw .damaged }
      position += 1
    }
    try expect("E")
    return add(
      .float(format, ItaniumNode.Text(start: Int32(start), count: Int32(format.digits))))
  }
}
