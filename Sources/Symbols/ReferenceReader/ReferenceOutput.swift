internal import Glibc

/// Records on standard output; ends the process when the reader has closed it.
struct ReferenceOutput: ~Copyable {
  private var buffer: [UInt8] = []
  private static let limit = 1 << 16

  init() { buffer.reserveCapacity(Self.limit + 4_096) }

  mutating func begin(_ record: ReferenceRecord) {
    if buffer.count > Self.limit { flush() }
    buffer.append(record.rawValue)
  }

  mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      buffer.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    buffer.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(_ text: UnsafePointer<CChar>?, limit: Int) {
    let count = text.map { strnlen($0, limit) } ?? 0
    put(UInt64(count))
    buffer.append(contentsOf: UnsafeRawBufferPointer(start: text, count: count))
  }

  mutating func put(bytes: UnsafeRawBufferPointer) {
    put(UInt64(bytes.count))
    buffer.append(contentsOf: bytes)
  }

  mutating func problem(at offset: UInt64, _ text: String) {
    begin(.problem)
    put(offset)
    let bytes = Array(text.utf8.prefix(400))
    put(UInt64(bytes.count))
    buffer += bytes
  }

  mutating func flush() {
    var done = 0
    while done < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        write(1, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { exit(1) }
      done += written
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
