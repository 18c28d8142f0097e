/// Formats JSON in lines. Values stay exactly as written; only the whitespace between them changes.
///
/// It makes a single pass over the text, without recursion.
enum JSONLayout {
  /// Deeper values are not indented further.
  private static let deepest = 40

  /// - Parameters:
  ///   - text: A document, which may be truncated.
  ///   - limit: The maximum number of bytes of the result.
  static func lines(of text: String, limit: Int) -> String {
    var result: [UInt8] = []
    var depth = 0
    var isString = false
    var isEscaped = false
    /// Whether the current object or array is still empty.
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
