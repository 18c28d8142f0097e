internal import Bytes

extension InfoReader {
  /// Adds the ranges of a range list.
  @inline(never)
  mutating func addCodeRanges(
    list value: Entry.Value, scope: UInt32, isInlined: Bool, unit index: Int,
    _ spans: borrowing SectionSpans
  ) {
    guard rangeBudget > 0 else {
      note("limit on reading range lists again is reached", at: Int(clamping: value.number))
      return
    }
    let unit = units[index]
    if unit.header.encoding.version >= 5 {
      var offset = value.number &+ unit.rangesStart
      if value.form == Form.rangeListIndex {
        guard
          let entry = SectionSpans.element(
            of: spans.rangeLists, base: unit.rangeListsBase, index: value.number,
            size: unit.header.encoding.offsetSize, isBigEndian: spans.isBigEndian)
        else { return }
        offset = entry &+ unit.rangeListsBase
      }
      addRangeList(
        at: Int(clamping: offset), scope: scope, isInlined: isInlined, unit: unit, spans)
    } else {
      addRanges(
        at: Int(clamping: value.number &+ unit.rangesStart), scope: scope, isInlined: isInlined,
        unit: unit, spans)
    }
  }

  /// `.debug_ranges`: pairs relative to a base; all ones and a new base; two zeros end the list.
  ///
  /// Source: DWARF 4, section 2.17.3.
  private mutating func addRanges(
    at offset: Int, scope: UInt32, isInlined: Bool, unit: Unit, _ spans: borrowing SectionSpans
  ) {
    let size = unit.header.encoding.addressSize
    let allOnes: UInt64 = size == 8 ? .max : 1 &<< UInt64(size * 8) &- 1
    var cursor = Cursor(
      spans.ranges, isBigEndian: spans.isBigEndian, from: offset, to: spans.ranges.byteCount)
    var base = unit.lowPC
    while !cursor.isAtEnd, rangeBudget > 0 {
      let low = cursor.unsigned(size: size)
      let high = cursor.unsigned(size: size)
      rangeBudget -= 2 * size
      if cursor.failed || (low == 0 && high == 0) { return }
      if low == allOnes {
        base = high
      } else if !Self.isTombstone(base, addressSize: size), low < high,
        !Self.isTombstone(low, addressSize: size)
      {
        addCodeRange(
          from: (base &+ low) & allOnes, to: (base &+ high) & allOnes, scope: scope,
          isInlined: isInlined, addressSize: size)
      }
    }
  }

  /// `.debug_rnglists`: a kind byte and its operands.
  ///
  /// Source: DWARF 5, section 7.25.
  private mutating func addRangeList(
    at offset: Int, scope: UInt32, isInlined: Bool, unit: Unit, _ spans: borrowing SectionSpans
  ) {
    let size = unit.header.encoding.addressSize
    var cursor = Cursor(
      spans.rangeLists, isBigEndian: spans.isBigEndian, from: offset,
      to: spans.rangeLists.byteCount)
    var base: UInt64? = unit.lowPC
    while !cursor.isAtEnd, rangeBudget > 0 {
      let start = cursor.offset
      var low: UInt64?
      var high: UInt64?
      switch RangeListEntry(rawValue: cursor.byte()) {
      case .baseAddressx: base = indexed(cursor.uleb(), unit, spans)
      case .startxEndx:
        low = indexed(cursor.uleb(), unit, spans)
        high = indexed(cursor.uleb(), unit, spans)
      case .startxLength:
        low = indexed(cursor.uleb(), unit, spans)
        let length = cursor.uleb()
        high = low.map { $0 &+ length }
      case .offsetPair:
        let first = cursor.uleb()
        let second = cursor.uleb()
        if let base, !Self.isTombstone(base, addressSize: size) {
          low = base &+ first
          high = base &+ second
        }
      case .baseAddress: base = cursor.unsigned(size: size)
      case .startEnd:
        low = cursor.unsigned(size: size)
        high = cursor.unsigned(size: size)
      case .startLength:
        low = cursor.unsigned(size: size)
        let length = cursor.uleb()
        high = low.map { $0 &+ length }
      default: return  // the end, or an unknown kind
      }
      rangeBudget -= cursor.offset - start
      if cursor.failed { return }
      if let low, let high {
        addCodeRange(
          from: low, to: high, scope: scope, isInlined: isInlined, addressSize: size)
      }
    }
  }

  private func indexed(
    _ index: UInt64, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> UInt64? {
    address(Entry.Value(number: index, form: Form.addrx), unit, spans)
  }
}
