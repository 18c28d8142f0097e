internal import Bytes

/// Reports whose line ends a logger wrote as `\n` or `#012`, so that each is one line: Apache, syslog daemons.
enum EscapedLines {
  /// Text after an escaped line end in a stack.
  private static let marks: [StaticString] = [
    "#0 ", "#1 ", "    at ", "\\tat ", "\tat ", "at ", "  File \\\"", "  File \"", "Stack trace:",
    "goroutine ", "Caused by: ", "   at ", " ---> ", "\\tfrom ", "\tfrom ", "    from ",
    "   0: ", "[stacktrace]", "Thread 0", "\\t/", "#011at ", "#011from ",
  ]

  /// The text with these lines split; `nil` if no line is part of a stack.
  ///
  /// - Complexity: O(n).
  static func sources(of text: RawSpan) -> [TextSource]? {
    guard text.contains("\\n") || text.contains("#012") else { return nil }
    var builder = TextSource.Builder()
    var isChanged = false
    var cursor = LineCursor(0..<text.byteCount)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if let divided = divided(line) {
        isChanged = true
        builder.append(divided, from: range.lowerBound, time: nil)
        builder.endLine()
      } else {
        builder.append(line, from: range.lowerBound)
      }
    }
    return isChanged ? [builder.source] : nil
  }

  private static func divided(_ line: RawSpan) -> [UInt8]? {
    isStack(line, "\\n") ? unescaped(line) : isStack(line, "#012") ? octal(line) : nil
  }

  /// Whether two lines or more end with `end`, and a following one is part of a stack.
  private static func isStack(_ line: RawSpan, _ end: StaticString) -> Bool {
    var count = 0
    var isStack = false
    var from = 0
    while let found = line.find(end, from: from) {
      from = found + end.utf8CodeUnitCount
      count += 1
      let rest = line.between(from, from + 32)
      if !isStack { isStack = marks.contains { rest.has($0) } }
      if isStack, count > 1 { return true }
    }
    return false
  }

  private static func unescaped(_ line: RawSpan) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(line.byteCount)
    var index = 0
    while index < line.byteCount {
      let byte = line.byte(index)
      guard byte == UInt8(ascii: "\\"), index + 1 < line.byteCount else {
        result.append(byte)
        index += 1
        continue
      }
      switch line.byte(index + 1) {
      case UInt8(ascii: "n"): result.append(10)
      case UInt8(ascii: "r"): break
      case UInt8(ascii: "t"): result.append(9)
      case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
      case UInt8(ascii: "/"): result.append(UInt8(ascii: "/"))
      default:
        result.append(byte)
        index -= 1
      }
      index += 2
    }
    return result
  }

  private static func octal(_ line: RawSpan) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(line.byteCount)
    var index = 0
    while index < line.byteCount {
      if line.has("#012", at: index) {
        result.append(10)
        index += 4
      } else if line.has("#011", at: index) {
        result.append(9)
        index += 4
      } else {
        result.append(line.byte(index))
        index += 1
      }
    }
    return result
  }
}
