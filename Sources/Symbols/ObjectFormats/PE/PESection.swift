internal import Bytes

/// An entry of the section table.
///
///     OFFSET  SIZE  FIELD
///          0     8  name, padded with zeros; `/` and a decimal number, or `//` and a number in base
///                   64, is an offset in the string table
///          8     4  size in memory
///         12     4  address, from the image base
///         16     4  size in the file, padded
///         20     4  offset in the file
///         24    12  relocations and line numbers, not of images
///         36     4  characteristics
///
/// Source: Microsoft, "PE Format", "Section Table"; base 64 as LLVM and binutils write it.
package struct PESection: Sendable {
  static let byteCount = 40
  private static let flagCode: UInt32 = 0x20
  private static let flagExecute: UInt32 = 0x2000_0000

  let name: [UInt8]
  let memorySize: UInt32
  package let address: UInt32
  let fileSize: UInt32
  let fileOffset: UInt32
  let characteristics: UInt32

  init(reading reader: inout ByteReader) throws(ParseError) {
    name = ByteView(copying: try reader.readBytes(8)).array
    memorySize = try reader.read()
    address = try reader.read()
    fileSize = try reader.read()
    fileOffset = try reader.read()
    try reader.skip(12)
    characteristics = try reader.read()
  }

  package var isExecutable: Bool { characteristics & (Self.flagCode | Self.flagExecute) != 0 }

  /// Its size when loaded.
  package var size: UInt32 { memorySize == 0 ? fileSize : memorySize }

  /// The bytes of its contents in the file, without the padding.
  var contentSize: UInt32 { memorySize == 0 ? fileSize : min(memorySize, fileSize) }

  /// Where it lies from the image base.
  var range: Range<UInt64> { UInt64(address)..<(UInt64(address) + UInt64(size)) }

  /// The name as it is in the header.
  var plainName: String { String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) }

  /// Where a long name begins in the string table; `nil` for a short one.
  var longNameOffset: UInt64? {
    guard name.first == UInt8(ascii: "/") else { return nil }
    let isBase64 = name[1] == UInt8(ascii: "/")
    var value: UInt64 = 0
    let digits = name.dropFirst(isBase64 ? 2 : 1).prefix { $0 != 0 }
    for byte in digits {
      guard let digit = isBase64 ? Self.base64(byte) : Self.decimal(byte) else { return nil }
      value = value * (isBase64 ? 64 : 10) + digit
    }
    return digits.isEmpty ? nil : value
  }

  private static func decimal(_ byte: UInt8) -> UInt64? {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? UInt64(byte) - 48 : nil
  }

  private static func base64(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt64(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
