internal import Bytes
internal import CSegmentScan

extension ColumnData {
  /// Adds the rows of `live` whose code meets a check to `found`.
  func scanCodes(_ check: SegmentCheck, _ live: Span<UInt64>, _ found: inout [UInt64]) {
    let set = codes(meeting: check)
    guard set.count > 0 else { return }
    if set.count == codeCount {
      for index in live.indices { found[index] |= live[index] }
      return
    }
    guard isPlain else {
      scanRuns(set.bits.span, live, &found)
      return
    }
    let words = live.count
    unsafe values.withUnsafeBytes { values in
      unsafe live.withUnsafeBufferPointer { live in
        unsafe found.withUnsafeMutableBufferPointer { found in
          guard let values = values.baseAddress, let live = live.baseAddress,
            let found = found.baseAddress
          else { return }
          let least = set.least
          let span = set.isRange ? set.count - 1 : nil
          switch (width, span) {
          case (1, _):
            var bytes = unsafe segment_bytes_make(set.bits)
            unsafe segment_in_bytes(values, words, &bytes, live, found)
          case (2, let span?):
            unsafe segment_in_range16(values, words, UInt16(least), UInt16(span), live, found)
          case (2, nil): unsafe segment_in_set16(values, words, set.bits, live, found)
          case (_, let span?):
            unsafe segment_in_range32(values, words, UInt32(least), UInt32(span), live, found)
          case (_, nil): unsafe segment_in_set32(values, words, set.bits, live, found)
          }
        }
      }
    }
  }

  /// Codes that meet a check, as indices of the dictionary.
  private struct LocalCodes {
    /// At least four words, and one for each 64 codes.
    var bits: [UInt64]
    let count: Int
    let least: Int
    let isRange: Bool

    init(_ bits: [UInt64]) {
      self.bits = bits
      count = bits.reduce(0) { $0 &+ $1.nonzeroBitCount }
      let first = bits.firstIndex { $0 != 0 } ?? 0
      let last = bits.lastIndex { $0 != 0 } ?? 0
      least = first * 64 + bits[first].trailingZeroBitCount
      isRange = last * 64 + 64 - bits[last].leadingZeroBitCount - least == count
    }
  }

  private func codes(meeting check: SegmentCheck) -> LocalCodes {
    var bits = [UInt64](repeating: 0, count: max(codeCount / 64 + 1, 4))
    func insert(_ code: Int) { bits[code >> 6] |= 1 << UInt64(code & 63) }
    switch check {
    case .range(_, let range):
      let end = firstCode { $0 <= range.upperBound }
      for code in firstCode(where: { $0 < range.lowerBound })..<end { insert(code) }
    case .values(_, let set) where !set.isInverted && set.values.count < codeCount / 32:
      for value in set.values {
        let code = firstCode { $0 < value }
        if code < codeCount, self.value(ofCode: code) == value { insert(code) }
      }
    case .values(_, let set):
      let listed = set.listed
      let flip: UInt64 = set.isInverted ? 1 : 0
      var word: UInt64 = 0
      forEachCode { code, value in
        word |= (listed.bit(of: value) ^ flip) &<< UInt64(code & 63)
        guard code & 63 == 63 else { return }
        bits[code &>> 6] = word
        word = 0
      }
      bits[codeCount >> 6] |= word
    }
    return LocalCodes(bits)
  }

  private func scanRuns(_ set: Span<UInt64>, _ live: Span<UInt64>, _ found: inout [UInt64]) {
    switch width {
    case 1: scanRuns(as: UInt8.self, set, live, &found)
    case 2: scanRuns(as: UInt16.self, set, live, &found)
    default: scanRuns(as: UInt32.self, set, live, &found)
    }
  }

  /// A bit stands where a run that is in the set follows one that is not, or the other way round; there is no
  /// branch, since neighbours have nothing to do with each other. Then bits are added up from row to row.
  @inline(__always)
  private func scanRuns<Code: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    as _: Code.Type, _ set: Span<UInt64>, _ live: Span<UInt64>, _ found: inout [UInt64]
  ) {
    var turns = [UInt64](repeating: 0, count: live.count)
    let starts = starts.bytes
    let codes = values.bytes
    unsafe turns.withUnsafeMutableBufferPointer { turns in
      unsafe set.withUnsafeBufferPointer { set in
        var last: UInt64 = 0
        for run in 0..<runCount {
          let code = Int(codes.number(run, as: Code.self))
          let start = Int(starts.number(run, as: UInt32.self))
          let isIn = unsafe set[code &>> 6] &>> UInt64(code & 63) & 1
          unsafe turns[start &>> 6] ^= (isIn ^ last) &<< UInt64(start & 63)
          last = isIn
        }
      }
    }
    var carried: UInt64 = 0
    for index in live.indices {
      var word = turns[index]
      word ^= word &<< 1
      word ^= word &<< 2
      word ^= word &<< 4
      word ^= word &<< 8
      word ^= word &<< 16
      word ^= word &<< 32
      word ^= carried
      carried = 0 &- (word &>> 63)
      found[index] |= live[index] & word
    }
  }
}
