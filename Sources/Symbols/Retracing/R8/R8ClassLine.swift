internal import Bytes

/// `app.tern.Desk -> a.b:`: a class, and what it is called in the shipped app.
struct R8ClassLine {
  /// A name in a class file has 65,535 bytes at the most.
  static let mostBytes = 2 * 65_535 + 5

  let original: Range<Int>
  let obfuscated: Range<Int>

  /// - Parameter line: Without blanks around it.
  init?(_ line: Range<Int>, in bytes: RawSpan) {
    guard line.count <= Self.mostBytes, line.count > 6,
      bytes.byte(line.upperBound - 1) == UInt8(ascii: ":"),
      let arrow = bytes.lastArrow(in: line.lowerBound..<line.upperBound - 1)
    else { return nil }
    original = line.lowerBound..<arrow
    obfuscated = arrow + 4..<line.upperBound - 1
    guard Self.isName(original, in: bytes), Self.isName(obfuscated, in: bytes) else { return nil }
  }

  private static func isName(_ range: Range<Int>, in bytes: RawSpan) -> Bool {
    guard !range.isEmpty else { return false }
    for index in range {
      let byte = bytes.byte(index)
      let isPart =
        byte >= 0x80 || byte.isDigit || byte | 0x20 &- 97 < 26 || "._$-/<>+@".utf8.contains(byte)
      if !isPart { return false }
    }
    return true
  }
}
