internal import Bytes

/// The lines of a text, whose ends are LF or CR LF.
struct LineWalk {
  private let text: ByteView
  private(set) var position: Int
  private let end: Int

  init(_ text: ByteView, _ range: Range<Int>) {
    self.text = text
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next line without its end.
  mutating func next() -> Range<Int>? {
    guard position < end else { return nil }
    let start = position
    var stop = start
    while stop < end, text.bytes.byte(stop) != 10 { stop += 1 }
    position = min(stop + 1, end)
    if stop > start, text.bytes.byte(stop - 1) == 13 { stop -= 1 }
    return start..<stop
  }

  func text(_ line: Range<Int>, atMost limit: Int) -> String {
    text.clamped(line.lowerBound..<min(line.upperBound, line.lowerBound + limit)).bytes.text
  }

  func begins(_ line: Range<Int>, with bytes: [UInt8]) -> Bool {
    text.clamped(line).starts(with: bytes)
  }
}
