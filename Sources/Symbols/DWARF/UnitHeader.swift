internal import Bytes

/// The header of a unit in `.debug_info`.
///
///     length    4, or 0xffffffff and 8 in the 64-bit format
///     version   2
///     up to version 4:  abbreviations (offset), address size (1)
///     from version 5:   unit type (1), address size (1), abbreviations (offset), and by type a
///                       unit id (8), or a type signature (8) and a type offset
///
/// Source: DWARF 5, section 7.5.1.
struct UnitHeader {
  enum Kind {
    static let type: UInt8 = 0x02
    static let skeleton: UInt8 = 0x04
    static let splitCompile: UInt8 = 0x05
    static let splitType: UInt8 = 0x06
  }

  /// The offset of the unit in the section.
  var offset: Int
  /// The offset of the first entry in the section.
  var entries: Int
  /// The offset of the next unit.
  var end: Int
  var encoding: UnitEncoding
  var kind: UInt8
  var abbreviations: Int
  /// The id that pairs skeleton and split units; 0 for other units, and up to version 4.
  var id: UInt64 = 0

  /// How to continue after the start of a unit.
  enum Reading {
    case unit(UnitHeader)
    /// This unit is not readable, the next one begins at the offset.
    case skip(to: Int, reason: String)
    case stop(reason: String)
  }

  static func read(_ section: RawSpan, at offset: Int, isBigEndian: Bool) -> Reading {
    var cursor = Cursor(section, isBigEndian: isBigEndian, from: offset, to: section.byteCount)
    var offsetSize = 4
    var length = UInt64(cursor.u32())
    if length == 0xffff_ffff {
      offsetSize = 8
      length = cursor.u64()
    } else if length >= 0xffff_fff0 {
      return .stop(reason: "reserved unit length")
    }
    guard !cursor.failed, length > 0, length <= UInt64(cursor.remaining) else {
      return .stop(reason: "unit length past the end of the section")
    }
    let end = cursor.offset + Int(length)
    cursor.limit(to: end)
    let version = cursor.u16()
    guard (2...5).contains(version) else {
      return .skip(to: end, reason: "unit of version \(version)")
    }
    var kind: UInt8 = 0x01
    var addressSize = 0
    var abbreviations: UInt64
    var id: UInt64 = 0
    if version >= 5 {
      kind = cursor.byte()
      addressSize = Int(cursor.byte())
      abbreviations = cursor.unsigned(size: offsetSize)
      switch kind {
      case Kind.skeleton, Kind.splitCompile: id = cursor.u64()
      case Kind.type, Kind.splitType: cursor.skip(8 + offsetSize)
      default: break
      }
    } else {
      abbreviations = cursor.unsigned(size: offsetSize)
      addressSize = Int(cursor.byte())
    }
    guard !cursor.failed else { return .skip(to: end, reason: "unit header is cut off") }
    guard [2, 4, 8].contains(addressSize) else {
      return .skip(to: end, reason: "addresses of \(addressSize) bytes")
    }
    return .unit(
      UnitHeader(
        offset: offset, entries: cursor.offset, end: end,
        encoding: UnitEncoding(
          addressSize: addressSize, offsetSize: offsetSize, version: version),
        kind: kind, abbreviations: Int(clamping: abbreviations), id: id))
  }

  var isTypeUnit: Bool { kind == Kind.type || kind == Kind.splitType }
}
