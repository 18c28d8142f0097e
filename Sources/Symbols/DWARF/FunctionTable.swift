internal import Bytes

/// Finds the number of a function by its name and declaration, so that each function appears once
/// in the output however many units repeat it.
///
/// The file determines the numbers, so the hash has random factors, see ``RangeOwners``.
struct FunctionTable: ~Copyable {
  private var slots = Table<UInt32>(repeating: 0, count: 4_096)
  private let factor = UInt64.random(in: 0...(.max)) | 1
  private let locationFactor = UInt64.random(in: 0...(.max)) | 1

  @inline(__always)
  private func hash(_ record: FunctionRecord) -> Int {
    let location = UInt64(record.line) &<< 32 | UInt64(record.file)
    let sum = record.name.bits &* factor &+ location &* locationFactor
    return Int(truncatingIfNeeded: (sum ^ sum &>> 32) &* factor &>> 32)
  }

  mutating func index(of record: FunctionRecord, in functions: inout Table<FunctionRecord>)
    -> UInt32
  {
    let mask = slots.count &- 1
    var slot = hash(record) & mask
    while slots[slot] != 0 {
      let index = slots[slot] &- 1
      let known = functions[Int(index)]
      if known.name == record.name, known.line == record.line, known.file == record.file {
        return index
      }
      slot = (slot &+ 1) & mask
    }
    let index = UInt32(truncatingIfNeeded: functions.count)
    functions.append(record)
    slots[slot] = index &+ 1
    if functions.count &* 2 > slots.count { rehash(functions) }
    return index
  }

  private mutating func rehash(_ functions: borrowing Table<FunctionRecord>) {
    let size = slots.count * 2
    slots.reset(to: 0, count: size)
    for index in 0..<functions.count {
      var slot = hash(functions[index]) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}

/// Caches, for one unit, the function of the entry at each offset.
struct FunctionOriginCache: ~Copyable {
  private var keys = Table<UInt64>(repeating: 0, count: 1_024)
  private var values = Table<UInt32>(repeating: 0, count: 1_024)
  private var size = 1_024
  private var used = 0

  /// Clears the cache; `unitSize` in bytes indicates how much to expect.
  mutating func begin(unitSize: Int) {
    if used == 0, size <= 4_096 { return }
    size = 1_024
    while size < unitSize / 256, size < 1 << 22 { size *= 2 }
    keys.reset(to: 0, count: size)
    values.resize(to: size, filling: 0)
    used = 0
  }

  @inline(__always)
  private static func hash(_ offset: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: offset) &* 0x9e37_79b9_7f4a_7c15) &>> 32)
  }

  @inline(__always)
  func function(at offset: Int) -> UInt32? {
    let key = UInt64(truncatingIfNeeded: offset) &+ 1
    let mask = size &- 1
    var slot = Self.hash(offset) & mask
    while true {
      let found = keys[slot]
      if found == key { return values[slot] }
      if found == 0 { return nil }
      slot = (slot &+ 1) & mask
    }
  }

  mutating func remember(_ function: UInt32, at offset: Int) {
    if used &* 2 >= size { grow() }
    insert(UInt64(truncatingIfNeeded: offset) &+ 1, function, hash: Self.hash(offset))
    used &+= 1
  }

  private mutating func insert(_ key: UInt64, _ value: UInt32, hash: Int) {
    let mask = size &- 1
    var slot = hash & mask
    while keys[slot] != 0 { slot = (slot &+ 1) & mask }
    keys[slot] = key
    values[slot] = value
  }

  private mutating func grow() {
    var old = Table<UInt64>(minimumCapacity: used)
    var oldValues = Table<UInt32>(minimumCapacity: used)
    for slot in 0..<size where keys[slot] != 0 {
      old.append(keys[slot])
      oldValues.append(values[slot])
    }
    size *= 2
    keys.reset(to: 0, count: size)
    values.resize(to: size, filling: 0)
    for index in 0..<old.count {
      insert(
        old[index], oldValues[index],
        hash: Self.hash(Int(truncatingIfNeeded: old[index] &- 1)))
    }
  }
}
