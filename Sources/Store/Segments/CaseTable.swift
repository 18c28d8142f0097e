internal import Bytes
internal import CSegmentScan

/// The last row of each installation and day, among rows of one origin and release.
///
/// The slots of a hash table are fetched for a word of rows before they are looked at: otherwise the
/// processor would wait for each.
struct CaseTable: ~Copyable {
  /// A row that names an installation.
  struct Row {
    /// Not 0, which marks a free slot.
    var install = 0
    var day = 0
    var time = 0
    var source: UInt32 = 0
    var row: UInt32 = 0

    /// The upper bits are those that depend on all others.
    ///
    /// Source of the multipliers: the golden ratio's fraction in 64 bits, and SplitMix64.
    @inline(__always)
    var hash: UInt64 {
      let day = UInt64(truncatingIfNeeded: day) &* 0xbf58_476d_1ce4_e5b9
      let mixed = UInt64(bitPattern: Int64(install)) ^ day
      return (mixed ^ mixed &>> 32) &* 0x9e37_79b9_7f4a_7c15
    }
  }

  /// How many rows are added at once, at most.
  static let batch = 64
  /// The bits of the index of a slot: those of the smallest table, and of one that is not made larger for rows
  /// that may all be of few cases.
  private static let leastBits = 6
  private static let usualBits = 13

  private var slots = Table<Row>(repeating: Row(), count: 1 << usualBits)
  /// The bits that are in use: few rows are found sooner in a part of the slots, and the others are free.
  private var bits = UInt64(leastBits)
  /// The slots that are not free.
  private var used = Table<UInt32>()
  private var waiting = Table<Row>(repeating: Row(), count: batch)
  private var places = Table<Int>(repeating: 0, count: batch)
  private var waitingCount = 0

  /// Begins with another origin and release.
  ///
  /// - Parameter rowCount: How many rows it has, at most.
  mutating func begin(rowCount: Int) {
    let needed = Int.bitWidth - (rowCount * 2).leadingZeroBitCount
    bits = UInt64(min(max(needed, Self.leastBits), Self.usualBits))
  }

  /// Adds a row at the next ``settle(isLater:)``; no more than ``batch`` may wait.
  @inline(__always)
  mutating func add(_ row: Row) {
    waiting[waitingCount] = row
    let place = Int(truncatingIfNeeded: row.hash &>> (64 &- bits))
    places[waitingCount] = place
    waitingCount &+= 1
    slots.prefetch(place)
  }

  /// - Parameter isLater: Whether a row comes after another of the same time.
  @inline(__always)
  mutating func settle(isLater: (_ row: Row, _ other: Row) -> Bool) {
    let mask = 1 &<< Int(bits) &- 1
    for index in 0..<waitingCount {
      let row = waiting[index]
      var place = places[index]
      while true {
        let known = slots[place]
        if known.install == row.install, known.day == row.day {
          if row.time > known.time || row.time == known.time && isLater(row, known) {
            slots[place] = row
          }
          break
        }
        if known.install == 0 {
          slots[place] = row
          used.append(UInt32(place))
          break
        }
        place = (place &+ 1) & mask
      }
    }
    waitingCount = 0
    if (used.count &+ Self.batch) &* 2 > 1 &<< Int(bits) { grow() }
  }

  private mutating func grow() {
    var rows = Table<Row>(minimumCapacity: used.count)
    for index in 0..<used.count {
      let place = Int(used[index])
      rows.append(slots[place])
      slots[place].install = 0
    }
    used.removeAll()
    bits += 2
    if slots.count < 1 << Int(bits) { slots = Table(repeating: Row(), count: 1 << Int(bits)) }
    var start = 0
    while start < rows.count {
      let end = min(start + Self.batch, rows.count)
      for index in start..<end { add(rows[index]) }
      // No two are of one case.
      place()
      start = end
    }
  }

  /// Puts waiting rows into free slots.
  private mutating func place() {
    let mask = 1 &<< Int(bits) &- 1
    for index in 0..<waitingCount {
      var place = places[index]
      while slots[place].install != 0 { place = (place &+ 1) & mask }
      slots[place] = waiting[index]
      used.append(UInt32(place))
    }
    waitingCount = 0
  }

  /// Calls `body` with the last row of each case, and empties the table.
  @inline(__always)
  mutating func takeAll(_ body: (Row) -> Void) {
    for index in 0..<used.count {
      let place = Int(used[index])
      body(slots[place])
      slots[place].install = 0
    }
    used.removeAll()
  }
}

extension Table {
  /// Has the processor fetch an element that is soon read; it must exist.
  @inline(__always)
  fileprivate func prefetch(_ index: Int) {
    unsafe span.withUnsafeBufferPointer { elements in
      if let start = elements.baseAddress { unsafe segment_prefetch(start + index) }
    }
  }
}
