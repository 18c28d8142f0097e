internal import Bytes

/// The segments of a `mappings` text, found by generated line and column without being stored: a mark every
/// few segments tells where to start reading, so that an index takes about a tenth of the text.
///
///     mappings = line *(";" line)
///     line     = [segment *("," segment)]
///     segment  = column [source source-line source-column [name]]
///
/// Each number is the difference from the last of its kind; the column starts anew on each line.
///
/// Source: ECMA-426, "Decoding source map records".
struct MappingIndex: Sendable {
  /// A segment with absolute numbers, all from 0.
  struct Token: Equatable, BitwiseCopyable {
    var line: Int32 = 0
    var column: Int32 = 0
    /// -1 where the code has no source.
    var source: Int32 = -1
    var sourceLine: Int32 = 0
    var sourceColumn: Int32 = 0
    /// -1 where the segment has none.
    var name: Int32 = -1
  }

  /// The numbers of the last segment of each kind.
  fileprivate struct State: BitwiseCopyable {
    var line: Int32 = 0
    var column: Int32 = 0
    var source: Int32 = 0
    var sourceLine: Int32 = 0
    var sourceColumn: Int32 = 0
    var name: Int32 = 0
  }

  /// A point to start reading from: every segment after it has at least this line and column.
  private struct Mark: BitwiseCopyable {
    var line: Int32
    var column: Int32
    /// The offset in the text; -1 where reading does not continue, as the line's segments are ``unsorted``.
    var offset: Int32
    var state: State
  }

  private struct UnsortedLine: BitwiseCopyable {
    var line: Int32
    var start: Int32
    var count: Int32
  }

  private let text: ByteView
  private var marks: [Mark] = []
  /// The segments of lines whose columns are not ascending, sorted.
  private var unsorted: [Token] = []
  private var unsortedLines: [UnsortedLine] = []
  /// The number of all segments.
  private(set) var count = 0

  /// Segments and bytes from one mark to the next.
  private static let markSegments = 32
  private static let markBytes = 256

  /// Reads the text once.
  ///
  /// - Throws: ``ParseError`` where a segment cannot be read: all that follow depend on it.
  init(_ text: ByteView) throws(ParseError) {
    self.text = text
    let bytes = text.bytes
    var reader = VLQReader(bytes)
    var state = State()
    var line = LineStart(state: state, offset: 0, marks: 0)
    addMark(at: 0, 0, 0, state)
    var lastMark = 0
    var segments = 0
    var goesBack = false
    while !reader.isAtEnd {
      switch reader.byte {
      case UInt8(ascii: ";"):
        if goesBack {
          try keepUnsorted(line, end: reader.position)
          goesBack = false
          lastMark = -Self.markBytes
        }
        reader.position &+= 1
        guard state.line < Int32.max else { throw Self.error(.invalid("too many lines"), reader) }
        state.line &+= 1
        state.column = 0
        line = LineStart(state: state, offset: reader.position, marks: marks.count)
        if reader.position &- lastMark >= Self.markBytes {
          addMark(at: state.line, 0, reader.position, state)
          lastMark = reader.position
          segments = 0
        }
      case UInt8(ascii: ","): reader.position &+= 1
      default:
        let before = state
        let start = reader.position
        let token = try Self.segment(&reader, &state)
        count &+= 1
        segments &+= 1
        if token.column < before.column { goesBack = true }
        if segments >= Self.markSegments || start &- lastMark >= Self.markBytes {
          addMark(at: token.line, token.column, start, before)
          lastMark = start
          segments = 0
        }
      }
    }
    if goesBack { try keepUnsorted(line, end: reader.position) }
  }

  private struct LineStart {
    var state: State
    var offset: Int
    /// The number of marks before the line.
    var marks: Int
  }

  private mutating func addMark(at line: Int32, _ column: Int32, _ offset: Int, _ state: State) {
    marks.append(Mark(line: line, column: column, offset: Int32(offset), state: state))
  }

