internal import Bytes

/// Addresses for the code of unlinked files.
extension ELFFile {
  /// The sections of a relocatable file, with those of code one after another from address 0 on: in
  /// their order, each aligned, and after them those of the code that runs once at the start
  /// (`.init...`).
  ///
  /// The Linux kernel lays out the text of a module in this way, and an address in an object with
  /// one code section is its offset there, as in other readers.
  ///
  /// Source: Linux, kernel/module/main.c, `layout_sections`.
  static func laidOut(_ sections: [ELFSectionHeader], names: [String]) -> [ELFSectionHeader] {
    var sections = sections
    var end: UInt64 = 0
    for isInitial in [false, true] {
      for index in sections.indices
      where sections[index].isExecutable && names[index].hasPrefix(".init") == isInitial {
        let mask = max(sections[index].alignment, 1) &- 1
        // An alignment that is not a power of two is ignored.
        let start = (mask & (mask &+ 1)) == 0 ? (end &+ mask) & ~mask : end
        let (next, overflow) = start.addingReportingOverflow(sections[index].size)
        guard !overflow, start >= end else { continue }
        sections[index].address = start
        end = next
      }
    }
    return sections
  }

  /// The address of a symbol; in a relocatable file symbols count from the start of their section.
  func address(of symbol: ELFSymbol) -> UInt64 {
    guard header.type == ELFType.relocatable, symbol.hasAddress, !symbol.isExtended else {
      return symbol.value
    }
    let index = Int(symbol.sectionIndex)
    guard index < sections.count, sections[index].isExecutable else { return symbol.value }
    return symbol.value &+ sections[index].address
  }
}
