internal import Bytes
internal import DWARF
internal import ObjectFormats

extension DWARFSections {
  /// Loads the sections; one that cannot be read stays empty and leaves a note.
  mutating func load(from object: ObjectFile, notes: inout [String]) {
    info = Self.contents("debug_info", of: object, &notes)
    abbreviations = Self.contents("debug_abbrev", of: object, &notes)
    line = Self.contents("debug_line", of: object, &notes)
    strings = Self.contents("debug_str", of: object, &notes)
    lineStrings = Self.contents("debug_line_str", of: object, &notes)
    stringOffsets = Self.contents("debug_str_offsets", of: object, &notes)
    addresses = Self.contents("debug_addr", of: object, &notes)
    ranges = Self.contents("debug_ranges", of: object, &notes)
    rangeLists = Self.contents("debug_rnglists", of: object, &notes)
  }

  /// Loads the sections of split units, whose names end in `.dwo`.
  ///
  /// Source: DWARF 5, section 7.3.2.2; the names of a package are in section 7.3.5.
  mutating func loadSplit(from object: ObjectFile, notes: inout [String]) {
    info = Self.contents("debug_info.dwo", of: object, &notes)
    abbreviations = Self.contents("debug_abbrev.dwo", of: object, &notes)
    strings = Self.contents("debug_str.dwo", of: object, &notes)
    stringOffsets = Self.contents("debug_str_offsets.dwo", of: object, &notes)
    rangeLists = Self.contents("debug_rnglists.dwo", of: object, &notes)
    unitIndex = Self.contents("debug_cu_index", of: object, &notes)
    role = object.isSplitPackage ? .package : .split
  }

  private static func contents(
    _ name: String, of object: ObjectFile, _ notes: inout [String]
  ) -> ByteView {
    do throws(ParseError) {
      if object.kind == .relocatable, object.container == .elf,
        let units = try units(name, of: object)
      {
        return units
      }
      return try object.section(named: name).map(object.contents) ?? .empty
    } catch {
      notes.append(error.description)
      return .empty
    }
  }

  /// The units of an object that is not linked, where they lie in several sections of one name: from
  /// version 5 on each type unit has a section of its own, so that the linker can keep one of many.
  private static func units(
    _ name: String, of object: ObjectFile
  ) throws(ParseError) -> ByteView? {
    var parts: [ObjectSection] = []
    for section in object.sections where section.name == "." + name && section.hasContents {
      parts.append(section)
    }
    guard parts.count > 1 else { return nil }
    var all: [UInt8] = []
    for part in parts { all += try object.contents(of: part).array }
    return ByteView(all)
  }
}