  /// Stores the segments of a line, sorted; those of one column keep their order.
  private mutating func keepUnsorted(_ line: LineStart, end: Int) throws(ParseError) {
    marks.removeSubrange(line.marks...)
    marks.append(
      Mark(line: line.state.line, column: 0, offset: -1, state: line.state))
    var tokens: [Token] = []
    var state = line.state
    var reader = VLQReader(text.clamped(0..<end).bytes, at: line.offset)
    while !reader.isAtEnd {
      if reader.byte == UInt8(ascii: ",") {
        reader.position &+= 1
        continue
      }
      tokens.append(try Self.segment(&reader, &state))
      guard unsorted.count + tokens.count <= SourceMapLimits.unsortedSegments else {
        let limit = SourceMapLimits.unsortedSegments
        throw Self.error(.limit(name: "segments that are not in order", value: limit), reader)
      }
    }
    let order = tokens.indices.sorted { (tokens[$0].column, $0) < (tokens[$1].column, $1) }
    unsortedLines.append(
      UnsortedLine(
        line: line.state.line, start: Int32(unsorted.count), count: Int32(tokens.count)))
    unsorted += order.map { tokens[$0] }
  }

  private static func error(_ kind: ParseError.Kind, _ reader: borrowing VLQReader) -> ParseError {
    ParseError(kind, in: "mappings", at: reader.position)
  }

  /// The next segment.
  private static func segment(
    _ reader: inout VLQReader, _ state: inout State
  ) throws(ParseError) -> Token {
    try add(&state.column, &reader)
    var token = Token(line: state.line, column: state.column)
    guard reader.hasNumber else { return token }
    try add(&state.source, &reader)
    guard reader.hasNumber else { throw error(.invalid("a segment of two numbers"), reader) }
    try add(&state.sourceLine, &reader)
    guard reader.hasNumber else { throw error(.invalid("a segment of three numbers"), reader) }
    try add(&state.sourceColumn, &reader)
    token.source = state.source
    token.sourceLine = state.sourceLine
    token.sourceColumn = state.sourceColumn
    if reader.hasNumber {
      try add(&state.name, &reader)
      token.name = state.name
    }
    // Later versions may add numbers.
    while reader.hasNumber { _ = try reader.read() }
    return token
  }

  @inline(__always)
  private static func add(_ sum: inout Int32, _ reader: inout VLQReader) throws(ParseError) {
    guard let value = Int32(exactly: Int(sum) &+ (try reader.read())), value >= 0 else {
      throw error(.invalid("a line, column or index that is negative or beyond 31 bits"), reader)
    }
    sum = value
  }

  // MARK: Look-up

  /// The last segment of `line` at or before `column`, both from 0. The first of several at the column
  /// counts, as in other readers.
  ///
  /// - Complexity: O(log n).
  func token(line: Int32, column: Int32) -> Token? {
    if let tokens = unsortedTokens(of: line) {
      let next = tokens.lowerBound { $0.column < column }
      if next < tokens.endIndex, tokens[next].column == column { return tokens[next] }
      return next > tokens.startIndex ? tokens[next - 1] : nil
    }
    var found: Token?
    forEachToken(from: line, column) { token in
      guard (token.line, token.column) <= (line, column) else { return false }
      if token.line == line { found = token }
      return token.line < line || token.column < column
    }
    return found
  }

  /// Passes the segments of a line to `body`, until it returns `false`.
  func forEachToken(of line: Int32, _ body: (Token) -> Bool) {
    if let tokens = unsortedTokens(of: line) {
      for token in tokens { guard body(token) else { return } }
      return
    }
    forEachToken(from: line, 0) { token in
      token.line < line || token.line == line && body(token)
    }
  }

  private func unsortedTokens(of line: Int32) -> ArraySlice<Token>? {
    let index = unsortedLines.lowerBound { $0.line < line }
    guard index < unsortedLines.count, unsortedLines[index].line == line else { return nil }
    let start = Int(unsortedLines[index].start)
    return unsorted[start..<(start + Int(unsortedLines[index].count))]
  }

  /// Reads segments from the last mark before a position on, until `body` returns `false`.
  private func forEachToken(from line: Int32, _ column: Int32, _ body: (Token) -> Bool) {
    let next = marks.lowerBound { ($0.line, $0.column) < (line, column) }
    var mark = marks[max(0, next - 1)]
    if mark.offset < 0 {
      // A stored line is followed by another mark.
      guard next < marks.count, marks[next].line == line, marks[next].column == column else {
        return
      }
      mark = marks[next]
    }
    var state = mark.state
    var reader = VLQReader(text.bytes, at: Int(mark.offset))
    while !reader.isAtEnd {
      switch reader.byte {
      case UInt8(ascii: ";"):
        reader.position &+= 1
        guard state.line < line else { return }
        state.line &+= 1
        state.column = 0
      case UInt8(ascii: ","): reader.position &+= 1
      default:
        // It was read before without an error.
        guard let token = try? Self.segment(&reader, &state), body(token) else { return }
      }
    }
  }
}
