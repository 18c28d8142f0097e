/// Floating-point literals as C's `%a` prints them: `0x1.8p+1`.
enum HexFloat {
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The literal with the suffix of its type.
  ///
  /// - Parameter digits: Hexadecimal digits of the value's bytes, as many as the format has.
  static func text(_ format: ItaniumFloat, digits: UnsafeBufferPointer<UInt8>) -> String {
    func value(_ range: Range<Int>) -> UInt64 {
      digits[range].reduce(0) { $0 << 4 | UInt64(digit($1) ?? 0) }
    }
    switch format {
    case .float:
      return text(Double(Float(bitPattern: UInt32(value(0..<8))))) + "f"
    case .double: return text(Double(bitPattern: value(0..<16)))
    case .extended:
      return text(signAndExponent: value(0..<4), fraction: value(4..<20)) + "L"
    }
  }

  private static func text(_ value: Double) -> String {
    let sign = value.sign == .minus ? "-" : ""
    if value.isNaN { return sign + "nan" }
    if value.isInfinite { return sign + "inf" }
    if value.isZero { return sign + "0x0p+0" }
    let exponent = value.exponentBitPattern == 0 ? -1022 : Int(value.exponentBitPattern) - 1023
    return sign + "0x" + (value.exponentBitPattern == 0 ? "0" : "1")
      + fraction(value.significandBitPattern, digits: 13) + power(exponent)
  }

  /// The 80-bit format of x87. Its leading bit is explicit, and `%a` prints it with the three that
  /// follow as one digit.
  private static func text(signAndExponent: UInt64, fraction bits: UInt64) -> String {
    let sign = signAndExponent & 0x8000 != 0 ? "-" : ""
    let exponent = Int(signAndExponent & 0x7FFF)
    if exponent == 0x7FFF { return sign + (bits << 1 == 0 ? "inf" : "nan") }
    if bits == 0, exponent == 0 { return sign + "0x0p+0" }
    return sign + "0x" + String(bits >> 60, radix: 16) + fraction(bits & (1 << 60 - 1), digits: 15)
      + power(max(exponent, 1) - 16383 - 3)
  }

  private static func power(_ exponent: Int) -> String {
    exponent < 0 ? "p\(exponent)" : "p+\(exponent)"
  }

  /// The hexadecimal digits after the point, without zeros at the end.
  private static func fraction(_ bits: UInt64, digits: Int) -> String {
    guard bits != 0 else { return "" }
    var text = String(bits, radix: 16)
    text = String(repeating: "0", count: max(digits - text.count, 0)) + text
    while text.last == "0" { text.removeLast() }
    return "." + text
  }
}
