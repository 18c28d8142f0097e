internal import Identifiers

/// A PDB's facts about its program, as ``ObjectFile`` asks for them.
extension PDBFile {
  var architecture: Architecture { Architecture(peMachine: dbi?.machine ?? 0) }

  /// The size of an address in bytes.
  var addressSize: Int {
    switch dbi?.machine {
    case 0x8664, 0xaa64, 0xa641, 0xa64e, 0x5064: 8
    default: 4
    }
  }

  var debugID: DebugID { DebugID(guid: guid, age: age) }

  /// From the image base.
  var executableRanges: [Range<UInt64>] { sections.filter(\.isExecutable).map(\.range).merged() }

  /// The sections of the program; their bytes are not in the PDB.
  var objectSections: [ObjectSection] {
    sections.map { section in
      ObjectSection(
        name: section.plainName, segment: nil, address: UInt64(section.address),
        size: UInt64(section.size), fileOffset: 0, fileSize: 0,
        isExecutable: section.isExecutable, compression: .none)
    }
  }

  /// Whether a module has symbols or lines.
  var hasDebugInfo: Bool {
    modules().contains { module in
      guard let stream = module.stream else { return false }
      return container.size(of: stream) > 4 && (module.symbolBytes > 4 || module.lineBytes > 0)
    }
  }
}
