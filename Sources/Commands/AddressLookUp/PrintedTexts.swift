internal import Bytes
package import SymbolCache

/// The position of a string in a symbol cache, and that of its printed form. As a private type in its table
/// it makes Swift 6.3 fail without optimisation.
package struct PrintedTextSlot: BitwiseCopyable {
  /// All ones for a free slot.
  package var offset: UInt32 = .max
  package var count: UInt32 = 0
  package var start = 0
  package var end = 0

  package init(offset: UInt32 = .max, count: UInt32 = 0, start: Int = 0, end: Int = 0) {
    self.offset = offset
    self.count = count
    self.start = start
    self.end = end
  }
}

/// The printed forms of a symbol cache's strings, by their positions in it.
package struct PrintedTexts: ~Copyable {
  /// Their number is a power of two; half of them stay free, so that every search ends.
  private var slots = Table(repeating: PrintedTextSlot(), count: 1024)
  private var used = 0
  private var bytes = Table<UInt8>()

  /// - Returns: Whether the printed form of `text` is known.
  package mutating func write(_ text: CacheFrame.Text, to output: inout PrintBuffer) -> Bool {
    let slot = slots[slotIndex(of: text.offset, text.count)]
    guard slot.offset == text.offset, slot.count == text.count else { return false }
    output.append(bytes.span.extracting(slot.start..<slot.end))
    return true
  }

  package mutating func add(_ text: CacheFrame.Text, _ printed: [UInt8]) {
    if used * 2 >= slots.count { grow() }
    used += 1
    let start = bytes.count
    bytes.append(contentsOf: printed.span)
    slots[slotIndex(of: text.offset, text.count)] = PrintedTextSlot(
      offset: text.offset, count: text.count, start: start, end: bytes.count)
  }

  /// Returns the slot that a string has, or would have.
  private func slotIndex(of offset: UInt32, _ count: UInt32) -> Int {
    let mask = slots.count - 1
    let key = UInt64(offset) &<< 32 | UInt64(count)
    var index = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) &>> 32) & mask
    while slots[index].offset != .max,
      slots[index].offset != offset || slots[index].count != count
    {
      index = (index + 1) & mask
    }
    return index
  }

  private mutating func grow() {
    var old = Table(repeating: PrintedTextSlot(), count: slots.count * 2)
    swap(&old, &slots)
    for index in 0..<old.count where old[index].offset != .max {
      let slot = old[index]
      slots[slotIndex(of: slot.offset, slot.count)] = slot
    }
  }
}
