internal import Bytes
internal import Glibc

/// Bytes that come in pieces and in unknown number; becomes a ``ByteView`` without a copy.
struct GrowingBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  /// Returns `false` when the machine has no memory left.
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return true }
    if bytes.count > capacity - count {
      // realloc moves large blocks by turning pages over, so that doubling copies little.
      let wanted = max(capacity * 2, count + bytes.count, 1 << 12)
      guard let larger = realloc(memory, wanted) else { return false }
      memory = larger
      capacity = wanted
    }
    memory?.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
    return true
  }

  /// The bytes so far; the buffer is empty afterwards.
  mutating func take() -> ByteView {
    guard count > 0, let memory else { return .empty }
    let kept = realloc(memory, count) ?? memory
    let view = unsafe ByteView(taking: UnsafeRawBufferPointer(start: kept, count: count)) {
      free(UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
    self.memory = nil
    capacity = 0
    count = 0
    return view
  }

  deinit { free(memory) }
}
