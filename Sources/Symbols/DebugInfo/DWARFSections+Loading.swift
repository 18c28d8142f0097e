internal import Bytes
internal import DWARF
internal import ObjectFormats
internal import Workers

extension DWARFSections {
  private typealias SectionPath = any WritableKeyPath<DWARFSections, ByteView> & Sendable

  /// The sections that the readers need, by their names without prefix.
  private static let names: [(name: String, path: SectionPath)] = [
    ("debug_info", \.info), ("debug_abbrev", \.abbreviations), ("debug_line", \.line),
    ("debug_str", \.strings), ("debug_line_str", \.lineStrings),
    ("debug_str_offsets", \.stringOffsets), ("debug_addr", \.addresses),
    ("debug_ranges", \.ranges), ("debug_rnglists", \.rangeLists),
  ]

  /// The sections of split units.
  ///
  /// Source: DWARF 5, section 7.3.2.2; the names of a package are in section 7.3.5.
  private static let splitNames: [(name: String, path: SectionPath)] = [
    ("debug_info.dwo", \.info), ("debug_abbrev.dwo", \.abbreviations),
    ("debug_str.dwo", \.strings), ("debug_str_offsets.dwo", \.stringOffsets),
    ("debug_rnglists.dwo", \.rangeLists), ("debug_cu_index", \.unitIndex),
  ]

  /// Loads the sections; one that cannot be read stays empty and leaves a note.
  mutating func load(from object: ObjectFile, notes: inout [String], width: Int = 1) {
    load(Self.names, from: object, notes: &notes, width: width)
  }

  /// Loads the sections like ``load(from:notes:width:)``. Where the units are compressed, one
  /// thread is busy with them for longer than others are with the rest: line tables are read in the
  /// meantime.
  mutating func loadReading(
    _ object: ObjectFile, space: CodeSpace, limits: DWARFLimits, notes: inout [String], width: Int
  ) {
    guard width > 1, let section = object.section(named: "debug_info"),
      section.compression != .none
    else { return load(from: object, notes: &notes, width: width) }
    let units = Background(isOn: true) {
      Result { () throws(ParseError) in try object.contents(ofAllLike: section) }
    }
    var others: [String] = []
    load(
      Self.names.filter { $0.name != "debug_info" }, from: object, notes: &others,
      width: width - 1)
    linesAhead = LinePrefetch(self, space: space, limits: limits) { !units.isReady }
    switch units.value() {
    case .success(let view): info = view
    case .failure(let error): notes.append(error.description)
    }
    notes += others
  }

  /// Loads the sections that show whether there are units whose entries are elsewhere.
  mutating func loadUnits(from object: ObjectFile, notes: inout [String]) {
    let needed = ["debug_info", "debug_abbrev", "debug_addr"]
    load(Self.names.filter { needed.contains($0.name) }, from: object, notes: &notes, width: 1)
  }

  /// Loads the sections of split units.
  mutating func loadSplit(from object: ObjectFile, notes: inout [String], width: Int) {
    load(Self.splitNames, from: object, notes: &notes, width: width)
    role = object.isSplitPackage ? .package : .split
  }

  private mutating func load(
    _ wanted: [(name: String, path: SectionPath)], from object: ObjectFile, notes: inout [String],
    width: Int
  ) {
    let found = wanted.map { object.section(named: $0.name) }
    // The largest first, so that none is left alone at the end.
    let order = found.indices.filter { found[$0] != nil }
      .sorted { (found[$1]?.fileSize ?? 0, $0) < (found[$0]?.fileSize ?? 0, $1) }
    let isWork = found.contains { $0.map { $0.compression != .none } ?? false }
    let loaded = Workers.map(count: order.count, width: isWork ? width : 1) { index in
      Result { () throws(ParseError) in
        guard let section = found[order[index]] else { return ByteView.empty }
        return try object.contents(ofAllLike: section)
      }
    }
    for (position, result) in zip(order, loaded).sorted(by: { $0.0 < $1.0 }) {
      switch result {
      case .success(let view): self[keyPath: wanted[position].path] = view
      case .failure(let error): notes.append(error.description)
      }
    }
  }
}
