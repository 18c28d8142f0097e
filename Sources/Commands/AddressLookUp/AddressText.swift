internal import Arguments
internal import Bytes

/// An address on the command line.
package struct AddressText: ArgumentValue {
  package let value: UInt64

  package init?(argument: String) {
    guard let value = Self.parse(Array(argument.utf8)[...]) else { return nil }
    self.value = value
  }

  package var argument: String { value.hexadecimal }
  package static var valueName: String { "ADDRESS" }
  package static var example: String? { "0x1f40" }

  /// How the digits of an address are read.
  package enum Reading {
    /// Hexadecimal after `0x`; otherwise decimal where possible, or hexadecimal: as in reports.
    case report
    /// Hexadecimal with or without `0x`: as in llvm-addr2line.
    case hexadecimal
    /// Only the leading hexadecimal digits, 0 without any: as in addr2line.
    case leadingHexadecimal
    /// Hexadecimal after `0x`, binary after `0b`, octal after `0o` and `0`, otherwise decimal: as in
    /// llvm-symbolizer.
    case literal
  }

  package static func parse(_ text: ArraySlice<UInt8>, as reading: Reading = .report) -> UInt64? {
    switch reading {
    case .report:
      if let digits = digits(of: text, after: "x") { return parse(digits, radix: 16) }
      return parse(text, radix: 10) ?? parse(text, radix: 16)
    case .hexadecimal:
      return parse(digits(of: text, after: "x") ?? text, radix: 16)
    case .leadingHexadecimal:
      let all = digits(of: text, after: "x") ?? text
      let leading = all.prefix { number(of: $0).map { $0 < 16 } ?? false }
      return leading.isEmpty ? 0 : parse(leading, radix: 16) ?? .max
    case .literal:
      if let digits = digits(of: text, after: "x") { return parse(digits, radix: 16) }
      if let digits = digits(of: text, after: "b") { return parse(digits, radix: 2) }
      if let digits = digits(of: text, after: "o") { return parse(digits, radix: 8) }
      let isOctal = text.count > 1 && text.first == UInt8(ascii: "0")
      return parse(text, radix: isOctal ? 8 : 10)
    }
  }

  /// Returns the digits after `0` and a letter.
  private static func digits(
    of text: ArraySlice<UInt8>, after letter: Unicode.Scalar
  ) -> ArraySlice<UInt8>? {
    guard text.count > 2, text.first == UInt8(ascii: "0"),
      text[text.startIndex + 1] | 0x20 == UInt8(ascii: letter)
    else { return nil }
    return text.dropFirst(2)
  }

  private static func number(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func parse(_ digits: ArraySlice<UInt8>, radix: UInt64) -> UInt64? {
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      guard let number = number(of: digit), UInt64(number) < radix else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(UInt64(number))
      guard !overflow && !carry else { return nil }
      value = sum
    }
    return value
  }
}
