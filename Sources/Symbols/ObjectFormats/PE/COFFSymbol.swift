internal import Bytes

/// An entry of a COFF symbol table.
///
///     OFFSET  SIZE  FIELD
///          0     8  name, padded with zeros; or four zeros and an offset in the string table
///          8     4  value: for a function its place in the section
///         12     2  number of the section, from 1
///         14     2  type; 0x20 is a function
///         16     1  storage class: 2 external, 3 static, 105 weak
///         17     1  number of auxiliary entries that follow, of the same size
///
/// Source: Microsoft, "PE Format", "COFF Symbol Table".
struct COFFSymbol {
  static let byteCount = 18
  private static let classExternal: UInt8 = 2
  private static let classStatic: UInt8 = 3
  private static let classWeak: UInt8 = 105

  /// In the string table; `nil` where the name is in the entry itself.
  let longNameOffset: UInt32?
  /// The length of a name in the entry.
  let shortNameCount: Int
  let value: UInt32
  let section: Int16
  let type: UInt16
  let storageClass: UInt8
  let auxiliaryCount: UInt8

  init(reading reader: inout ByteReader) throws(ParseError) {
    let low: UInt32 = try reader.read()
    let high: UInt32 = try reader.read()
    longNameOffset = low == 0 ? high : nil
    let name = UInt64(high) << 32 | UInt64(low)
    shortNameCount = (0..<8).first { name >> UInt64(8 * $0) & 0xff == 0 } ?? 8
    value = try reader.read()
    section = try reader.read()
    type = try reader.read()
    storageClass = try reader.read()
    auxiliaryCount = try reader.read()
  }

  var isGlobal: Bool { storageClass == Self.classExternal || isWeak }
  var isWeak: Bool { storageClass == Self.classWeak }

  /// Whether it names something in its section, not the section itself, which each object file has
  /// a static symbol with an auxiliary entry for.
  var isDefinition: Bool {
    guard section > 0 else { return false }
    if isGlobal { return true }
    return storageClass == Self.classStatic && (type != 0 || auxiliaryCount == 0)
  }

  /// Whether it says where an object file's part of a section begins.
  var isPartOfSection: Bool {
    section > 0 && storageClass == Self.classStatic && type == 0 && auxiliaryCount > 0
  }
}
