internal import Bytes

/// How a pointer is written in `.eh_frame`: the low half says its size, the high half what it is
/// relative to.
///
/// Source: LSB Core 5.0, section 10.5.1, "DWARF Exception Header Encoding".
package struct PointerEncoding {
  /// No pointer at all.
  static let omitted: UInt8 = 0xff
  /// The address of the pointer: only the memory of the process has it.
  private static let indirect: UInt8 = 0x80

  /// The size of a pointer.
  private struct Format: Equatable {
    let rawValue: UInt8

    static var address: Self { Self(rawValue: 0x00) }
    static var uleb128: Self { Self(rawValue: 0x01) }
    static var unsigned2: Self { Self(rawValue: 0x02) }
    static var unsigned4: Self { Self(rawValue: 0x03) }
    static var unsigned8: Self { Self(rawValue: 0x04) }
    static var signedAddress: Self { Self(rawValue: 0x08) }
    static var sleb128: Self { Self(rawValue: 0x09) }
    static var signed2: Self { Self(rawValue: 0x0a) }
    static var signed4: Self { Self(rawValue: 0x0b) }
    static var signed8: Self { Self(rawValue: 0x0c) }
  }

  /// The base of a pointer.
  private struct Base: Equatable {
    let rawValue: UInt8

    static var absolute: Self { Self(rawValue: 0x00) }
    static var position: Self { Self(rawValue: 0x10) }
    static var text: Self { Self(rawValue: 0x20) }
    static var data: Self { Self(rawValue: 0x30) }
    static var aligned: Self { Self(rawValue: 0x50) }
  }

  private var format: Format { Format(rawValue: rawValue & 0x0f) }
  private var base: Base { Base(rawValue: rawValue & 0x70) }

  /// The bases of pointers.
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
  /// - Throws: ``ParseError`` for a pointer that needs memory of the process or is incomplete.
  @_lifetime(reader: copy reader)
  func read(
    _ reader: inout ByteReader, addressSize: Int, bases: Bases
  ) throws(ParseError) -> UInt64 {
    guard rawValue & Self.indirect == 0, rawValue != Self.omitted else {
      throw reader.error(.unsupported("a pointer with encoding \(rawValue.hexadecimal)"))
    }
    let start: UInt64
    switch base {
    case .absolute: start = 0
    case .position: start = bases.section &+ UInt64(reader.position)
    case .text where bases.text != nil: start = bases.text ?? 0
    case .data where bases.data != nil: start = bases.data ?? 0
    default:
      throw reader.error(.unsupported("a pointer with encoding \(rawValue.hexadecimal)"))
    }
    return start &+ (try readValue(&reader, addressSize: addressSize))
  }

  /// The next number in the size of the encoding.
  @_lifetime(reader: copy reader)
  func readValue(_ reader: inout ByteReader, addressSize: Int) throws(ParseError) -> UInt64 {
    switch format {
    case .address: return try reader.readUnsigned(size: addressSize)
    case .uleb128: return try reader.readULEB128()
    case .unsigned2: return UInt64(try reader.read(UInt16.self))
    case .unsigned4: return UInt64(try reader.read(UInt32.self))
    case .unsigned8, .signed8: return try reader.read(UInt64.self)
    case .signedAddress:
      if addressSize == 8 { return try reader.read(UInt64.self) }
      return UInt64(bitPattern: Int64(try reader.read(Int32.self)))
    case .sleb128: return UInt64(bitPattern: try reader.readSLEB128())
    case .signed2: return UInt64(bitPattern: Int64(try reader.read(Int16.self)))
    case .signed4: return UInt64(bitPattern: Int64(try reader.read(Int32.self)))
    default:
      throw reader.error(.unsupported("a pointer with encoding \(rawValue.hexadecimal)"))
    }
  }

  /// Skips a pointer.
  @_lifetime(reader: copy reader)
  func skip(_ reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    guard rawValue != Self.omitted else { return }
    guard base != .aligned else { throw reader.error(.unsupported("an aligned pointer")) }
    _ = try readValue(&reader, addressSize: addressSize)
  }
}
