internal import Bytes

/// Base64 with the URL alphabet, without padding. Each value has exactly one text.
///
/// Source: RFC 7515, section 2.
enum Base64URL {
  static func encode(_ bytes: [UInt8]) -> String {
    let digits = Base64.encode(bytes).utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// - Returns: `nil` for any other text.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let text = String(text)
    guard let bytes = Base64.decode(text), encode(bytes) == text else { return nil }
    return bytes
  }
}
