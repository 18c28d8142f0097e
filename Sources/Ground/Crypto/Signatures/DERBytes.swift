/// The few ASN.1 values needed for public keys, encoded as DER.
///
/// Source: X.690.
enum DERBytes {
  static let null: [UInt8] = [0x05, 0]

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

  /// An unsigned number, most significant byte first.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    // The first bit is the sign.
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return value(0x02, digits)
  }

  static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

  /// - Parameter bytes: The encoded numbers.
  static func identifier(_ bytes: [UInt8]) -> [UInt8] { value(0x06, bytes) }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = content.count
    repeat {
      length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    } while rest > 0
    if content.count >= 0x80 { length.insert(0x80 | UInt8(length.count), at: 0) }
    return [tag] + length + content
  }
}
