internal import Bytes
internal import Glibc

/// Takes the bytes of an object in their order: into memory, or into a file, pipe or device.
final class DownloadTarget {
  private enum Place {
    case memory
    /// The position at which the object begins; `nil` for pipes.
    case file(Int32, start: off_t?)
  }

  private let place: Place
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var count = 0

  /// Memory.
  init() { place = .memory }

  /// A descriptor that is open for writing, from its position on.
  init(descriptor: Int32) {
    let start = lseek(descriptor, 0, Int32(SEEK_CUR))
    place = .file(descriptor, start: start < 0 ? nil : start)
  }

  deinit { free(memory) }

  /// - Returns: The problem; `nil` for none.
  func append(_ bytes: RawSpan) -> String? {
    bytes.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress, !bytes.isEmpty else { return nil }
      if case .file(let descriptor, _) = place {
        var done = 0
        while done < bytes.count {
          let written = write(descriptor, source + done, bytes.count - done)
          if written < 0 && errno == EINTR { continue }
          if written < 0 && errno == EAGAIN {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, -1)
            continue
          }
          guard written > 0 else { return "cannot write: \(String(cString: strerror(errno)))" }
          done += written
        }
        return nil
      }
      // Only memory for bytes that came: a length in a header is a claim.
      if capacity - count < bytes.count {
        let wanted = max(capacity.addingClamped(capacity), count.addingClamped(bytes.count), 4096)
        guard wanted < .max, let more = realloc(memory, wanted) else { return "not enough memory" }
        memory = more
        capacity = wanted
      }
      guard let memory else { return "not enough memory" }
      (memory + count).copyMemory(from: source, byteCount: bytes.count)
      count += bytes.count
      return nil
    }
  }

  /// Forgets everything.
  ///
  /// - Returns: `false` where the bytes have been passed on.
  func restart() -> Bool {
    switch place {
    case .memory:
      count = 0
      return true
    case .file(let descriptor, let start):
      guard let start else { return false }
      return lseek(descriptor, start, Int32(SEEK_SET)) == start
        && ftruncate(descriptor, start) == 0
    }
  }

  /// The bytes in memory, which are no longer here.
  func takeBytes() -> ByteView {
    guard let memory, count > 0 else { return .empty }
    let buffer = UnsafeRawBufferPointer(start: realloc(memory, count) ?? memory, count: count)
    self.memory = nil
    (capacity, count) = (0, 0)
    return ByteView(taking: buffer) { free(UnsafeMutableRawPointer(mutating: $0.baseAddress)) }
  }
}
