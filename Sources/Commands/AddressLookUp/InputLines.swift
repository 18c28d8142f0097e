internal import Bytes
internal import Glibc

/// The lines of a file descriptor as they arrive, without surrounding blanks.
package struct InputLines {
  private let descriptor: Int32
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var rest: [UInt8] = []
  private var isAtEnd = false

  /// A longer line loses its start: no valid one is as long.
  private static let lineLimit = 8192

  /// Whether empty lines are left out.
  private let skipsEmpty: Bool

  package init(of descriptor: Int32, skipsEmpty: Bool = true) {
    self.descriptor = descriptor
    self.skipsEmpty = skipsEmpty
  }

  /// Returns the lines that have arrived since the last call, some or none; `nil` at the end.
  package mutating func next() throws -> [ArraySlice<UInt8>]? {
    guard !isAtEnd else { return nil }
    var count = read(descriptor, &chunk, chunk.count)
    while count < 0, errno == EINTR { count = read(descriptor, &chunk, chunk.count) }
    guard count >= 0 else { throw FileError("read", path: "standard input") }
    var lines: [ArraySlice<UInt8>] = []
    if count == 0 {
      isAtEnd = true
      if !rest.isEmpty { add(rest[...], to: &lines) }
      return lines
    }
    rest += chunk[..<count]
    let bytes = rest
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      add(bytes[start..<end], to: &lines)
      start = end + 1
    }
    rest = Array(bytes[start...].suffix(Self.lineLimit))
    return lines
  }

  private func add(_ line: ArraySlice<UInt8>, to lines: inout [ArraySlice<UInt8>]) {
    var line = line
    while let last = line.last, last <= 0x20 { line.removeLast() }
    while let first = line.first, first <= 0x20 { line.removeFirst() }
    if !line.isEmpty || !skipsEmpty { lines.append(line) }
  }
}
