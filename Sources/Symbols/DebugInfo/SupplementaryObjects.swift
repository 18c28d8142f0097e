internal import Bytes
public import DWARF
public import ObjectFormats

/// The files with further debug information of an object, as far as available.
public struct SupplementaryObjects: Sendable {
  /// Files of split units (`.dwo`, `.dwp`, or objects with both); the first of two that contain the
  /// same unit counts.
  public var split: [ObjectFile] = []
  /// The file that dwz moved shared entries and names to.
  public var alternate: ObjectFile?
  /// The object files that a Mach-O program was linked from, by their numbers in its debug map.
  public var mapped: [Int: ObjectFile] = [:]

  public init() {}

  public static let none = SupplementaryObjects()

  /// The bytes of all of them.
  var storedBytes: Int {
    (split + (alternate.map { [$0] } ?? []) + mapped.values).reduce(0) { $0 + $1.bytes.count }
  }

  public var isEmpty: Bool { split.isEmpty && alternate == nil && mapped.isEmpty }
}

extension ObjectFile {
  /// Whether the file contains split units: `.dwo`, `.dwp`, or an object compiled with
  /// `-gsplit-dwarf=single`.
  public var hasSplitUnits: Bool { section(named: "debug_info.dwo")?.hasContents == true }

  /// Whether an index locates each split unit in the file.
  var isSplitPackage: Bool { section(named: "debug_cu_index") != nil }

  /// The ids of the split units in this file.
  ///
  /// - Complexity: O(n) in their number.
  public var splitUnitIDs: [UInt64] {
    guard hasSplitUnits else { return [] }
    var sections = DWARFSections(endianness: endianness, addressSize: addressSize)
    var notes: [String] = []
    sections.loadSplit(from: self, notes: &notes, width: 1)
    return sections.splitUnitIDs()
  }

  /// The facts of the split units in this file; `nil` where it has none.
  ///
  /// - Complexity: O(units and their abbreviations).
  public var splitUnitFacts: UnitFacts? {
    guard hasSplitUnits else { return nil }
    var sections = DWARFSections(endianness: endianness, addressSize: addressSize)
    var notes: [String] = []
    sections.loadSplit(from: self, notes: &notes, width: 1)
    return UnitFacts(reading: sections)
  }

  /// The units that this file names and others contain, each once; empty for most files.
  ///
  /// - Complexity: O(n) in the number of units, where there is a table of addresses.
  public var splitReferences: [SplitUnitReference] {
    // Split units get their addresses from the object.
    guard section(named: "debug_addr") != nil, hasDebugInfo else { return [] }
    var sections = DWARFSections(endianness: endianness, addressSize: addressSize)
    var notes: [String] = []
    sections.loadUnits(from: self, notes: &notes)
    guard !sections.splitReferences().isEmpty else { return [] }
    // Their names are needed too.
    sections.load(from: self, notes: &notes)
    return sections.splitReferences()
  }
}

extension SupplementaryObjects {
  /// The sections of the files that fit `object`.
  func sections(
    for object: ObjectFile, notes: inout [String], width: Int
  ) -> [DWARFSections] {
    var loaded: [DWARFSections] = []
    for file in split where file.fits(object) {
      var sections = DWARFSections(endianness: file.endianness, addressSize: file.addressSize)
      sections.loadSplit(from: file, notes: &notes, width: width)
      loaded.append(sections)
    }
    if let alternate, alternate.fits(object) {
      var sections = DWARFSections(
        endianness: alternate.endianness, addressSize: alternate.addressSize)
      sections.load(from: alternate, notes: &notes, width: width)
      sections.role = .alternate
      loaded.append(sections)
    }
    return loaded
  }

  /// The most units listed when their files are missing.
  private static let named = 4

  /// The notes about units whose files are missing.
  static func notes(missing units: [SplitUnitReference]) -> [String] {
    var lines = units.prefix(named).map { unit in
      let isAbsolute = unit.name.hasPrefix("/") || unit.directory.isEmpty
      let path = isAbsolute ? unit.name : unit.directory + "/" + unit.name
      return "debug info: no split unit \(unit.id.hexadecimal), which is in \(path)"
    }
    if units.count > lines.count {
      lines.append("debug info: and \(units.count - lines.count) more split units are missing")
    }
    return lines
  }
}

extension ObjectFile {
  fileprivate func fits(_ object: ObjectFile) -> Bool {
    endianness == object.endianness && addressSize == object.addressSize
  }
}
