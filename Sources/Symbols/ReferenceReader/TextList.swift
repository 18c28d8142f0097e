internal import Bytes

/// Texts by number, from 1, one after the other in memory.
struct TextList: ~Copyable {
  private var bytes = Table<UInt8>()
  private var ends = Table<Int>()

  var count: Int { ends.count }
  var byteCount: Int { bytes.count }

  mutating func add(from process: inout ReferenceProcess) throws(ReferenceReaderError) {
    _ = try process.text(into: &bytes)
    ends.append(bytes.count)
  }

  /// Where the text of a number lies; empty for 0 and for numbers that nothing has.
  private func range(_ number: UInt32) -> Range<Int> {
    let index = Int(number) - 1
    guard index >= 0, index < ends.count else { return 0..<0 }
    return (index > 0 ? ends[index - 1] : 0)..<ends[index]
  }

  func isEmpty(_ number: UInt32) -> Bool { range(number).isEmpty }

  func matches(_ number: UInt32, _ other: RawSpan) -> Bool {
    let range = range(number)
    let all = bytes.span.bytes
    return range.count == other.byteCount
      && all.matches(from: range.lowerBound, count: range.count, in: other, from: 0)
  }

  func text(_ number: UInt32) -> String {
    let range = range(number)
    return bytes.span.bytes.extracting(range).text
  }

  func hash(_ number: UInt32) -> UInt64 {
    let range = range(number)
    return bytes.span.bytes.contentHash(from: range.lowerBound, count: range.count)
  }
}
