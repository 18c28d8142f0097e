internal import Bytes

/// The header and the load commands of a Mach-O file that matter here.
///
/// Each load command begins with four bytes that say what it is and four with its size.
///
/// Source: load_command, uuid_command, symtab_command and linkedit_data_command in mach-o/loader.h.
package struct MachOFile: Sendable {
  /// A range of the file that a load command names.
  struct DataRange: Sendable {
    let offset: UInt32
    let size: UInt32
  }

  /// The command `LC_SYMTAB`.
  struct Symbols: Sendable {
    let offset: UInt32
    let count: UInt32
    let names: DataRange
  }

  private static let commandSymbols: UInt32 = 0x2
  private static let commandUUID: UInt32 = 0x1b
  private static let commandFunctionStarts: UInt32 = 0x26

  let bytes: ByteView
  let header: MachHeader
  private(set) var segments: [MachSegment] = []
  /// In the order of their numbers in symbols, which begin at 1.
  private(set) var sections: [MachSection] = []
  /// Whether the file holds the bytes of the section with the same index.
  private(set) var sectionHasBytes: [Bool] = []
  private(set) var uuid: [UInt8]?
  private(set) var symbols: Symbols?
  private(set) var functionStarts: DataRange?

  /// - Throws: ``ParseError`` when the bytes are not a Mach-O file or its load commands do not lie
  ///   in them.
  init(parsing view: ByteView) throws(ParseError) {
    bytes = view
    header = try MachHeader(parsing: view)
    if let refusal = RefusedFormat.error(for: header) { throw refusal }
    let commands = try view.slice(
      at: UInt64(header.byteCount), count: UInt64(header.commandBytes), of: "load commands")
    var offset = 0
    // A command takes eight bytes at least, so the count is believed only as far as they reach.
    for _ in 0..<header.commandCount {
      var reader = ByteReader(
        commands.bytes, reading: "load command", endianness: header.endianness,
        base: header.byteCount)
      try reader.seek(to: offset)
      let command: UInt32 = try reader.read()
      let size: UInt32 = try reader.read()
      guard size >= 8, Int(size) <= commands.count - offset else {
        throw reader.error(.invalid("a load command of \(size) bytes"))
      }
      try read(command, in: commands.clamped(offset..<(offset + Int(size))), at: offset)
      offset += Int(size)
    }
  }

  private mutating func read(
    _ command: UInt32, in view: ByteView, at offset: Int
  ) throws(ParseError) {
    var reader = ByteReader(
      view.bytes, reading: "load command", endianness: header.endianness,
      base: header.byteCount + offset)
    try reader.skip(8)
    switch command {
    case MachSegment.command32: try readSegment(&reader, addressSize: 4)
    case MachSegment.command64: try readSegment(&reader, addressSize: 8)
    case Self.commandUUID:
      let id = ByteView(copying: try reader.readBytes(16)).array
      uuid = id.allSatisfy { $0 == 0 } ? nil : id
    case Self.commandSymbols:
      symbols = Symbols(
        offset: try reader.read(), count: try reader.read(),
        names: DataRange(offset: try reader.read(), size: try reader.read()))
    case Self.commandFunctionStarts:
      functionStarts = DataRange(offset: try reader.read(), size: try reader.read())
    default: break
    }
  }

  @_lifetime(reader: copy reader)
  private mutating func readSegment(
    _ reader: inout ByteReader, addressSize: Int
  ) throws(ParseError) {
    let segment = try MachSegment(reading: &reader, addressSize: addressSize)
    segments.append(segment)
    for _ in 0..<segment.sectionCount {
      guard sections.count < ObjectLimits.sections else {
        throw reader.error(.limit(name: "sections", value: ObjectLimits.sections))
      }
      let section = try MachSection(reading: &reader, addressSize: addressSize)
      sections.append(section)
      // A dSYM repeats the segments of its program without their bytes.
      sectionHasBytes.append(
        !section.isZeroFill && section.offset != 0
          && (segment.fileSize > 0 || header.fileType == MachFileType.object))
    }
  }
}
