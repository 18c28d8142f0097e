extension ItaniumParser {
  /// The parts that a name repeats.
  ///
  ///     <substitution> ::= S <seq-id> _
  ///                    ::= S_
  ///                    ::= Sa | Sb | Ss | Si | So | Sd   # of the standard library
  mutating func substitution() throws(NameRefusal) -> ID {
    try expect("S")
    if let type = ItaniumLibraryType(next) {
      position += 1
      let plain = add(.library(type))
      let tagged = try tagged(plain)
      // With a tag it is a new type.
      if tagged != plain { substitutions.append(tagged) }
      return tagged
    }
    var index = 0
    if !take("_") {
      guard let number = sequenceID() else { throw .damaged }
      index = number + 1
      try expect("_")
    }
    guard index < substitutions.count else { throw .damaged }
    return substitutions[index]
  }

  ///     <seq-id> ::= <0-9A-Z>+
  mutating func sequenceID() -> Int? {
    var value: Int?
    while true {
      let digit: UInt8
      switch next {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = next - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = next - UInt8(ascii: "A") + 10
      default: return value
      }
      // More than the name is long; too large for any table.
      value = min((value ?? 0) * 36 + Int(digit), 1 << 40)
      position += 1
    }
  }
}
