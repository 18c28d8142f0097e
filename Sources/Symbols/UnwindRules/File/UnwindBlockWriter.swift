internal import Bytes

/// Puts rows, which come in the order of their addresses, into blocks.
struct UnwindBlockWriter: ~Copyable {
  private(set) var starts = Table<UInt32>()
  /// Sixteen distances of two bytes and sixteen numbers of four for each block.
  private(set) var blocks = Table<UInt8>()
  /// How many rows have rules.
  private(set) var rowCount = 0
  private var slot = UnwindFormat.blockCount
  private var lastNumber: UInt32 = 0
  /// Where the last rules end, until it is known whether others follow at once.
  private var end: UInt32?

  /// From `start` on, which is not below any before, the rules have `number`; what changes nothing is
  /// left out.
  mutating func append(_ start: UInt32, _ number: UInt32) {
    if let end, end < start { put(end, 0) }
    end = nil
    put(start, number)
  }

  /// From `end` on there are no rules.
  mutating func close(at end: UInt32) { self.end = self.end ?? end }

  /// Ends the last row.
  mutating func finish() {
    if let end { put(end, 0) }
    end = nil
  }

  private mutating func put(_ start: UInt32, _ number: UInt32) {
    guard number != lastNumber else { return }
    lastNumber = number
    if number != 0 { rowCount &+= 1 }
    let blockStart = starts.last ?? 0
    if slot == UnwindFormat.blockCount || start &- blockStart > UnwindFormat.blockReach {
      starts.append(start)
      blocks.resize(to: blocks.count &+ UnwindFormat.blockStarts, filling: 0xff)
      blocks.resize(to: starts.count &* UnwindFormat.blockSize, filling: 0)
      slot = 0
    }
    let behind = start &- (starts.last ?? 0)
    let offset = blocks.count &- UnwindFormat.blockSize &+ slot &* 2
    blocks[offset] = UInt8(truncatingIfNeeded: behind)
    blocks[offset &+ 1] = UInt8(truncatingIfNeeded: behind &>> 8)
    set(number, inSlot: slot)
    slot &+= 1
  }

  private mutating func set(_ number: UInt32, inSlot slot: Int) {
    let offset =
      blocks.count &- UnwindFormat.blockSize &+ UnwindFormat.blockStarts &+ slot &* 4
    for byte in 0..<4 {
      blocks[offset &+ byte] = UInt8(truncatingIfNeeded: number &>> UInt32(byte &* 8))
    }
  }
}
