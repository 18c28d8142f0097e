internal import Query

/// A text with its numbers removed.
///
/// Messages and paths mostly differ in addresses, counts and dates only. There are few shapes, so
/// that words are searched in few texts; only parts that may occur in a number are searched in the
/// texts themselves.
///
/// A word is a sequence of ASCII letters and digits. It is a number when it has digits only, is
/// `0x` and
/// hexadecimal digits, or has eight hexadecimal digits or more, one of them a digit.
enum TextShape {
  /// Replaces a number. No value of a report contains it.
  static let slot: Unicode.Scalar = "\u{1a}"

  static func shape(of text: String) -> String {
    if let shape = shape(ofASCII: text) { return shape }
    var shape = String.UnicodeScalarView()
    var word: [Unicode.Scalar] = []
    func end() {
      if isNumber(word) { shape.append(slot) } else { shape.append(contentsOf: word) }
      word.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if isOfWord(scalar) {
        word.append(scalar)
      } else {
        if !word.isEmpty { end() }
        shape.append(scalar)
      }
    }
    if !word.isEmpty { end() }
    return String(shape)
  }

  /// Returns the shape of a text that has ASCII only, as most have: from its bytes, which takes a fraction of the
  /// time.
  private static func shape(ofASCII text: String) -> String? {
    var shape: [UInt8] = []
    shape.reserveCapacity(text.utf8.count)
    // Where the current word begins in the shape, and what it is made of.
    var start = 0
    var word = (digits: 0, hexadecimal: 0)
    func isNumber() -> Bool {
      let count = shape.count - start
      if word.digits == count { return true }
      if count > 2, shape[start] == UInt8(ascii: "0"), shape[start + 1] | 0x20 == UInt8(ascii: "x"),
        word.hexadecimal == count - 1
      {
        return true
      }
      return count >= 8 && word.hexadecimal == count && word.digits > 0
    }
    func end() {
      guard shape.count > start else { return }
      if isNumber() {
        shape.removeLast(shape.count - start)
        shape.append(contentsOf: String(slot).utf8)
      }
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        word.digits += 1
        word.hexadecimal += 1
        shape.append(byte)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        word.hexadecimal += 1
        shape.append(byte)
      case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"):
        shape.append(byte)
      case 0x80...: return nil
      default:
        end()
        shape.append(byte)
        start = shape.count
        word = (0, 0)
      }
    }
    end()
    return String(decoding: shape, as: UTF8.self)
  }

  /// Whether no part of `literal`, in lower case, can occur in a number.
  static func isOutsideNumbers(_ literal: String) -> Bool {
    literal.unicodeScalars.split { !isOfWord($0) }.allSatisfy { word in
      word.contains { !isOfNumber($0) }
    }
  }

  /// The parts of `literal`, in lower case, that occur in the shape of each text that contains it.
  static func fixedParts(of literal: String) -> [String] {
    var parts: [String] = []
    for word in literal.unicodeScalars.split(whereSeparator: { !isOfWord($0) })
    where word.contains(where: { !isOfNumber($0) }) {
      parts.append(String(word))
    }
    return parts
  }

  /// The two letters outside ASCII become ASCII letters in lower case.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "\u{212a}", "\u{130}": true
    default: false
    }
  }

  private static func isOfNumber(_ scalar: Unicode.Scalar) -> Bool {
    isHexadecimal(scalar) || scalar == "x" || scalar == "X"
  }

  private static func isHexadecimal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."f", "A"..."F", "0"..."9": true
    default: false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isNumber(_ word: [Unicode.Scalar]) -> Bool {
    if word.allSatisfy(isDigit) { return true }
    if word.count > 2, word[0] == "0", word[1] == "x" || word[1] == "X",
      word[2...].allSatisfy(isHexadecimal)
    {
      return true
    }
    return word.count >= 8 && word.allSatisfy(isHexadecimal) && word.contains(where: isDigit)
  }
}
