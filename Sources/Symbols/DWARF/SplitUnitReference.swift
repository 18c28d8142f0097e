internal import Bytes

/// A unit whose entries lie in another file, as the object gives it.
///
/// Source: DWARF 5, section 3.1.2; before, GCC wiki, "DebugFission".
public struct SplitUnitReference: Hashable, Sendable {
  /// The same in the skeleton and in the split unit, made from its contents.
  public let id: UInt64
  /// The path of the file, from ``directory`` on where it is relative.
  public let name: String
  /// Where the compiler ran.
  public let directory: String

  public init(id: UInt64, name: String, directory: String) {
    self.id = id
    self.name = name
    self.directory = directory
  }
}

extension InfoReader {
  /// The reference of a skeleton unit that has been prepared; `nil` for another.
  func splitReference(
    of index: Int, _ spans: borrowing SectionSpans
  ) -> SplitUnitReference? {
    guard let id = units[index].splitID else { return nil }
    return SplitUnitReference(
      id: id, name: string(units[index].splitName, spans),
      directory: string(units[index].compilationDirectory, spans))
  }

  private func string(_ text: TextReference, _ spans: borrowing SectionSpans) -> String {
    if text.isNone { return "" }
    let span = spans.span(of: text)
    let count = span.textLength(from: text.offset, limit: limits.pathLength)
    return span.extracting(text.offset..<(text.offset + count)).text
  }
}

extension DWARFSections {
  /// The units that these sections only name, in order, each id once.
  ///
  /// - Complexity: O(units) in version 5, where a unit's head shows; before, O(roots and their
  ///   abbreviations).
  public func splitReferences(limits: DWARFLimits = DWARFLimits()) -> [SplitUnitReference] {
    // Split units take their addresses from here.
    guard !addresses.isEmpty else { return [] }
    let spans = SectionSpans(self)
    var reader = InfoReader(
      self, space: CodeSpace(imageBase: 0, executable: []), limits: limits)
    reader.findUnits(spans)
    var found: [SplitUnitReference] = []
    var seen: Set<UInt64> = []
    for index in reader.units.indices {
      let header = reader.units[index].header
      let isSkeleton = header.kind == UnitHeader.Kind.skeleton
      guard header.encoding.version < 5 || isSkeleton, reader.prepare(index, spans),
        let reference = reader.splitReference(of: index, spans)
      else { continue }
      reader.units[index].abbreviations = nil
      if seen.insert(reference.id).inserted { found.append(reference) }
    }
    return found
  }

  /// The ids of the split units in these sections of a `.dwo` or `.dwp` file.
  public func splitUnitIDs(limits: DWARFLimits = DWARFLimits()) -> [UInt64] {
    SplitIndex([self], limits: limits).ids
  }

  /// Takes in the files in which the debug information goes on.
  ///
  /// - Returns: The parts of them that cannot be used.
  public mutating func add(
    _ others: [DWARFSections], limits: DWARFLimits = DWARFLimits()
  ) -> [String] {
    self.others = Array(others.prefix(TextReference.files - 1))
    if let index = self.others.firstIndex(where: { $0.role == .alternate }) {
      alternateFile = index + 1
      alternateInfo = others[index].info
      alternateAbbreviations = others[index].abbreviations
      alternateStrings = others[index].strings
    }
    splitUnits = SplitIndex(others, limits: limits)
    return splitUnits.notes
  }

  /// The units that these sections only name and the added files do not hold.
  public func missingUnits(limits: DWARFLimits = DWARFLimits()) -> [SplitUnitReference] {
    splitReferences(limits: limits).filter { splitUnits.unit(of: $0.id) == nil }
  }
}
