/// JSON in lines, as people read it: each value stays as it was written, only the blanks between them change.
///
/// It goes through the text once, whatever stands inside what.
enum JSONLayout {
  /// Deeper values stand no further to the right.
  private static let deepest = 40

  /// - Parameters:
  ///   - text: A document, which may end early.
  ///   - limit: Bytes after which the rest is left out.
  static func lines(of text: String, limit: Int) -> String {
    var result: [UInt8] = []
    var depth = 0
    var isString = false
    var isEscaped = false
    /// Whether nothing has followed an opening bracket yet.
    var isOpen = false
    func breakLine() {
      result.append(0x0a)
      result += repeatElement(0x20, count: 2 * min(depth, deepest))
    }
    for byte in text.utf8 {
      guard result.count < limit else { break }
      if isString {
        result.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case 0x09, 0x0a, 0x0d, 0x20: continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        if !isOpen { breakLine() }
        isOpen = false
        result.append(byte)
        continue
      default: break
      }
      if isOpen { breakLine() }
      isOpen = false
      result.append(byte)
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isOpen = true
      case UInt8(ascii: ","): breakLine()
      case UInt8(ascii: ":"): result.append(0x20)
      case UInt8(ascii: "\""): isString = true
      default: break
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
