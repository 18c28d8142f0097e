/// A unit and what its root entry says about reading the others.
struct Unit {
  var header: UnitHeader
  /// Whether the fields below have been read.
  var isPrepared = false
  var abbreviations: AbbreviationTable?
  var statementList: UInt64?
  var compilationDirectory = TextReference.none
  var isC = false
  var isSkeleton = false
  var lowPC: UInt64 = 0
  var stringOffsetsBase: UInt64 = 0
  var addressBase: UInt64 = 0
  var rangeListsBase: UInt64 = 0
  var gnuRangesBase: UInt64 = 0

  init(_ header: UnitHeader) {
    self.header = header
    // Where a base is missing, the table's first header is meant.
    if header.encoding.version >= 5 {
      let isWide = header.encoding.offsetSize == 8
      stringOffsetsBase = isWide ? 16 : 8
      addressBase = isWide ? 16 : 8
      rangeListsBase = isWide ? 20 : 12
    }
  }
}
