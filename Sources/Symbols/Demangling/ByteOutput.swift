/// Bytes that grow up to a limit.
struct ByteOutput: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0
  let limit: Int

  init(limit: Int) {
    self.limit = limit
    capacity = min(1024, limit)
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

  var last: UInt8 { count > 0 ? base[count - 1] : 0 }

  /// Forgets what was written after the first `count` bytes.
  mutating func cut(to count: Int) { self.count = min(count, self.count) }

  mutating func append(_ byte: UInt8) throws(NameRefusal) {
    if count == capacity { try grow(by: 1) }
    base[count] = byte
    count += 1
  }

  mutating func append(_ text: StaticString) throws(NameRefusal) {
    try append(text.utf8Start, text.utf8CodeUnitCount)
  }

  mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) throws(NameRefusal) {
    if length > capacity - count { try grow(by: length) }
    (base + count).update(from: start, count: length)
    count += length
  }

  /// Writes once more what was written before.
  mutating func `repeat`(_ start: Int, _ length: Int) throws(NameRefusal) {
    if length > capacity - count { try grow(by: length) }
    (base + count).update(from: base + start, count: length)
    count += length
  }

  private mutating func grow(by length: Int) throws(NameRefusal) {
    guard length <= limit - count else { throw .limit }
    let larger = min(max(2 * capacity, count + length), limit)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    bytes.update(from: base, count: count)
    base.deallocate()
    base = bytes
    capacity = larger
  }
}
