public import Bytes

/// The source files of an image, each path once, joined as the debug information asks for.
public struct FileTable: ~Copyable, Sendable {
  /// All paths, one after the other.
  public private(set) var bytes = Table<UInt8>()
  private var starts = Table<UInt32>()
  private var hashes = Table<UInt64>()
  private let seed = UInt64.random(in: 0...(.max))
  /// Open addressing; a power of two of slots, each 0 or a file's index plus 1.
  private var slots = Table<UInt32>(repeating: 0, count: 256)

  /// How many more bytes may be joined; then no file is added.
  var budget = 0
  /// The limit of the paths' bytes; beyond it no file is added.
  var room = Int.max

  init() {}

  public var count: Int { starts.count }

  /// Where the path of the file at `index` lies in ``bytes``.
  public func range(of index: Int) -> Range<Int> {
    let start = Int(starts[index])
    return start..<(index + 1 < starts.count ? Int(starts[index + 1]) : bytes.count)
  }

  /// Begins a path; ``finish()`` ends it.
  mutating func begin() -> Int { bytes.count }

  /// Adds a part of a path, with a separator where one is missing.
  mutating func append(_ span: RawSpan, from start: Int, count: Int, to begin: Int) {
    var start = start
    var count = count
    budget -= count
    guard budget > 0, count > 0, start >= 0, start <= span.byteCount - count else { return }
    let slash = UInt8(ascii: "/")
    let first = unsafe span.unsafeLoad(fromByteOffset: start, as: UInt8.self)
    if bytes.count > begin {
      if bytes.last == slash {
        while count > 0, unsafe span.unsafeLoad(fromByteOffset: start, as: UInt8.self) == slash {
          start += 1
          count -= 1
        }
      } else if first != slash {
        bytes.append(slash)
      }
    }
    for offset in start..<(start + count) {
      bytes.append(unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    }
  }

  /// The index of the path that was begun at `begin`, which is dropped again if it is known.
  ///
  /// `nil` when there are `limit` files already, the budget or the room is used up, or the paths
  /// need more than 4 GiB.
  mutating func finish(_ begin: Int, limit: Int) -> Int? {
    guard budget > 0 else {
      bytes.truncate(to: begin)
      return nil
    }
    let found = search(begin)
    if slots[found.slot] != 0 {
      bytes.truncate(to: begin)
      return Int(slots[found.slot]) - 1
    }
    guard starts.count < limit, bytes.count <= room, let start = UInt32(exactly: begin),
      bytes.count < Int(UInt32.max)
    else {
      bytes.truncate(to: begin)
      return nil
    }
    starts.append(start)
    hashes.append(found.hash)
    slots[found.slot] = UInt32(starts.count)
    if starts.count * 2 > slots.count { rehash() }
    return starts.count - 1
  }

  /// The slot of the path from `begin` to the end of ``bytes``, empty if the path is new.
  private func search(_ begin: Int) -> (slot: Int, hash: UInt64) {
    let all = unsafe bytes.span.bytes
    let count = bytes.count - begin
    let hash = all.contentHash(from: begin, count: count, seed: seed)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash {
        let known = range(of: index, before: begin)
        if known.count == count,
          all.matches(from: known.lowerBound, count: count, in: all, from: begin)
        {
          break
        }
      }
      slot = (slot + 1) & mask
    }
    return (slot, hash)
  }

  /// The index of the path at `index` of `other`, which is taken over if it is new; `nil` as
  /// ``finish(_:limit:)``.
  mutating func adopt(_ index: Int, of other: borrowing FileTable, limit: Int) -> Int? {
    let begin = begin()
    let range = other.range(of: index)
    bytes.append(contentsOf: unsafe other.bytes.span.bytes.extracting(range))
    return finish(begin, limit: limit)
  }

  private func range(of index: Int, before end: Int) -> Range<Int> {
    Int(starts[index])..<(index + 1 < starts.count ? Int(starts[index + 1]) : end)
  }

  private mutating func rehash() {
    let size = slots.count * 2
    slots.reset(to: 0, count: size)
    for index in 0..<starts.count {
      var slot = Int(truncatingIfNeeded: hashes[index]) & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }
}
