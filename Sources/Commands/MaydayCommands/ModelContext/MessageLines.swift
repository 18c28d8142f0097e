import Bytes
import Glibc

/// The lines of a file descriptor as they arrive, each a message.
struct MessageLines {
  private let descriptor: Int32
  private let limit: Int
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var rest: [UInt8] = []
  /// Whether the line that is being read is longer than the limit: its bytes are not kept.
  private var isOverlong = false
  private(set) var isAtEnd = false

  /// - Parameter limit: The maximum number of bytes of a line.
  init(of descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// Returns the lines that have arrived since the last call; `nil` in the place of one that is too long.
  ///
  /// - Parameter isWaiting: Whether to wait until something arrives.
  /// - Throws: ``FileError`` if it cannot be read.
  mutating func next(waiting isWaiting: Bool) throws -> [[UInt8]?] {
    guard !isAtEnd else { return [] }
    if !isWaiting {
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) > 0 else { return [] }
    }
    var count = read(descriptor, &chunk, chunk.count)
    while count < 0, errno == EINTR { count = read(descriptor, &chunk, chunk.count) }
    guard count >= 0 else { throw FileError("read", path: "standard input") }
    guard count > 0 else {
      isAtEnd = true
      return rest.isEmpty && !isOverlong ? [] : [takeLine()].compactMap { $0 }
    }
    var lines: [[UInt8]?] = []
    for byte in chunk[..<count] {
      if byte == UInt8(ascii: "\n") {
        if let line = takeLine() { lines.append(line) }
      } else if rest.count >= limit {
        isOverlong = true
      } else {
        rest.append(byte)
      }
    }
    return lines
  }

  /// Returns the line that ends here, `.some(nil)` for one that is too long, `nil` for an empty one.
  private mutating func takeLine() -> [UInt8]?? {
    defer {
      rest = []
      isOverlong = false
    }
    if isOverlong { return .some(nil) }
    return rest.allSatisfy { $0 <= 0x20 } ? nil : .some(rest)
  }
}
