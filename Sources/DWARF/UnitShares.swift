/// Stretches of units that threads take one by one, in the order of the section.
struct UnitShares: Sendable {
  private static let largest = 1 << 22

  private let ranges: [Range<Int>]

  /// One share for a width of 1 or for few bytes.
  ///
  /// - Parameter splitSize: The bytes of the units' entries that lie in other files, which are taken to
  ///   be shared out evenly.
  init(of units: [Unit], splitSize: Int, width: Int, limits: DWARFLimits) {
    var ranges: [Range<Int>] = []
    let part = splitSize / max(units.count, 1)
    let total = units.reduce(0) { $0 + $1.size + part }
    if width > 1, total / 8 >= limits.smallestShare {
      let wanted = min(max(total / width / 32, limits.smallestShare, 1), Self.largest)
      var start = 0
      var size = 0
      for index in units.indices {
        size += units[index].size + part
        guard size >= wanted else { continue }
        ranges.append(start..<(index + 1))
        start = index + 1
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
