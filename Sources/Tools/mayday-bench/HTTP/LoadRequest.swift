/// A request that is sent repeatedly, each time with another number at its marks.
struct LoadRequest: Sendable {
  private var bytes: [UInt8]
  private let markOffsets: [Int]
  private let width: Int

  init(_ bytes: [UInt8], unique mark: [UInt8]) {
    self.bytes = bytes
    width = mark.count
    markOffsets =
      mark.isEmpty
      ? [] : bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
  }

  /// Returns the request with `number` in hexadecimal digits at each mark.
  func bytes(number: UInt64) -> [UInt8] {
    guard !markOffsets.isEmpty else { return bytes }
    var bytes = bytes
    var rest = number
    for index in (0..<width).reversed() {
      let digit = UInt8(rest & 15)
      rest >>= 4
      for markOffset in markOffsets {
        bytes[markOffset + index] = digit < 10 ? 48 + digit : 87 + digit
      }
    }
    return bytes
  }
}
