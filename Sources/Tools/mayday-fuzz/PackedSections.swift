internal import Bytes
internal import DWARF
internal import DebugInfo
internal import ObjectFormats

/// Debug sections without a container, so that a fuzzer's changes hit debug information and nothing
/// else.
///
///     OFFSET  SIZE  FIELD
///          0     1  bit 0: big-endian; bit 1: addresses of 4 bytes, not 8; bit 2: the second part
///                   is what dwz took out, not split units
///          1  15 * 3  sizes of the sections, little-endian
///         46        the sections: info, abbreviations, line, strings, line strings, string offsets,
///                   addresses, ranges, range lists; then, of another file, info, abbreviations,
///                   strings, string offsets, range lists, index; sections beyond the end are
///                   cut off
struct PackedSections {
  private static let names = [
    "debug_info", "debug_abbrev", "debug_line", "debug_str", "debug_line_str",
    "debug_str_offsets", "debug_addr", "debug_ranges", "debug_rnglists",
    "debug_info.dwo", "debug_abbrev.dwo", "debug_str.dwo", "debug_str_offsets.dwo",
    "debug_rnglists.dwo", "debug_cu_index",
  ]
  private static let headerSize = 1 + names.count * 3

  private let flags: UInt8
  private let sections: [ByteView]

  init?(_ bytes: ByteView) {
    guard bytes.count >= Self.headerSize else { return nil }
    flags = bytes[0]
    var start = Self.headerSize
    sections = Self.names.indices.map { index in
      let offset = 1 + index * 3
      let size =
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
      defer { start = min(start + size, bytes.count) }
      return bytes.clamped(start..<(start + size))
    }
  }

  /// Returns the sections of `object` in this form; `nil` without debug information.
  static func pack(_ object: ObjectFile) -> [UInt8]? {
    guard object.hasDebugInfo || object.hasSplitUnits else { return nil }
    var header: [UInt8] = [(object.endianness == .big ? 1 : 0) | (object.addressSize == 4 ? 2 : 0)]
    var contents: [UInt8] = []
    for name in names {
      let bytes = object.section(named: name).flatMap { try? object.contents(of: $0) }?.array ?? []
      for shift in [0, 8, 16] { header.append(UInt8(truncatingIfNeeded: bytes.count >> shift)) }
      contents += bytes
    }
    return header + contents
  }

  func read() {
    var all = DWARFSections(
      endianness: flags & 1 == 1 ? .big : .little, addressSize: flags & 2 == 2 ? 4 : 8)
    all.info = sections[0]
    all.abbreviations = sections[1]
    all.line = sections[2]
    all.strings = sections[3]
    all.lineStrings = sections[4]
    all.stringOffsets = sections[5]
    all.addresses = sections[6]
    all.ranges = sections[7]
    all.rangeLists = sections[8]
    if !sections[9].isEmpty {
      var other = DWARFSections(endianness: all.endianness, addressSize: all.addressSize)
      other.info = sections[9]
      other.abbreviations = sections[10]
      other.strings = sections[11]
      other.stringOffsets = sections[12]
      other.rangeLists = sections[13]
      other.unitIndex = sections[14]
      other.role = other.unitIndex.isEmpty ? .split : .package
      if flags & 4 == 4 { other.role = .alternate }
      _ = all.add([other])
      _ = all.missingUnits()
    }
    let tables = CodeTables.reading(
      all, space: CodeSpace(imageBase: 0, executable: [0..<0x1_0000_0000]))
    precondition(tables.codeRanges.count <= 1 << 24, "pieces without end")
  }
}
