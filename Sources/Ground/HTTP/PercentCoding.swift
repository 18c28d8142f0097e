/// Percent-encoding (RFC 3986 2.1).
enum PercentCoding {
  /// The bytes that `text` stands for; a `%` without two hexadecimal digits stands for itself.
  ///
  /// - Parameter plusIsBlank: As in queries.
  static func decode(_ text: some StringProtocol, plusIsBlank: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    bytes.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
        let high = digit(source[index + 1]), let low = digit(source[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        let isBlank = plusIsBlank && source[index] == UInt8(ascii: "+")
        bytes.append(isBlank ? UInt8(ascii: " ") : source[index])
        index += 1
      }
    }
    return bytes
  }

  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
