internal import Bytes

/// A report that begins with the file and each of whose lines a logger has given a prefix.
enum PrefixedDocument {
  /// The report without the prefixes; `nil` when none of `openings`, with which such reports begin,
  /// follows one.
  ///
  /// - Complexity: O(n).
  static func stripped(_ text: RawSpan, openings: [StaticString]) -> ByteView? {
    let head = text.upTo(FormatLimits.guessedBytes)
    for opening in openings {
      guard let start = head.find(opening) else { continue }
      let lineStart = head.findLast(10, before: start).map { $0 + 1 } ?? 0
      let lineEnd = text.find(10, from: start) ?? text.byteCount
      let prefix = LogPrefix(of: lineStart..<lineEnd, endingAt: start, in: text)
      if !prefix.isEmpty { return lines(of: text, from: lineStart, after: prefix) }
    }
    return nil
  }

  private static func lines(of text: RawSpan, from start: Int, after prefix: LogPrefix) -> ByteView
  {
    var result: [UInt8] = []
    result.reserveCapacity(text.byteCount - start)
    var cursor = LineCursor(start..<text.byteCount)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      guard let length = prefix.length(in: line, of: text) else { continue }
      let rest = line.from(length)
      for index in 0..<rest.byteCount { result.append(rest.byte(index)) }
      result.append(10)
    }
    return ByteView(result)
  }
}
