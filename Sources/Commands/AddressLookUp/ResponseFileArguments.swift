internal import Bytes

/// Words of a command line read from a file that is named `@FILE`: a response file.
///
/// Blanks separate words, quotes of either kind hold them together, and a backslash escapes the next
/// character.
///
/// Source: "Response files" in the manuals of GNU's and LLVM's tools.
package enum ResponseFileArguments {
  /// Maximum size of a file in bytes.
  private static let limit = 1 << 28

  /// Returns the words, with those of a file in place of its name.
  ///
  /// - Throws: ``FileError`` when a file cannot be read.
  package static func expanding(_ words: [String]) throws -> [String] {
    try words.flatMap { word -> [String] in
      guard word.hasPrefix("@"), word.count > 1 else { return [word] }
      let bytes = try ByteView(reading: String(word.dropFirst()), limit: limit)
      return self.words(in: bytes.array)
    }
  }

  package static func words(in bytes: [UInt8]) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var isOpen = false
    var quote: UInt8?
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        word.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
        isOpen = true
      } else if let open = quote {
        if byte == open { quote = nil } else { word.append(byte) }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        isOpen = true
      } else if byte <= 0x20 {
        if isOpen { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll()
        isOpen = false
      } else {
        word.append(byte)
        isOpen = true
      }
    }
    if isOpen { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
