/// A unit with the facts of its root entry that its other entries depend on.
struct Unit {
  var header: UnitHeader
  /// Whether the fields below have been read.
  var isPrepared = false
  var abbreviations: AbbreviationTable?
  var statementList: UInt64?
  var compilationDirectory = TextReference.none
  var isC = false
  /// Whether the enclosing namespaces and types are part of a function's name.
  var hasScopedNames = false
  /// The id that the root entry gives the unit, up to version 4.
  var rootSplitID: UInt64?
  /// The id of the unit in another file that contains the entries; `nil` where they are here.
  var splitID: UInt64?
  /// The name of that file.
  var splitName = TextReference.none
  var lowPC: UInt64 = 0
  var stringOffsetsBase: UInt64 = 0
  var addressBase: UInt64 = 0
  var rangeListsBase: UInt64 = 0
  /// The skeleton unit's facts about the range lists of its entries in the other file.
  var gnuRangesBase: UInt64 = 0
  /// The offset of this unit's range lists: in `.debug_ranges`, or from version 5 in
  /// `.debug_rnglists`, where only split units have one.
  var rangesStart: UInt64 = 0

  /// A placeholder for the unit of a line table while that is unknown.
  static let unknown = Unit(
    UnitHeader(
      offset: 0, entries: 0, end: 0,
      encoding: UnitEncoding(addressSize: 8, offsetSize: 4, version: 5), kind: 0,
      abbreviations: 0))

  init(_ header: UnitHeader) {
    self.header = header
    // A missing base means the table's first header.
    if header.encoding.version >= 5 {
      let isWide = header.encoding.offsetSize == 8
      stringOffsetsBase = isWide ? 16 : 8
      addressBase = isWide ? 16 : 8
      rangeListsBase = isWide ? 20 : 12
    }
  }
}
