internal import Bytes

extension UnwindBuilder {
  /// All rows in the order of their addresses, in blocks.
  func blocks() -> UnwindBlockWriter {
    var writer = UnwindBlockWriter()
    let order = sortedEntries()
    var index = 0
    while index < order.count {
      let first = entries[order[index]]
      // Entries that overlap each other, directly or through others.
      var end = first.end
      var next = index + 1
      while next < order.count, entries[order[next]].start < end {
        end = max(end, entries[order[next]].end)
        next += 1
      }
      if next == index + 1 {
        put(first, from: first.start, to: first.end, into: &writer)
      } else {
        putOverlapping(order[index..<next], into: &writer)
      }
      writer.close(at: end)
      index = next
    }
    writer.finish()
    return writer
  }

  /// The indices of the entries by their starts; of those that begin together the first first.
  private func sortedEntries() -> [Int] {
    var keys: [UInt64] = []
    keys.reserveCapacity(entries.count)
    for index in 0..<entries.count {
      keys.append(UInt64(entries[index].start) &<< 32 | UInt64(index))
    }
    keys.sort()
    return keys.map { Int(truncatingIfNeeded: $0 & 0xffff_ffff) }
  }

  /// The rows of `entry` between two addresses in it.
  private func put(
    _ entry: Entry, from start: UInt32, to end: UInt32, into writer: inout UnwindBlockWriter
  ) {
    func rowStart(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: rows[index] &>> 32) }
    var low = Int(entry.row)
    let last = low + Int(entry.count)
    if start > entry.start {
      // The last row that begins at or before the start.
      low = max(low, (low..<last).lowerBound { rowStart($0) <= start } - 1)
    }
    if rowStart(low) > start { writer.close(at: start) }
    while low < last, rowStart(low) < end {
      writer.append(max(rowStart(low), start), UInt32(truncatingIfNeeded: rows[low]))
      low += 1
    }
  }

  /// Entries that overlap: at each address the best of them.
  private func putOverlapping(_ order: ArraySlice<Int>, into writer: inout UnwindBlockWriter) {
    /// A heap of entries' indices with the best on top.
    var heap: [Int] = []
    func isBetter(_ left: Int, _ right: Int) -> Bool {
      let (one, other) = (entries[left], entries[right])
      if one.rank != other.rank { return one.rank < other.rank }
      return one.start != other.start ? one.start > other.start : left < right
    }
    func push(_ index: Int) {
      heap.append(index)
      var child = heap.count - 1
      while child > 0, isBetter(heap[child], heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }
    func pop() {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
      var parent = 0
      while true {
        var best = parent
        for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
          if isBetter(heap[child], heap[best]) { best = child }
        }
        guard best != parent else { return }
        heap.swapAt(parent, best)
        parent = best
      }
    }
    var next = order.startIndex
    var address: UInt32 = 0
    while next < order.endIndex || !heap.isEmpty {
      if heap.isEmpty { address = entries[order[next]].start }
      while next < order.endIndex, entries[order[next]].start == address {
        push(order[next])
        next += 1
      }
      while let top = heap.first, entries[top].end <= address { pop() }
      guard let top = heap.first else { continue }
      var end = entries[top].end
      if next < order.endIndex { end = min(end, entries[order[next]].start) }
      put(entries[top], from: address, to: end, into: &writer)
      writer.close(at: end)
      address = end
    }
  }
}
