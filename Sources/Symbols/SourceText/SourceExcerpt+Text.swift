public import Bytes
public import CrashModel

extension SourceExcerpt {
  /// A longer line is cut.
  private static let lineLimit = 4_096

  /// `count` lines with `line` in their middle, fewer at the ends of the file; invalid UTF-8 is
  /// replaced by U+FFFD. `nil` where the file has no such line.
  ///
  /// - Complexity: O(length of the text).
  public init?(_ text: ByteView, around line: Int, count: Int) {
    guard line > 0, count > 0 else { return nil }
    let first = max(line - count / 2, 1)
    var lines: [String] = []
    var number = 1
    var start = 0
    let bytes = text.bytes
    while start < bytes.byteCount, number - first < count {
      var end = start
      while end < bytes.byteCount, bytes.byte(end) != UInt8(ascii: "\n") { end &+= 1 }
      if number >= first {
        var last = end
        if last > start, bytes.byte(last &- 1) == UInt8(ascii: "\r") { last &-= 1 }
        lines.append(
          bytes.extracting(start..<min(last, start + Self.lineLimit)).text)
      }
      number += 1
      start = end &+ 1
    }
    guard line - first < lines.count else { return nil }
    self.init(first: first, lines: lines)
  }
}
