internal import Bytes

/// The prefix that a logger, a container runtime or a quotation puts before each line of a report:
/// `2024-05-01T10:11:12Z web-1 | `, `May 01 10:11:12 host app[42]: `, `> `.
///
/// It is taken from the report's headline. Another line has it when it reads the same, with numbers
/// of any value in place of numbers and any run of blanks in place of blanks.
struct LogPrefix {
  /// Where the prefix of the headline stands in the text; empty when there is none.
  let sample: Range<Int>

  static let none = LogPrefix(sample: 0..<0)
  var isEmpty: Bool { sample.isEmpty }

  /// The prefix that stands at `sample`.
  init(sample: Range<Int>) { self.sample = sample }

  /// The prefix that ends where the headline's own text begins, if one of the next lines has it
  /// too.
  ///
  /// Otherwise what stands there is the rest of another message that was cut off by the report.
  init(of line: Range<Int>, endingAt start: Int, in text: RawSpan) {
    self.init(sample: line.lowerBound..<max(start, line.lowerBound))
    // Indentation alone needs no stripping: no reader minds it.
    guard sample.count <= FormatLimits.prefixBytes, text.part(sample).trimmed.byteCount > 0
    else {
      self = .none
      return
    }
    var cursor = LineCursor(line.upperBound..<text.byteCount)
    for _ in 0..<8 {
      guard let next = cursor.next(in: text) else { break }
      let line = text.part(next).upTo(4 * FormatLimits.prefixBytes)
      if line.trimmed.byteCount == 0 { continue }
      if length(in: line, of: text) != nil { return }
    }
    self = .none
  }

  /// How many bytes of `line` are the prefix; `nil` when it does not have it.
  func length(in line: RawSpan, of text: RawSpan) -> Int? {
    let prefix = text.part(sample)
    var index = 0
    var other = 0
    while index < prefix.byteCount {
      let byte = prefix.byte(index)
      if byte.isBlank {
        while index < prefix.byteCount, prefix.byte(index).isBlank { index &+= 1 }
        // An empty message may have lost the blank after its prefix.
        if other == line.byteCount { return index == prefix.byteCount ? other : nil }
        guard line.byte(other).isBlank else { return nil }
        other = line.skippingBlanks(from: other)
      } else if byte.isDigit {
        guard line.byteOrZero(other).isDigit else { return nil }
        while index < prefix.byteCount, prefix.byte(index).isDigit { index &+= 1 }
        while other < line.byteCount, line.byte(other).isDigit { other &+= 1 }
      } else {
        guard other < line.byteCount, line.byte(other) == byte else { return nil }
        index &+= 1
        other &+= 1
      }
    }
    return other
  }

  /// Whether `other` is written in the same way.
  func matches(_ other: LogPrefix, of text: RawSpan) -> Bool {
    if isEmpty || other.isEmpty { return isEmpty == other.isEmpty }
    let line = text.part(other.sample)
    return length(in: line, of: text) == line.byteCount
  }
}
