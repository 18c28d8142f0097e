internal import Bytes

/// How a pointer is written in `.eh_frame`: the low half says its size, the high half what it is
/// relative to.
///
/// Source: LSB Core 5.0, section 10.5.1, "DWARF Exception Header Encoding".
package struct PointerEncoding {
  /// No pointer at all.
  static let omitted: UInt8 = 0xff

  /// What pointers may count from.
  package struct Bases: Sendable {
    /// The linked address of the section that is read.
    let section: UInt64
    let text: UInt64?
    let data: UInt64?

    package init(section: UInt64, text: UInt64? = nil, data: UInt64? = nil) {
      self.section = section
      self.text = text
      self.data = data
    }
  }

  private let rawValue: UInt8

  init(_ rawValue: UInt8) { self.rawValue = rawValue }

  /// The next pointer.
  ///
  /// - Parameter reader: Its bytes begin where the section does.
  /// - Throws: ``ParseError`` for one that needs memory of the process or is not complete.
  @_lifetime(reader: copy reader)
  func read(
    _ reader: inout ByteReader, addressSize: Int, bases: Bases
  ) throws(ParseError) -> UInt64 {
    guard rawValue & 0x80 == 0, rawValue != Self.omitted else {
      throw reader.error(.unsupported("a pointer with encoding \(rawValue.hexadecimal)"))
    }
    let base: UInt64
    switch rawValue & 0x70 {
    case 0x00: base = 0
    case 0x10: base = bases.section &+ UInt64(reader.position)
    case 0x20 where bases.text != nil: base = bases.text ?? 0
    case 0x30 where bases.data != nil: base = bases.data ?? 0
    default:
      throw reader.error(.unsupported("a pointer with encoding \(rawValue.hexadecimal)"))
    }
    return base &+ (try readValue(&reader, addressSize: addressSize))
  }

  /// The next number in the size of the encoding.
  @_lifetime(reader: copy reader)
  func readValue(_ reader: inout ByteReader, addressSize: Int) throws(ParseError) -> UInt64 {
    switch rawValue & 0x0f {
    case 0x00: return try reader.readUnsigned(size: addressSize)
    case 0x01: return try reader.readULEB128()
    case 0x02: return UInt64(try reader.read(UInt16.self))
    case 0x03: return UInt64(try reader.read(UInt32.self))
    case 0x04, 0x0c: return try reader.read(UInt64.self)
    case 0x08:
      // A signed address.
      if addressSize == 8 { return try reader.read(UInt64.self) }
      return UInt64(bitPattern: Int64(try reader.read(Int32.self)))
    case 0x09: return UInt64(bitPattern: try reader.readSLEB128())
    case 0x0a: return UInt64(bitPattern: Int64(try reader.read(Int16.self)))
    case 0x0b: return UInt64(bitPattern: Int64(try reader.read(Int32.self)))
    default:
      throw reader.error(.unsupported("a pointer with encoding \(rawValue.hexadecimal)"))
    }
  }

  /// Passes over a pointer.
  @_lifetime(reader: copy reader)
  func skip(_ reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    guard rawValue != Self.omitted else { return }
    guard rawValue & 0x70 != 0x50 else { throw reader.error(.unsupported("an aligned pointer")) }
    _ = try readValue(&reader, addressSize: addressSize)
  }
}
