internal import Bytes

/// The lines of a text, each as a range without its end.
struct AppleLines {
  private let view: ByteView
  private(set) var position: Int

  /// The most bytes of a line that are read.
  static let longest = 64 << 10

  init(_ view: ByteView) {
    self.view = view
    position = view.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// The next line, ended by a line feed or the end of the text.
  mutating func next() -> Range<Int>? {
    guard position < view.count else { return nil }
    let start = position
    let end = view.bytes.find(0x0A, from: start) ?? view.count
    position = end + 1
    return start..<end
  }

  mutating func move(to position: Int) { self.position = position }

  /// The bytes of a line of `text`, a very long one cut.
  @_lifetime(copy text)
  static func bytes(of line: Range<Int>, in text: RawSpan) -> RawSpan {
    text.part(line.lowerBound..<min(line.upperBound, line.lowerBound + longest))
  }
}
