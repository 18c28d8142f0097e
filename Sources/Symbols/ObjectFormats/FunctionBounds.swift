internal import Bytes

/// Where the functions of an object end, by the tables that unwinding goes by: for symbols that have no
/// size, and name what follows them only as far as their own function reaches.
public struct FunctionBounds: Sendable {
  private enum Source: Sendable {
    /// Sorted by start, apart.
    case ranges([Range<UInt64>])
    case index(ELFUnwindIndex)
  }

  private let source: Source

  init(_ index: ELFUnwindIndex) { source = .index(index) }

  /// - Parameter ranges: In any order, a part of a function each.
  init(_ ranges: [Range<UInt64>]) {
    var sorted: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = sorted.last, range.lowerBound < last.upperBound {
        sorted[sorted.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        sorted.append(range)
      }
    }
    source = .ranges(sorted)
  }

  /// The end of the function that holds `address`; where none does, the start of the next one; `nil`
  /// where neither is known.
  ///
  /// - Complexity: O(log n) in the number of functions.
  public func end(of address: UInt64) -> UInt64? {
    switch source {
    case .index(let index): return index.end(of: address)
    case .ranges(let ranges):
      let low = ranges.lowerBound { $0.lowerBound <= address }
      if low > 0, ranges[low - 1].contains(address) { return ranges[low - 1].upperBound }
      return low < ranges.count ? ranges[low].lowerBound : nil
    }
  }
}
