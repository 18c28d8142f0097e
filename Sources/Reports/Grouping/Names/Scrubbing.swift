/// Makes external text safe to show: blanks and control characters become one blank, and characters that
/// change the direction, hide or join others become U+FFFD.
enum Scrubbing {
  /// - Parameters:
  ///   - limit: How many bytes of `text` to look at.
  ///   - spellsOut: Whether hidden characters are written as their numbers, so that obfuscated names, which
  ///     may consist of them, stay distinct: `\uE000`.
  static func scrub(_ text: String, limit: Int, spellsOut: Bool = false) -> NameBytes {
    var bytes = NameBytes()
    let isPlain = unsafe text.utf8.withContiguousStorageIfAvailable { storage in
      let storage = unsafe UnsafeBufferPointer(rebasing: storage.prefix(limit))
      unsafe bytes.append(contentsOf: storage)
      var previous = UInt8(ascii: " ")
      for index in 0..<storage.count {
        let byte = unsafe storage[index]
        if byte < 0x20 || byte >= 0x7F || (byte == 0x20 && previous == 0x20) { return false }
        previous = byte
      }
      return previous != 0x20 || storage.count == 0
    }
    if isPlain == true { return bytes }
    if isPlain == nil { bytes = Array(text.utf8.prefix(limit)) }
    return slow(bytes, spellsOut)
  }

  private static func slow(_ bytes: NameBytes, _ spellsOut: Bool) -> NameBytes {
    var output = NameBytes()
    output.reserveCapacity(bytes.count)
    // The cut may have split a character; decoding repairs that.
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0...0x20, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
        if let last = output.last, last != 0x20 { output.append(0x20) }
      case 0xAD, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F,
        0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xE000...0xF8FF, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0,
        0xFFF0...0xFFFD, 0xE0000...0x10FFFF:
        if spellsOut, scalar.value != 0xFFFD {
          output.append(contentsOf: "\\u\(String(scalar.value, radix: 16, uppercase: true))".utf8)
        } else {
          output.append("\u{FFFD}")
        }
      default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
    if output.last == 0x20 { output.removeLast() }
    return output
  }

  /// Cuts `bytes` to at most `limit` on the boundary of a character.
  static func shorten(_ bytes: inout NameBytes, to limit: Int) {
    guard bytes.count > limit else { return }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    bytes.removeSubrange(end...)
  }
}
