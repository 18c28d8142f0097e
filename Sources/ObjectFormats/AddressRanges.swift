extension [Range<UInt64>] {
  /// Whether one of the ranges, which are sorted and apart, contains `address`.
  func covers(_ address: UInt64) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
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
