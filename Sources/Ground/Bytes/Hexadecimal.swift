extension BinaryInteger {
  /// `0x` and its hexadecimal digits, in lower case: `0x7f`.
  public var hexadecimal: String { "0x" + String(self, radix: 16) }

  /// Its hexadecimal digits in lower case, with zeros before them up to `count`.
  public func hexadecimalDigits(_ count: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
  }
}

extension Collection<UInt8> {
  /// The hexadecimal digits of the bytes in lower case, two for each.
  ///
  /// - Complexity: O(n).
  public var hexadecimalDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(count * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The bytes that hexadecimal digits of either letter case stand for, two for each; `nil` for
  /// anything else.
  public init?(hexadecimal text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index].hexadecimalDigit,
        let low = digits[index + 1].hexadecimalDigit
      else { return nil }
      append(high << 4 | low)
    }
  }
}
