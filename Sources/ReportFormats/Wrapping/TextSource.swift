internal import Bytes
internal import CrashModel

/// What one source wrote, without what a logger, a container runtime or a quotation put around it.
struct TextSource {
  let bytes: ByteView
  private let lines: [Line]

  fileprivate struct Line {
    /// Where it begins in the source.
    let start: Int
    /// Where it began in what was unwrapped.
    let origin: Int
    /// What stood before it.
    let prefix: Range<Int>?
    let time: Timestamp?
  }

  /// A source that stands in one piece at `origin`.
  init(_ bytes: ByteView, at origin: Int) {
    self.bytes = bytes
    lines = [Line(start: 0, origin: origin, prefix: nil, time: nil)]
  }

  fileprivate init(_ builder: Builder) {
    bytes = ByteView(builder.bytes)
    lines = builder.lines
  }

  /// Where the line of `offset` stood before it was unwrapped.
  func origin(of offset: Int) -> Int { line(of: offset)?.origin ?? 0 }

  /// The time that a logger put to the line of `offset` in `text`, which was unwrapped.
  func time(of offset: Int, in text: RawSpan) -> Timestamp? {
    guard let line = line(of: offset) else { return nil }
    return line.time ?? line.prefix.flatMap { LineTime.first(in: text.part($0)) }
  }

  /// The process that a logger named in the line of `offset` in `text`, which was unwrapped.
  func process(of offset: Int, in text: RawSpan) -> (name: String, pid: Int)? {
    line(of: offset)?.prefix.flatMap { LinePrefix.loggedProcess(in: text.part($0)) }
  }

  private func line(of offset: Int) -> Line? {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? lines[low - 1] : lines.first
  }

  /// Puts a source together line by line.
  struct Builder {
    fileprivate var bytes: [UInt8] = []
    fileprivate var lines: [Line] = []

    var isEmpty: Bool { bytes.isEmpty }
    var source: TextSource { TextSource(self) }

    /// Adds `line`, which began at `origin`, after `prefix`.
    mutating func append(
      _ line: RawSpan, from origin: Int, prefix: Range<Int>? = nil, time: Timestamp? = nil
    ) {
      lines.append(Line(start: bytes.count, origin: origin, prefix: prefix, time: time))
      for index in 0..<line.byteCount { bytes.append(line.byte(index)) }
      bytes.append(10)
    }

    /// Adds a line that was printed over the one before; the next layer shall see it so, too.
    mutating func appendOverprint(_ line: RawSpan, from origin: Int) {
      if bytes.last == 10 { bytes[bytes.count - 1] = 13 }
      append(line, from: origin)
    }

    /// Adds text of several lines that stood at `origin`.
    mutating func append(_ text: [UInt8], from origin: Int, time: Timestamp?) {
      lines.append(Line(start: bytes.count, origin: origin, prefix: nil, time: time))
      bytes.append(contentsOf: text)
    }

    /// Whether the last line is ended.
    var endsLine: Bool { bytes.last.map { $0 == 10 } ?? true }
    mutating func endLine() { if !endsLine { bytes.append(10) } }
  }
}
