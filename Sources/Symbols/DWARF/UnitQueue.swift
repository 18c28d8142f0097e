/// Ranges of units that threads take one by one, in the order of the section: they shrink towards
/// the end, so that all threads finish together.
struct UnitQueue: Sendable {
  /// The largest share in bytes.
  private static let largest = 1 << 22
  /// The remaining bytes are divided by this number for each thread.
  private static let parts = 16

  private let ranges: [Range<Int>]
  /// How many of the first shares one thread reads before it takes one of the others: somewhat less than
  /// its part of the bytes. What it makes of them stays where it is when the results are joined.
  private(set) var leading = 1

  /// Creates one share for a width of 1 or for few bytes.
  ///
  /// - Parameter splitSize: The bytes of the units' entries in other files, which are assumed to be
  ///   distributed evenly.
  init(of units: [Unit], splitSize: Int, width: Int, limits: DWARFLimits) {
    var ranges: [Range<Int>] = []
    let part = splitSize / max(units.count, 1)
    let total = units.reduce(0) { $0 + $1.size + part }
    if width > 1, total / 8 >= limits.smallestShare {
      var start = 0
      var size = 0
      var left = total
      let wantedLead = total / 10 * 9 / width
      for index in units.indices {
        size += units[index].size + part
        let wanted = max(left / (width * Self.parts), limits.smallestShare, 1)
        guard size >= min(wanted, Self.largest) else { continue }
        ranges.append(start..<(index + 1))
        start = index + 1
        left -= size
        size = 0
        if total - left <= wantedLead { leading = ranges.count }
      }
      if start < units.count { ranges.append(start..<units.count) }
    }
    self.ranges = ranges.isEmpty ? [0..<units.count] : ranges
  }

  var count: Int { ranges.count }

  subscript(index: Int) -> Range<Int> { ranges[index] }
}

extension Unit {
  /// The bytes that are read of it.
  fileprivate var size: Int { header.isTypeUnit ? 0 : header.end - header.offset }
}
