/// Names from outside, made fit to be shown on a terminal and in a page's text.
public enum DisplayText {
  /// The most bytes of a name that are shown.
  static let limit = 1024

  /// `bytes` as text: invalid UTF-8, control characters and the marks that turn the writing
  /// direction are shown as `\xNN` and `\u{NNNN}`.
  public static func escaped(_ bytes: some Collection<UInt8>) -> String {
    if bytes.count <= limit && bytes.allSatisfy({ (0x20...0x7e).contains($0) }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var decoder = UTF8()
    let kept = Array(bytes.prefix(limit))
    var rest = kept[...]
    while !rest.isEmpty {
      var iterator = rest.makeIterator()
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        text += escaped(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      case .error, .emptyInput:
        text += hexadecimal(rest.removeFirst())
      }
      decoder = UTF8()
    }
    return kept.count < bytes.count ? text + "..." : text
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<0x20, 0x7f: return hexadecimal(UInt8(scalar.value))
    case 0x80..<0xa0, 0x61c, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff:
      return "\\u{" + String(scalar.value, radix: 16) + "}"
    default: return String(Character(scalar))
    }
  }
}
