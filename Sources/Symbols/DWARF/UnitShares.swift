/// Ranges of units that threads take one by one, in the order of the section: the smaller the less
/// is left, so that all end together.
struct UnitShares: Sendable {
  /// In bytes.
  private static let largest = 1 << 22
  /// Of what is left, a share is this part for each thread.
  private static let parts = 16

  private let ranges: [Range<Int>]

  /// One share for a width of 1 or for few bytes.
  ///
  /// - Parameter splitSize: The bytes of the units' entries that lie in other files, which are
  ///   taken to be shared out evenly.
  init(of units: [Unit], splitSize: Int, width: Int, limits: DWARFLimits) {
    var ranges: [Range<Int>] = []
    let part = splitSize / max(units.count, 1)
    let total = units.reduce(0) { $0 + $1.size + part }
    if width > 1, total / 8 >= limits.smallestShare {
      var start = 0
      var size = 0
      var left = total
      for index in units.indices {
        size += units[index].size + part
        let wanted = max(left / (width * Self.parts), limits.smallestShare, 1)
        guard size >= min(wanted, Self.largest) else { continue }
        ranges.append(start..<(index + 1))
        start = index + 1
        left -= size
        size = 0
      }
      if start < units.count { ranges.append(start..<units.count) }
    }
    self.ranges = ranges.isEmpty ? [0..<units.count] : ranges
  }

  var count: Int { ranges.count }

  subscript(index: Int) -> Range<Int> { ranges[index] }
}

extension Unit {
  /// In bytes, of what is read of it.
  fileprivate var size: Int { header.isTypeUnit ? 0 : header.end - header.offset }
}
