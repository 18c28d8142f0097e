/// The value of `Host`: a name or an address, and perhaps a port (RFC 9110 7.2, RFC 3986 3.2.2 and 3.2.3).
enum HostField {
  /// Whether the bytes are one host: IPv6 addresses in brackets, a port of at most 65535. A client without a host
  /// sends nothing.
  static func isValid(_ value: Slice<UnsafeRawBufferPointer>) -> Bool {
    if value.first == UInt8(ascii: "[") {
      guard let end = value.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = value[value.index(after: value.startIndex)..<end]
      return address.contains(UInt8(ascii: ":")) && address.allSatisfy(isOfAddress)
        && isPort(value[value.index(after: end)...])
    }
    let end = value.firstIndex(of: UInt8(ascii: ":")) ?? value.endIndex
    let name = value[..<end]
    return (!name.isEmpty || end == value.endIndex) && name.allSatisfy(isOfName)
      && isPort(value[end...])
  }

  /// A colon and digits, or nothing.
  private static func isPort(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let mark = text.first else { return true }
    let digits = text.dropFirst()
    guard mark == UInt8(ascii: ":"), digits.count <= 5,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return false }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
  }

  /// Digits, colons and dots, and those of a zone.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || ":.%-_~".utf8.contains(byte)
  }

  /// Unreserved characters, sub-delimiters but the comma, which some take for the end of a list's element, and
  /// percent signs.
  private static func isOfName(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~%!$&'()*+;=".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
