/// Percent-encoding as Signature Version 4 has it.
///
/// Source: RFC 3986 2.1 and 2.3; Amazon S3 API Reference, "Signature Calculations for the Authorization
/// Header", UriEncode(): all but letters, digits, `-`, `.`, `_` and `~` becomes `%` and two capital
/// hexadecimal digits.
enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// - Parameter keepsSlash: Whether `/` stays, as in the key of an object.
  /// - Complexity: O(n).
  static func encoded(_ text: String, keepsSlash: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) || keepsSlash && byte == UInt8(ascii: "/") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text that an encoded one stands for; `+` is a blank, as in answers with `encoding-type=url`.
  ///
  /// - Returns: `nil` for `%` without two digits, and where the bytes are not UTF-8.
  static func decoded(_ text: String) -> String? {
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      switch source[index] {
      case UInt8(ascii: "%"):
        guard index + 2 < source.count, let high = value(source[index + 1]),
          let low = value(source[index + 2])
        else { return nil }
        bytes.append(high << 4 | low)
        index += 3
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
        index += 1
      default:
        bytes.append(source[index])
        index += 1
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 65...70: digit - 55
    case 97...102: digit - 87
    default: nil
    }
  }
}
