internal import Bytes

/// The sections, borrowed for the duration of a read.
struct SectionSpans: ~Escapable {
  let info: RawSpan
  let abbreviations: RawSpan
  let line: RawSpan
  let strings: RawSpan
  let lineStrings: RawSpan
  let stringOffsets: RawSpan
  let addresses: RawSpan
  let ranges: RawSpan
  let rangeLists: RawSpan
  let isBigEndian: Bool
  /// The number that texts of ``info`` and ``strings`` get: ``TextReference/file``.
  let file: Int
  /// The object's own section, where the units are in another file.
  private let mainInfo: RawSpan
  private let mainStrings: RawSpan
  /// The number of the file shared by several objects; 0 where there is none.
  let alternateFile: Int
  private let alternateInfo: RawSpan
  private let alternateAbbreviations: RawSpan
  let alternateStrings: RawSpan

  @_lifetime(borrow sections)
  init(_ sections: borrowing DWARFSections) {
    info = sections.info.bytes
    abbreviations = sections.abbreviations.bytes
    line = sections.line.bytes
    strings = sections.strings.bytes
    lineStrings = sections.lineStrings.bytes
    stringOffsets = sections.stringOffsets.bytes
    addresses = sections.addresses.bytes
    ranges = sections.ranges.bytes
    rangeLists = sections.rangeLists.bytes
    isBigEndian = sections.endianness == .big
    file = 0
    mainInfo = sections.info.bytes
    mainStrings = sections.strings.bytes
    alternateFile = sections.alternateFile
    alternateInfo = sections.alternateInfo.bytes
    alternateAbbreviations = sections.alternateAbbreviations.bytes
    alternateStrings = sections.alternateStrings.bytes
  }

  /// Entries and their names from another file of `sections`, code and lines from the object.
  ///
  /// - Parameter file: From 1.
  @_lifetime(borrow sections, borrow other)
  init(_ sections: borrowing DWARFSections, entries other: borrowing DWARFSections, file: Int) {
    info = other.info.bytes
    abbreviations = other.abbreviations.bytes
    strings = other.strings.bytes
    stringOffsets = other.stringOffsets.bytes
    rangeLists = other.rangeLists.bytes
    line = sections.line.bytes
    lineStrings = sections.lineStrings.bytes
    addresses = sections.addresses.bytes
    ranges = sections.ranges.bytes
    isBigEndian = sections.endianness == .big
    self.file = file
    mainInfo = sections.info.bytes
    mainStrings = sections.strings.bytes
    alternateFile = 0
    alternateInfo = other.info.bytes.extracting(0..<0)
    alternateAbbreviations = other.info.bytes.extracting(0..<0)
    alternateStrings = other.info.bytes.extracting(0..<0)
  }

  /// Entries and names of the file shared by several objects.
  @_lifetime(copy spans)
  init(alternateOf spans: borrowing SectionSpans) {
    info = spans.alternateInfo
    abbreviations = spans.alternateAbbreviations
    strings = spans.alternateStrings
    stringOffsets = spans.stringOffsets.extracting(0..<0)
    rangeLists = spans.rangeLists
    line = spans.line
    lineStrings = spans.lineStrings
    addresses = spans.addresses
    ranges = spans.ranges
    isBigEndian = spans.isBigEndian
    file = spans.alternateFile
    mainInfo = spans.mainInfo
    mainStrings = spans.mainStrings
    alternateFile = 0
    alternateInfo = spans.alternateInfo
    alternateAbbreviations = spans.alternateAbbreviations
    alternateStrings = spans.alternateStrings
  }

  /// The bytes that contain `text`.
  @_lifetime(copy self)
  func span(of text: TextReference) -> RawSpan {
    switch text.section {
    case .info: text.file == file ? info : mainInfo
    case .strings:
      if text.file == file {
        strings
      } else {
        text.file == 0 ? mainStrings : alternateStrings
      }
    default: span(of: text.section)
    }
  }

  /// The bytes of a section that contains texts of these units.
  @_lifetime(copy self)
  func span(of section: TextReference.Section) -> RawSpan {
    switch section {
    case .info: info
    case .strings: strings
    case .lineStrings: lineStrings
    case .line: line
    case .none, .scoped: strings.extracting(0..<0)
    }
  }

  /// The number of `size` bytes at entry `index` of a table that begins at `base`; `nil` outside.
  @inline(__always)
  static func element(
    of table: RawSpan, base: UInt64, index: UInt64, size: Int, isBigEndian: Bool
  ) -> UInt64? {
    let (distance, overflow) = index.multipliedReportingOverflow(by: UInt64(size))
    let (offset, overflow2) = base.addingReportingOverflow(distance)
    guard !overflow, !overflow2, table.byteCount >= size,
      offset <= UInt64(table.byteCount &- size)
    else { return nil }
    var cursor = Cursor(
      table, isBigEndian: isBigEndian, from: Int(truncatingIfNeeded: offset), to: table.byteCount)
    return cursor.unsigned(size: size)
  }
}
