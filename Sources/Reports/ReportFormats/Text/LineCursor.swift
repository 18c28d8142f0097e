internal import Bytes

/// Iterates over the lines of a part of a text.
struct LineCursor {
  private(set) var position: Int
  let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next line without its end, at most ``FormatLimits/lineBytes`` of it.
  mutating func next(in text: RawSpan) -> Range<Int>? {
    guard position < end else { return nil }
    let start = position
    let stop = min(text.find(10, from: start) ?? text.byteCount, end)
    position = stop + 1
    var last = stop
    if last > start, text.byte(last - 1) == 13 { last -= 1 }
    return start..<min(last, start + FormatLimits.lineBytes)
  }
}
