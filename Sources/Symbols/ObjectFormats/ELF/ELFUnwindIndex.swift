internal import Bytes

/// Finds functions in `.eh_frame` by the sorted table of `.eh_frame_hdr`, without reading the rest.
///
///     OFFSET  SIZE  FIELD
///          0     1  version, 1
///          1     1  how the address of `.eh_frame` is written
///          2     1  how the number of entries is written
///          3     1  how the table is written: 0x3b, as distances of 4 bytes from this section
///          4     n  address of `.eh_frame`, number of entries
///          .     8  an entry: where a function begins, where its description is
///
/// Source: Linux Standard Base Core, "Exception Frames".
struct ELFUnwindIndex: Sendable {
  private static let tableEncoding: UInt8 = 0x3b
  private static let omitted: UInt8 = 0xff

  private let table: ByteView
  private let tableAddress: UInt64
  private let frames: ByteView
  private let framesAddress: UInt64
  private let count: Int
  /// The offset of the entries in `table`.
  private let entries: Int
  private let endianness: Endianness
  private let addressSize: Int

  /// Returns `nil` for a file without the sections, and for other encodings of them.
  init?(reading object: ObjectFile) {
    guard let header = object.sections.first(where: { $0.name == ".eh_frame_hdr" }),
      let section = object.sections.first(where: { $0.name == ".eh_frame" }),
      header.hasContents, section.hasContents,
      let table = try? object.contents(of: header), let frames = try? object.contents(of: section)
    else { return nil }
    var reader = ByteReader(
      table.bytes, reading: ".eh_frame_hdr", endianness: object.endianness)
    guard let version = try? reader.read(UInt8.self), version == 1,
      let pointer = try? reader.read(UInt8.self), let number = try? reader.read(UInt8.self),
      let form = try? reader.read(UInt8.self), form == Self.tableEncoding,
      let size = Self.size(of: pointer, addressSize: object.addressSize),
      let width = Self.size(of: number, addressSize: object.addressSize),
      (try? reader.skip(size)) != nil, let count = try? reader.readUnsigned(size: width)
    else { return nil }
    self.table = table
    self.frames = frames
    tableAddress = header.address
    framesAddress = section.address
    entries = reader.position
    self.count = min(Int(clamping: count), (table.count - entries) / 8)
    endianness = object.endianness
    addressSize = object.addressSize
  }

  /// The end of the function at an address; see ``FunctionBounds/end(of:)``.
  func end(of address: UInt64) -> UInt64? {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      guard let start = word(entries + middle * 8) else { return nil }
      if tableAddress &+ start <= address { low = middle + 1 } else { high = middle }
    }
    if low > 0, let start = word(entries + (low - 1) * 8),
      let description = word(entries + (low - 1) * 8 + 4),
      let length = length(describedAt: tableAddress &+ description)
    {
      let distance = address &- (tableAddress &+ start)
      if distance < length { return address &+ (length - distance) }
    }
    guard low < count, let next = word(entries + low * 8) else { return nil }
    return tableAddress &+ next
  }

  /// The number of 4 bytes at `offset` of the table, with its sign.
  private func word(_ offset: Int) -> UInt64? {
    var reader = ByteReader(table.bytes, reading: ".eh_frame_hdr", endianness: endianness)
    guard (try? reader.seek(to: offset)) != nil, let number = try? reader.read(Int32.self) else {
      return nil
    }
    return UInt64(bitPattern: Int64(number))
  }

  /// The length of the function whose description is at `address`.
  private func length(describedAt address: UInt64) -> UInt64? {
    guard let offset = Int(exactly: address &- framesAddress) else { return nil }
    var reader = ByteReader(frames.bytes, reading: ".eh_frame", endianness: endianness)
    guard (try? reader.seek(to: offset)) != nil, let size = try? reader.read(UInt32.self),
      size != 0, size != .max
    else { return nil }
    let position = reader.position
    guard let distance = try? reader.read(UInt32.self), distance > 0, Int(distance) <= position,
      let encoding = encoding(describedAt: position - Int(distance)),
      let width = Self.size(of: encoding, addressSize: addressSize),
      (try? reader.skip(width)) != nil
    else { return nil }
    return try? reader.readUnsigned(size: width)
  }

  /// The encoding of addresses given by the shared description (CIE).
  private func encoding(describedAt offset: Int) -> UInt8? {
    var reader = ByteReader(frames.bytes, reading: ".eh_frame", endianness: endianness)
    guard (try? reader.seek(to: offset + 8)) != nil, let version = try? reader.read(UInt8.self),
      let text = try? reader.readCString()
    else { return nil }
    let letters = (0..<text.byteCount).map { text.byte($0) }
    guard letters.first == UInt8(ascii: "z") else { return letters.isEmpty ? 0 : nil }
    guard (try? reader.readULEB128()) != nil, (try? reader.readSLEB128()) != nil else { return nil }
    let register = version == 1 ? (try? reader.skip(1)) != nil : (try? reader.readULEB128()) != nil
    guard register, (try? reader.readULEB128()) != nil else { return nil }
    for letter in letters.dropFirst() {
      switch letter {
      case UInt8(ascii: "R"): return try? reader.read(UInt8.self)
      case UInt8(ascii: "L"): guard (try? reader.skip(1)) != nil else { return nil }
      case UInt8(ascii: "P"):
        guard let form = try? reader.read(UInt8.self),
          let size = Self.size(of: form, addressSize: addressSize), (try? reader.skip(size)) != nil
        else { return nil }
      case UInt8(ascii: "S"), UInt8(ascii: "B"): break
      default: return nil
      }
    }
    return 0
  }

  /// The size in bytes of a number in an encoding; `nil` where that depends on the number.
  private static func size(of encoding: UInt8, addressSize: Int) -> Int? {
    guard encoding != omitted else { return nil }
    switch encoding & 0x0f {
    case 0x00: return addressSize
    case 0x02, 0x0a: return 2
    case 0x03, 0x0b: return 4
    case 0x04, 0x0c: return 8
    default: return nil
    }
  }
}
