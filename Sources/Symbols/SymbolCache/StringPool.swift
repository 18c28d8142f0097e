internal import Bytes

/// The strings of a cache, each once.
struct StringPool: ~Copyable {
  struct Entry: BitwiseCopyable {
    var offset: UInt32
    var count: UInt32
  }

  var bytes = Table<UInt8>()
  private var entries = Table<Entry>()
  private var hashes = Table<UInt32>()
  private let seed: UInt64
  private var slots = Table<UInt32>(repeating: 0, count: 4_096)

  /// - Parameter seed: A random number, so that none can make all strings collide; that
  ///   of hashes which are known before.
  init(seed: UInt64) { self.seed = seed }

  /// The hash by which ``entry(of:from:count:hash:)`` finds the bytes in a pool with this seed.
  @inline(__always)
  static func hash(_ span: RawSpan, from start: Int, count: Int, seed: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: span.contentHash(from: start, count: count, seed: seed) &>> 32)
  }

  /// Where the `count` bytes of `span` from `start` on lie in the pool, which takes them in if they
  /// are new; `nil` when they lie outside `span` or the pool has reached 4 GiB.
  ///
  /// - Parameter hash: Theirs, where it is known.
  mutating func entry(
    of span: RawSpan, from start: Int, count: Int, hash: UInt32? = nil
  ) -> Entry? {
    guard count > 0, start >= 0, start <= span.byteCount - count else { return nil }
    let hash = hash ?? Self.hash(span, from: start, count: count, seed: seed)
    let slot = search(span, from: start, count: count, hash: hash)
    if slots[slot] != 0 { return entries[Int(slots[slot]) - 1] }
    guard let offset = UInt32(exactly: bytes.count), bytes.count + count < Int(UInt32.max)
    else { return nil }
    let entry = Entry(offset: offset, count: UInt32(truncatingIfNeeded: count))
    bytes.append(contentsOf: span.extracting(start..<(start + count)))
    entries.append(entry)
    hashes.append(hash)
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    if entries.count * 2 > slots.count { rehash() }
    return entry
  }

  private func search(
    _ span: RawSpan, from start: Int, count: Int, hash: UInt32
  ) -> Int {
    let all = unsafe bytes.span.bytes
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: UInt64(hash) &* 0x9e37_79b9_7f4a_7c15 &>> 24) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if hashes[index] == hash {
        let known = entries[index]
        if Int(known.count) == count,
          span.matches(from: start, count: count, in: all, from: Int(known.offset))
        {
          break
        }
      }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func rehash() {
    let size = slots.count * 2
    slots.reset(to: 0, count: size)
    for index in 0..<entries.count {
      var slot =
        Int(truncatingIfNeeded: UInt64(hashes[index]) &* 0x9e37_79b9_7f4a_7c15 &>> 24)
        & (size - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}
