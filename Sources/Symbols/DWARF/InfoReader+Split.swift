internal import Bytes

extension InfoReader {
  /// The id of the split unit whose root entry is that of the unit at `index`, up to version 4.
  mutating func splitID(ofRoot index: Int, _ spans: borrowing SectionSpans) -> UInt64? {
    guard prepare(index, spans) else { return nil }
    units[index].abbreviations = nil
    return units[index].rootSplitID
  }

  /// Reads the entries that the skeleton unit at `index` leaves to another file; false when that is
  /// not here.
  ///
  /// They use the skeleton's line table, its addresses and, up to version 4, its range lists. All
  /// else is in their own file, in a package each table from an offset on that its index shows.
  ///
  /// Source: DWARF 5, sections 3.1.3 and 7.3.2.2.
  mutating func readSplitUnit(
    of index: Int, _ sections: borrowing DWARFSections
  ) -> Bool {
    let skeleton = units[index]
    guard let id = skeleton.splitID, let splitUnit = sections.splitUnits.unit(of: id) else {
      output.skeletonCount += 1
      return false
    }
    splitBudget -= splitUnit.unit.count
    guard splitBudget > 0 else {
      note("limit on reading split units again is reached", at: skeleton.header.offset)
      return false
    }
    let other = sections.others[splitUnit.file - 1]
    let inner = SectionSpans(sections, entries: other, file: splitUnit.file)
    guard
      case .unit(var header) = UnitHeader.read(
        inner.info, at: splitUnit.unit.lowerBound, isBigEndian: inner.isBigEndian),
      header.end <= splitUnit.unit.upperBound
    else {
      note("damaged split unit \(Self.hex(id)) for the unit", at: skeleton.header.offset)
      return false
    }
    header.abbreviations = Self.sum(header.abbreviations, splitUnit.abbreviations)
    let outerUnits = units
    units = [Unit(header)]
    swap(&abbreviations, &splitAbbreviations[splitUnit.file - 1])
    defer {
      units = outerUnits
      swap(&abbreviations, &splitAbbreviations[splitUnit.file - 1])
    }
    guard prepare(0, inner) else { return false }
    var unit = units[0]
    unit.splitID = nil
    unit.lowPC = skeleton.lowPC
    unit.addressBase = skeleton.addressBase
    unit.compilationDirectory = skeleton.compilationDirectory
    unit.stringOffsetsBase &+= UInt64(splitUnit.stringOffsets)
    if header.encoding.version >= 5 {
      unit.rangeListsBase &+= UInt64(splitUnit.rangeLists)
      unit.rangesStart = UInt64(splitUnit.rangeLists)
    } else {
      unit.rangesStart = skeleton.gnuRangesBase
    }
    units[0] = unit
    memo.begin(unitSize: header.end - header.offset)
    walk(0, inner)
    return true
  }

  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  static func hex(_ id: UInt64) -> String { id.hexadecimal }
}
