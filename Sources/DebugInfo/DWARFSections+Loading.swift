internal import Bytes
internal import DWARF
internal import ObjectFormats
internal import Workers

extension DWARFSections {
  private typealias Place = any WritableKeyPath<DWARFSections, ByteView> & Sendable

  /// The sections that the readers need, by their names without prefix.
  private static let names: [(name: String, place: Place)] = [
    ("debug_info", \.info), ("debug_abbrev", \.abbreviations), ("debug_line", \.line),
    ("debug_str", \.strings), ("debug_line_str", \.lineStrings),
    ("debug_str_offsets", \.stringOffsets), ("debug_addr", \.addresses),
    ("debug_ranges", \.ranges), ("debug_rnglists", \.rangeLists),
  ]

  /// Loads the sections; one that cannot be read stays empty and leaves a note.
  mutating func load(from object: ObjectFile, notes: inout [String], width: Int) {
    let found = Self.names.map { object.section(named: $0.name) }
    // The largest first, so that none is left alone at the end.
    let order = found.indices.filter { found[$0] != nil }
      .sorted { (found[$1]?.fileSize ?? 0, $0) < (found[$0]?.fileSize ?? 0, $1) }
    let names = Self.names.map(\.name)
    let isWork = found.contains { $0.map { $0.compression != .none } ?? false }
    let loaded = Workers.map(count: order.count, width: isWork ? width : 1) { index in
      Result { () throws(ParseError) in
        let place = order[index]
        guard let section = found[place] else { return ByteView.empty }
        let view = try object.contents(of: section)
        return try Relocations(of: names[place], in: object)?.applied(to: view) ?? view
      }
    }
    for (place, result) in zip(order, loaded).sorted(by: { $0.0 < $1.0 }) {
      switch result {
      case .success(let view): self[keyPath: Self.names[place].place] = view
      case .failure(let error): notes.append(error.description)
      }
    }
  }
}
