import Arguments

/// An address on the command line.
struct AddressText: ArgumentValue {
  let value: UInt64

  init?(argument: String) {
    guard let value = Self.parse(Array(argument.utf8)[...]) else { return nil }
    self.value = value
  }

  var argument: String { "0x" + String(value, radix: 16) }
  static var valueName: String { "ADDRESS" }
  static var example: String? { "0x1f40" }

  /// Reads hexadecimal digits after `0x`, else decimal digits, else hexadecimal ones.
  static func parse(_ text: ArraySlice<UInt8>) -> UInt64? {
    if text.count > 2, text.first == UInt8(ascii: "0"),
      text[text.startIndex + 1] | 0x20 == UInt8(ascii: "x")
    {
      return parse(text.dropFirst(2), radix: 16)
    }
    return parse(text, radix: 10) ?? parse(text, radix: 16)
  }

  private static func parse(_ digits: ArraySlice<UInt8>, radix: UInt64) -> UInt64? {
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      let number: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): number = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      guard UInt64(number) < radix else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(UInt64(number))
      guard !overflow && !carry else { return nil }
      value = sum
    }
    return value
  }
}
