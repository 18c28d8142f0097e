/// Finds the ends of bracketed parts of C++ and Rust names.
enum Brackets {
  /// The index after the bracket that closes the one at `start`, or `nil` when none does.
  ///
  /// Angle brackets count only directly inside angle brackets: inside round ones they may be
  /// comparisons. `->` closes nothing, and neither does the name of an operator.
  static func end(of name: NameBytes, from start: Int) -> Int? {
    var open: NameBytes = []
    var index = start
    while index < name.count {
      let byte = name[index]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        open.append(byte)
      case UInt8(ascii: "<"):
        if open.isEmpty || open.last == byte { open.append(byte) }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard open.popLast() == opener(of: byte) else { return nil }
      case UInt8(ascii: ">"):
        if name.at(index - 1) == UInt8(ascii: "-") || name.at(index - 1) == UInt8(ascii: "=") {
          break
        }
        if open.last == UInt8(ascii: "<") { open.removeLast() }
      case UInt8(ascii: "o"):
        if open.last == UInt8(ascii: "<"), name.has("operator", at: index),
          !name.at(index - 1).isIdentifier
        {
          index += 8
          while index < name.count, isOperatorMark(name[index]) { index += 1 }
          continue
        }
      default: break
      }
      index += 1
      if open.isEmpty { return index }
    }
    return nil
  }

  private static func opener(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: ")"): UInt8(ascii: "(")
    case UInt8(ascii: "]"): UInt8(ascii: "[")
    default: UInt8(ascii: "{")
    }
  }

  private static func isOperatorMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "-")
  }
}
