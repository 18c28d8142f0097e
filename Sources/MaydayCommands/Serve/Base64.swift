/// The standard alphabet of RFC 4648, section 4.
enum Base64 {
  /// - Returns: The text; `nil` for what is no base64, or no UTF-8.
  static func decode(_ text: some StringProtocol) -> String? {
    var bits: UInt32 = 0
    var count = 0
    var bytes: [UInt8] = []
    for character in text.utf8 where character != UInt8(ascii: "=") {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
