internal import Bytes
internal import DebugInfo

/// Pages whose blocks are written in one go.
struct PageRange: Sendable {
  /// Pages in all of the 4 GiB that addresses reach.
  private static let all: UInt32 = 1 << 24

  let first: UInt32
  /// Exclusive.
  let end: UInt32

  /// Ranges with about equally many scope changes. A later one begins on a page on which the scope
  /// changes, which has a block in any case, so that the blocks do not depend on their number.
  static func ranges(_ layout: borrowing CodeLayout, count: Int) -> [PageRange] {
    var ranges: [PageRange] = []
    var first: UInt32 = 0
    let total = layout.segments.count
    for part in 1..<max(min(count, total), 1) {
      let page =
        layout.segments[total / count * part].start &>> SymbolCacheFormat.pageBits
      guard page > first else { continue }
      ranges.append(PageRange(first: first, end: page))
      first = page
    }
    ranges.append(PageRange(first: first, end: all))
    return ranges
  }
}
