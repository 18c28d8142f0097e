internal import Bytes
internal import CSegmentScan

extension ColumnData {
  /// Adds the rows of `live` whose number meets a check to `found`.
  func scanNumbers(_ check: SegmentCheck, _ live: Span<UInt64>, _ found: inout [UInt64]) {
    switch check {
    case .range(_, let range): scanRange(range, live, &found)
    case .values(_, let set):
      if set.values.count == 1, !set.isInverted {
        scanRange(set.values[0]...set.values[0], live, &found)
      } else {
        scanValues(set, live, &found)
      }
    }
  }

  /// The words of a block.
  private func words(of block: Int) -> Range<Int> {
    let start = block * SegmentFormat.blockWords
    return start..<min(start + SegmentFormat.blockWords, (rowCount + 63) / 64)
  }

  /// The least and the greatest of a block, less the base.
  func limits(ofBlock block: Int) -> (least: UInt64, most: UInt64) {
    let bytes = limits.bytes
    return (bytes.number(block * 2, width: width), bytes.number(block * 2 + 1, width: width))
  }

  /// Returns a range less the base; `nil` if no number can be in it.
  func offsets(of range: ClosedRange<Int>) -> ClosedRange<UInt64>? {
    guard range.upperBound >= entry.base else { return nil }
    let least = UInt64(bitPattern: Int64(max(range.lowerBound, entry.base) &- entry.base))
    let most = UInt64(bitPattern: Int64(range.upperBound &- entry.base))
    return least...most
  }

  private func scanRange(
    _ range: ClosedRange<Int>, _ live: Span<UInt64>, _ found: inout [UInt64]
  ) {
    guard let offsets = offsets(of: range) else { return }
    for block in 0..<SegmentFormat.blockCount(rowCount) {
      let (least, most) = limits(ofBlock: block)
      guard least <= offsets.upperBound, most >= offsets.lowerBound else { continue }
      let words = words(of: block)
      guard least < offsets.lowerBound || most > offsets.upperBound else {
        for index in words { found[index] |= live[index] }
        continue
      }
      // The bounds fit into the width, as those of the block do.
      scan(max(least, offsets.lowerBound)...min(most, offsets.upperBound), words, live, &found)
    }
  }

  /// Adds the rows of some words that are in a range.
  func scan(
    _ offsets: ClosedRange<UInt64>, _ words: Range<Int>, _ live: Span<UInt64>,
    _ found: inout [UInt64]
  ) {
    let least = offsets.lowerBound
    let span = offsets.upperBound &- least
    let start = words.lowerBound
    unsafe values.withUnsafeBytes { values in
      unsafe live.withUnsafeBufferPointer { live in
        unsafe found.withUnsafeMutableBufferPointer { found in
          guard let values = values.baseAddress, let live = live.baseAddress,
            let found = found.baseAddress
          else { return }
          unsafe scan(
            values + start * 64 * width, words.count, least, span, live + start, found + start)
        }
      }
    }
  }

  @unsafe
  private func scan(
    _ values: UnsafeRawPointer, _ words: Int, _ least: UInt64, _ span: UInt64,
    _ live: UnsafePointer<UInt64>, _ found: UnsafeMutablePointer<UInt64>
  ) {
    switch width {
    case 1:
      var set = [UInt64](repeating: 0, count: 4)
      for byte in Int(least)...Int(least + span) { set[byte >> 6] |= 1 << UInt64(byte & 63) }
      var bytes = unsafe segment_bytes_make(set)
      unsafe segment_in_bytes(values, words, &bytes, live, found)
    case 2: unsafe segment_in_range16(values, words, UInt16(least), UInt16(span), live, found)
    case 4: unsafe segment_in_range32(values, words, UInt32(least), UInt32(span), live, found)
    default: unsafe segment_in_range64(values, words, least, span, live, found)
    }
  }

  private func scanValues(_ set: ValueSet, _ live: Span<UInt64>, _ found: inout [UInt64]) {
    guard let first = set.values.first, let last = set.values.last else {
      if set.isInverted { for index in live.indices { found[index] |= live[index] } }
      return
    }
    let outer = offsets(of: first...last)
    let rows = self.rows
    let listed = set.listed
    let flip: UInt64 = set.isInverted ? 1 : 0
    for block in 0..<SegmentFormat.blockCount(rowCount) {
      let words = words(of: block)
      let (least, most) = limits(ofBlock: block)
      guard let outer, least <= outer.upperBound, most >= outer.lowerBound else {
        if set.isInverted { for index in words { found[index] |= live[index] } }
        continue
      }
      for index in words {
        var left = live[index]
        while left != 0 {
          let bit = left & (0 &- left)
          let row = index &<< 6 &+ left.trailingZeroBitCount
          if listed.bit(of: rows[row]) != flip { found[index] |= bit }
          left &= left &- 1
        }
      }
    }
  }
}
