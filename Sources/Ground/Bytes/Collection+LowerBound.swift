extension RandomAccessCollection where Index == Int {
  /// The first index whose element does not satisfy `isBefore`; `endIndex` where all do.
  ///
  /// A range of numbers is a collection of them: `(0..<count).lowerBound { table[$0] < wanted }`.
  ///
  /// - Parameter isBefore: Holds for a prefix of the elements, and for none after it.
  /// - Complexity: O(log n) calls of `isBefore`.
  @inlinable
  @inline(__always)
  public func lowerBound(where isBefore: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low &+ (high &- low) / 2
      if isBefore(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

extension Table {
  /// The first index whose element does not satisfy `isBefore`; see
  /// ``Swift/RandomAccessCollection/lowerBound(where:)``.
  @inlinable
  @inline(__always)
  public func lowerBound(where isBefore: (Element) -> Bool) -> Int {
    (0..<count).lowerBound { isBefore(self[$0]) }
  }
}
