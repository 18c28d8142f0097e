internal import Glibc
internal import Synchronization

/// A cached result for a text, which it names.
protocol NameCacheValue: AnyObject, Sendable {
  var memoText: String { get }
}

/// A cache of results by text. It affects only the speed, never the result.
///
/// Texts are compared byte by byte: strings are equal if they are canonically equivalent, and then the result
/// of one spelling would be returned for another. They come from reports, so the hash has a seed of the
/// process, a search ends after a few slots, and at the limit the cache is emptied.
final class NameCache<Value: NameCacheValue>: Sendable {
  /// The slots of a table; their number is a power of two.
  struct Table {
    private var hashes: [UInt64] = []
    private var values: [Value?] = []
    private var count = 0
    private let texts = TextHash()

    fileprivate init() {}

    /// The number of slots searched for one text.
    private static var reach: Int { 16 }

    func value(of text: String) -> Value? {
      guard !hashes.isEmpty else { return nil }
      let hash = texts.hash(text)
      let mask = hashes.count - 1
      for step in 0..<Self.reach {
        let slot = (Int(truncatingIfNeeded: hash) &+ step) & mask
        if hashes[slot] == hash, let value = values[slot],
          TextHash.areEqual(value.memoText, text)
        {
          return value
        }
        if hashes[slot] == 0 { return nil }
      }
      return nil
    }

    fileprivate mutating func insert(_ value: Value, limit: Int) {
      if count >= limit {
        hashes = []
        values = []
        count = 0
      }
      if count * 2 >= hashes.count { grow() }
      put(value, texts.hash(value.memoText))
    }

    private mutating func put(_ value: Value, _ hash: UInt64) {
      let mask = hashes.count - 1
      let first = Int(truncatingIfNeeded: hash) & mask
      var slot = first
      for step in 0..<Self.reach {
        slot = (first &+ step) & mask
        if hashes[slot] == 0 {
          count += 1
          break
        }
        if hashes[slot] == hash { break }
      }
      hashes[slot] = hash
      values[slot] = value
    }

    private mutating func grow() {
      let (oldHashes, oldValues) = (hashes, values)
      let size = max(256, hashes.count * 2)
      hashes = Array(repeating: 0, count: size)
      values = Array(repeating: nil, count: size)
      count = 0
      for (hash, value) in zip(oldHashes, oldValues) {
        if let value { put(value, hash) }
      }
    }
  }

  private let table = Mutex(Table())
  /// The capacity; 0 disables the cache.
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Whether the result for a text is cached.
  func remembers(_ text: String) -> Bool {
    capacity > 0 && text.utf8.count <= SigningLimits.rememberedNameBytes
  }

  /// Looks several texts up under one lock.
  func look<Result>(_ body: (borrowing Table) -> Result) -> Result? {
    capacity > 0 ? table.withLock { body($0) } : nil
  }

  func remember(_ values: [Value]) {
    table.withLock { table in
      for value in values { table.insert(value, limit: capacity) }
    }
  }
}

/// A fast hash of texts that differs in each process, and their comparison byte by byte.
struct TextHash: Sendable {
  // Kept where they are used: a global is looked up each time.
  private let seed: UInt64
  private let factor: UInt64

  private static let ofProcess = TextHash(
    seed: .random(in: .min ... .max), factor: .random(in: .min ... .max) | 1)

  private init(seed: UInt64, factor: UInt64) {
    self.seed = seed
    self.factor = factor
  }

  init() { self = Self.ofProcess }

  /// Never 0.
  @inline(__always)
  func hash(_ text: String) -> UInt64 {
    unsafe max(text.withBytes { unsafe hash($0, after: 0) }, 1)
  }

  /// The hash of a text after others whose hash is known. Reads two words at a time; the last two may overlap.
  @inline(__always)
  func hash(_ bytes: UnsafeRawBufferPointer, after other: UInt64) -> UInt64 {
    let count = bytes.count
    var hash = seed ^ other ^ UInt64(truncatingIfNeeded: count)
    if count >= 8 {
      var index = 0
      while index + 16 < count {
        hash = Self.mix(unsafe word(bytes, index) ^ factor, unsafe word(bytes, index + 8) ^ hash)
        index += 16
      }
      let low = unsafe word(bytes, min(index, count - 8))
      return Self.mix(low ^ factor, unsafe word(bytes, count - 8) ^ hash)
    }
    var low: UInt64 = 0
    for index in 0..<count { low = low << 8 | UInt64(unsafe bytes[index]) }
    return Self.mix(low ^ factor, hash)
  }

  @inline(__always)
  private func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  static func areEqual(_ left: String, _ right: String) -> Bool {
    unsafe left.withBytes { one in
      unsafe right.withBytes { other in
        unsafe one.count == other.count && areEqual(one, other.baseAddress)
      }
    }
  }

  /// Whether the bytes at `other`, of which there are as many, are equal.
  @inline(__always)
  static func areEqual(_ bytes: UnsafeRawBufferPointer, _ other: UnsafeRawPointer?) -> Bool {
    guard let start = bytes.baseAddress, let other = unsafe other, bytes.count > 0 else {
      return true
    }
    return unsafe memcmp(start, other, bytes.count) == 0
  }
}

extension String {
  /// The bytes of its UTF-8, without a copy for nearly all strings.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let found = unsafe utf8.withContiguousStorageIfAvailable {
      unsafe body(UnsafeRawBufferPointer($0))
    }
    if let found { return found }
    let bytes = Array(utf8)
    return unsafe bytes.withUnsafeBytes { unsafe body($0) }
  }
}
