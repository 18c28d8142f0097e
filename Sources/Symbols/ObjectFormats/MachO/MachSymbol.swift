internal import Bytes

/// One entry of the symbol table.
///
///     OFFSET  SIZE    FIELD
///          0     4    name, an offset into the strings
///          4     1    type: debugger's entry (0xe0), private (0x10), kind (0x0e), external (0x01)
///          5     1    number of the section, from 1
///          6     2    description
///          8     4/8  value
///
/// Source: nlist and nlist_64 in mach-o/nlist.h.
struct MachSymbol {
  let nameOffset: UInt32
  let type: UInt8
  let section: UInt8
  let description: UInt16
  let value: UInt64

  static func byteCount(addressSize: Int) -> Int { 8 + addressSize }

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    nameOffset = try reader.read()
    type = try reader.read()
    section = try reader.read()
    description = try reader.read()
    value = try reader.readUnsigned(size: addressSize)
  }

  /// Defined in a section, and not there for the debugger: N_STAB clear, N_SECT set.
  var isDefined: Bool { type & 0xe0 == 0 && type & 0x0e == 0x0e }
  var isGlobal: Bool { type & 1 != 0 }
  /// N_WEAK_DEF.
  var isWeak: Bool { description & 0x80 != 0 }
}
