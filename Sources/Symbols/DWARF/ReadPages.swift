internal import Bytes

/// Releases the pages of a mapped file that hold units already read, so that memory does not grow with
/// the file. An entry that is needed again is read from the file again.
struct ReadPages {
  /// How much is released at once, in bytes: many pages cost little more than one.
  private static let window = 1 << 20

  /// The offset of the first entry that was not released.
  private var entries: Int
  private var lines: Range<Int>?

  /// - Parameter start: Where the first unit begins that is read.
  init(from start: Int) { entries = start }

  /// Takes note that a unit was read up to `end`, and its line table, if it has one, at `lineTable`.
  mutating func advance(
    to end: Int, lineTable: Range<Int>?, of sections: borrowing DWARFSections
  ) {
    if let lineTable {
      // Tables come in the order of their units, nearly always.
      let start = min(lines?.lowerBound ?? .max, lineTable.lowerBound)
      lines = start..<lineTable.upperBound
      if lineTable.upperBound - start >= Self.window { releaseLines(of: sections) }
    }
    if end - entries >= Self.window { releaseEntries(to: end, of: sections) }
  }

  /// Releases the rest, once the last unit was read, which ends at `end`.
  mutating func finish(at end: Int, of sections: borrowing DWARFSections) {
    releaseEntries(to: end, of: sections)
    releaseLines(of: sections)
  }

  private mutating func releaseEntries(to end: Int, of sections: borrowing DWARFSections) {
    guard end > entries else { return }
    sections.info.clamped(entries..<end).forgetPages()
    entries = end
  }

  private mutating func releaseLines(of sections: borrowing DWARFSections) {
    guard let range = lines.take() else { return }
    sections.line.clamped(range).forgetPages()
  }
}

/// Releases the pages of a mapped section of which only the headers of units are read, a few bytes on
/// many pages.
struct HeaderPages {
  /// How much is released at once, in bytes; a section that is smaller is read again at once, and stays.
  private static let window = 1 << 24

  private let section: ByteView
  private var released = 0

  init(_ section: ByteView) { self.section = section }

  /// Takes note that everything before `end` was read.
  mutating func advance(to end: Int) {
    guard end - released >= Self.window else { return }
    section.clamped(released..<end).forgetPages()
    released = end
  }
}

extension DWARFSections {
  /// Releases the pages of what only the readers of units need: names stay.
  func forgetReadPages() {
    for view in [info, abbreviations, line, stringOffsets, addresses, ranges, rangeLists] {
      view.forgetPages()
    }
    for other in others { other.forgetReadPages() }
  }
}
