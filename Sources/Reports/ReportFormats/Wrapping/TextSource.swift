internal import Bytes
internal import Identifiers

/// The text of one source, without the wrapping of a logger, a container runtime or a quotation.
struct TextSource {
  let bytes: ByteView
  private let lines: [Line]

  /// The times of entries, by the number of their first line.
  private let times: [Int: Timestamp]

  /// A line, stored compactly as long logs have many: the search for reports ends before numbers need more
  /// bits.
  fileprivate struct Line {
    /// The start of the line in the source.
    let start: UInt32
    /// The start of the line in the wrapped text.
    let origin: UInt32
    /// The number of bytes before it that were removed.
    let prefix: UInt16

    init(start: Int, origin: Int, prefix: Int = 0) {
      self.start = UInt32(clamping: start)
      self.origin = UInt32(clamping: origin)
      self.prefix = UInt16(clamping: prefix)
    }
  }

  /// Creates a source that is one piece at `origin`.
  init(_ bytes: ByteView, at origin: Int) {
    self.bytes = bytes
    lines = [Line(start: 0, origin: origin)]
    times = [:]
  }

  fileprivate init(_ builder: Builder) {
    bytes = ByteView(builder.bytes)
    lines = builder.lines
    times = builder.times
  }

  /// The position of the line of `offset` before it was unwrapped.
  func origin(of offset: Int) -> Int { line(of: offset).map { Int(lines[$0].origin) } ?? 0 }

  /// The time that a logger gave to the line of `offset`; `text` is the wrapped text.
  func time(of offset: Int, in text: RawSpan) -> Timestamp? {
    guard let line = line(of: offset) else { return nil }
    return times[line] ?? prefix(of: line).flatMap { LineTime.first(in: text.part($0)) }
  }

  /// The process that a logger named in the line of `offset`; `text` is the wrapped text.
  func process(of offset: Int, in text: RawSpan) -> (name: String, pid: Int)? {
    line(of: offset).flatMap { prefix(of: $0) }.flatMap {
      LinePrefix.loggedProcess(in: text.part($0))
    }
  }

  private func prefix(of line: Int) -> Range<Int>? {
    let origin = Int(lines[line].origin)
    let length = Int(lines[line].prefix)
    return length > 0 ? origin..<(origin + length) : nil
  }

  private func line(of offset: Int) -> Int? {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return lines.isEmpty ? nil : max(low - 1, 0)
  }

  /// Builds a source line by line.
  struct Builder {
    fileprivate var bytes: [UInt8] = []
    fileprivate var lines: [Line] = []
    fileprivate var times: [Int: Timestamp] = [:]

    var isEmpty: Bool { bytes.isEmpty }
    var source: TextSource { TextSource(self) }

    /// Adds `line`, which began at `origin` with `prefix` bytes that are left out.
    mutating func append(_ line: RawSpan, from origin: Int, after prefix: Int = 0) {
      lines.append(Line(start: bytes.count, origin: origin, prefix: prefix))
      bytes.append(contentsOf: line)
      bytes.append(10)
    }

    /// Adds a line that was printed over the one before; the next layer must see it the same way.
    mutating func appendOverprint(_ line: RawSpan, from origin: Int) {
      if bytes.last == 10 { bytes[bytes.count - 1] = 13 }
      append(line, from: origin)
    }

    /// Adds text of several lines that was at `origin`.
    mutating func append(_ text: [UInt8], from origin: Int, time: Timestamp?) {
      times[lines.count] = time
      lines.append(Line(start: bytes.count, origin: origin))
      bytes.append(contentsOf: text)
    }

    /// Whether the last line has ended.
    var endsLine: Bool { bytes.last.map { $0 == 10 } ?? true }
    mutating func endLine() { if !endsLine { bytes.append(10) } }
  }
}
