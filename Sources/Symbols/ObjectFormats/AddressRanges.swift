internal import Bytes

extension [Range<UInt64>] {
  /// Whether one of the ranges, which are sorted and apart, contains `address`.
  func covers(_ address: UInt64) -> Bool {
    let low = lowerBound { $0.upperBound <= address }
    return low < count && self[low].contains(address)
  }

  /// The same addresses as sorted ranges that do not overlap.
  ///
  /// Neighbours stay apart: a function without a size does not reach into the next section.
  func merged() -> [Range<UInt64>] {
    var result: [Range<UInt64>] = []
    for range in self.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = result.last, range.lowerBound < last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
