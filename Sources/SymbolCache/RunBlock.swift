internal import Bytes

/// A block of runs or rows that is being written.
struct RunBlock {
  /// Where it begins in its section.
  private(set) var offset = 0
  private(set) var count = SymbolCacheFormat.blockCount
  private var start: UInt32 = 0

  /// Whether a run that begins at `address` needs another block.
  @inline(__always)
  func isFull(for address: UInt32) -> Bool {
    count == SymbolCacheFormat.blockCount || address &- start > SymbolCacheFormat.blockReach
  }

  mutating func begin(at address: UInt32, in section: inout Table<UInt8>) {
    offset = section.count
    start = address
    count = 0
    section.resize(to: offset + SymbolCacheFormat.blockStarts, filling: 0xff)
  }

  @inline(__always)
  mutating func add(_ address: UInt32, to section: inout Table<UInt8>) {
    let distance = address &- start
    section[offset &+ count &* 2] = UInt8(truncatingIfNeeded: distance)
    section[offset &+ count &* 2 &+ 1] = UInt8(truncatingIfNeeded: distance &>> 8)
    count &+= 1
  }
}
