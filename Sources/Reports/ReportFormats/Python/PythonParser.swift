internal import Bytes
internal import CrashModel

/// Parses a traceback and those connected with it line by line.
///
/// A group has a margin, in which each member is a separate traceback:
///
///       + Exception Group Traceback (most recent call last):
///       |   File "/app/tern.py", line 31, in main
///       | ExceptionGroup: batch failed (2 sub-exceptions)
///       +-+---------------- 1 ----------------
///         | Traceback (most recent call last):
///         |   File "/app/tern.py", line 9, in pay
///         | ValueError: no boat
///         +---------------- 2 ----------------
///         | KeyError: 'k'
///         +------------------------------------
struct PythonParser {
  /// Tracebacks that were printed one after the other, each the cause of the next, at each depth of groups.
  private var chains: [[PythonBlock]] = [[PythonBlock()]]
  private var report = CrashReport(format: .pythonTraceback)
  private var counter = StackCounter()
  private var repeats: UInt64 = 0
  private var isInGroup = false
  /// Lines of the same depth end the report, except a sentence that introduces another traceback.
  private var isComplete = false
  /// Groups deeper than the limit, which are skipped.
  private var skippedDepth = 0
  /// Whether the lines lost their indentation.
  private var isFlat = false
  /// Lines of source since the last frame.
  private var sourceLines = 0
  /// Exceptions whose message is the traceback that follows, the outermost first.
  private var wrappers: [PythonBlock] = []
  /// The exception that was printed before its stack.
  private var early: PythonBlock?

  /// Lines of source, and of marks below them, of one frame.
  private static let sourceLimit = 12
  /// Nested groups.
  private static let depth = 16

  /// Whether a line announces another traceback.
  static func connects(_ line: RawSpan) -> Bool {
    line.contains("The above exception was the direct cause of the following exception:")
      || line.contains("During handling of the above exception, another exception occurred:")
  }

  /// Reads the line before the headline: `Exception in thread till-3:`, `Exception ignored in: …`
  mutating func readLineBefore(_ text: RawSpan) {
    var text = text.trimmed
    if text.byteCount > 0, text.byte(text.byteCount - 1) == 10 {
      text = text.upTo(text.byteCount - 1)
    }
    let line = text.from((text.findLast(10) ?? -1) + 1).trimmed
    if let mark = line.find("Exception in thread "), line.ends(with: ":") {
      report.tags[.threadName] = line.between(mark + 20, line.byteCount - 1).name
    } else if let mark = line.find("Exception ignored ") {
      report.kind = .handled
      let rest = line.from(mark + 18)
      let words = rest.has("in: ") ? rest.from(4) : rest
      report.tags[.exceptionLocation] =
        (words.ends(with: ":") ? words.upTo(words.byteCount - 1) : words).name
    }
  }

  /// Reads Atheris's lines between its heading and the stack: the exception.
  mutating func readEarly(_ lines: [String]) {
    var block = PythonBlock()
    for (index, line) in lines.enumerated() {
      let bytes = ByteView(line.utf8)
      if index > 0 {
        block.addWords(bytes.bytes.trimmed)
      } else if !block.readException(bytes.bytes.trimmed) {
        return
      }
    }
    if block.type != nil { early = block }
  }

  /// An exception whose message is the traceback that follows: `FuzzError: Traceback (most recent …`, or of
  /// another process: `RayTaskError(ValueError): ray::take() (pid=42, ip=10.0.0.7)`.
  static func wrapper(_ line: RawSpan) -> String? {
    guard
      let end = line.find(": Traceback (most recent call last):") ?? line.find(": ray::"),
      end > 0, end < 256
    else { return nil }
    let name = line.upTo(end)
    let bare = name.upTo(name.find(UInt8(ascii: "(")) ?? name.byteCount)
    guard PythonBlock.looksLikeException(bare) else { return nil }
    return name.name
  }

  /// Begins a finding of a Python sanitizer, whose stack has no exception.
  mutating func beginFinding(_ line: RawSpan) {
    let end = line.find(" ===") ?? line.byteCount
    chains[0][0].type = "PySecSan"
    chains[0][0].addWords(line.upTo(end).trimmed)
  }

  /// Takes a line with the number of blanks by which it is indented; returns whether another one is wanted.
  mutating func take(_ line: RawSpan, indentation: Int) -> Bool {
    if line.has("+ Exception Group Traceback (most recent call last):") {
      isInGroup = true
      beginBlock()
      return true
    }
    if isInGroup, line.has("|") || line.has("+-") { return takeMargin(line) }
    if isInGroup, line.byteCount > 0 {
      isComplete = true
      if Self.connects(line) {
        isInGroup = false
        chains.removeSubrange(1...)
      }
    }
    return takeContent(line, indentation: indentation)
  }

  // MARK: Groups

  private mutating func takeMargin(_ line: RawSpan) -> Bool {
    if line.has("|") {
      guard skippedDepth == 0 else { return true }
      let content = line.from(1)
      let start = content.skippingBlanks(from: 0)
      return takeContent(content.from(start).trimmed, indentation: max(0, start - 1))
    }
    if line.has("+-+") {
      guard chains.count <= Self.depth, skippedDepth == 0 else {
        skippedDepth += 1
        return true
      }
      chains.append([PythonBlock()])
      isComplete = false
      return true
    }
    guard line.has("+---------") else { return true }
    let hasNumber = line.find(32) != nil
    if skippedDepth > 0 {
      if !hasNumber { skippedDepth -= 1 }
      return true
    }
    endMember()
    if hasNumber { chains.append([PythonBlock()]) }
    isComplete = false
    return true
  }

  /// Adds the deepest chain to the group around it.
  private mutating func endMember() {
    guard chains.count > 1, let blocks = chains.popLast() else { return }
    let outer = chains.count - 1
    guard let member = Self.exception(of: blocks),
      let last = chains[outer].indices.last, chains[outer][last].members.count < 256
    else { return }
    chains[outer][last].members.append(member)
  }

  private mutating func beginBlock() {
    isComplete = false
    let depth = chains.count - 1
    guard let last = chains[depth].last, !last.isEmpty, chains[depth].count < 1000 else { return }
    if depth == 0 { unwrap() }
    chains[depth].append(PythonBlock())
  }

  /// Adds the wrappers of the last exception, which caused them.
  private mutating func unwrap() {
    guard let inner = chains[0].last?.headline else { return }
    for var block in wrappers.reversed() {
      if block.wordCount == 0 { block.addWords(ByteView(inner.utf8).bytes) }
      chains[0].append(block)
    }
    wrappers = []
  }

  private mutating func wrap(_ type: String) {
    let last = chains[0].count - 1
    guard wrappers.count < FormatLimits.causes else { return }
    var block = chains[0][last]
    block.type = type
    wrappers.append(block)
    chains[0][last] = PythonBlock()
    isComplete = false
  }

  // MARK: Tracebacks

  private mutating func takeContent(_ line: RawSpan, indentation: Int) -> Bool {
    let depth = chains.count - 1
    let last = chains[depth].count - 1
    if depth == 0, chains[0][last].type == nil, indentation == 0 || isFlat,
      let type = Self.wrapper(line)
    {
      wrap(type)
      return true
    }
    if line.has("Traceback (most recent call last):")
      || line.has("Exception Group Traceback (most recent call last):")
    {
      beginBlock()
      return true
    }
    if Self.connects(line) {
      isComplete = true
      return true
    }
    if isComplete { return true }
    if chains[depth][last].type == nil || !isNamed(chains[depth][last]) {
      return takeOfStack(line, indentation, depth, last)
    }
    if isFlat, isNamed(chains[depth][last]), let call = PythonFrameLine(line) {
      chains[depth][last].forgetException()
      chains[depth][last].append(call.frame, counter: &counter)
      sourceLines = 0
      return true
    }
    if isFlat, chains[depth][last].wordCount == 0, PythonBlock.looksLikeException(line) {
      chains[depth][last].forgetException()
      _ = chains[depth][last].readException(line)
      return true
    }
    // Further lines of the message, and notes, continue until an empty one.
    if line.byteCount == 0 || Self.isOfLogger(line) || RunnerLine.isOne(line) {
      isComplete = true
    } else {
      chains[depth][last].addWords(line)
    }
    return true
  }

  /// Whether the stack cannot continue: a finding has its text first.
  private func isNamed(_ block: PythonBlock) -> Bool { block.type != "PySecSan" }

  private mutating func takeOfStack(
    _ line: RawSpan, _ indentation: Int, _ depth: Int, _ last: Int
  ) -> Bool {
    if let call = PythonFrameLine(line) {
      chains[depth][last].append(call.frame, counter: &counter)
      sourceLines = 0
      if indentation == 0, !isInGroup { isFlat = true }
    } else if line.has("[Previous line repeated ") {
      let (sum, overflow) = repeats.addingReportingOverflow(line.number(after: "repeated ") ?? 0)
      repeats = overflow ? .max : sum
    } else if indentation == 0, line.byteCount > 0, isNamed(chains[depth][last]) {
      if isFlat, !PythonBlock.looksLikeException(line), !RunnerLine.isOne(line) {
        sourceLines += 1
        isComplete = sourceLines > Self.sourceLimit
      } else if Self.isOfLogger(line, isFirst: true) || RunnerLine.isOne(line)
        || !chains[depth][last].readException(line)
      {
        // Anything in place of the exception is not part of the traceback.
        isComplete = true
      }
    }
    return true
  }

  /// Whether a line belongs to a log, not to the message: `INFO:root:…`, or with a time.
  ///
  /// - Parameter isFirst: Whether the exception is expected, whose message may have a time.
  private static func isOfLogger(_ line: RawSpan, isFirst: Bool = false) -> Bool {
    for word: StaticString in [
      "INFO", "ERROR", "DEBUG", "WARN", "CRITICAL", "[INFO", "[ERROR", "[DEBUG", "[WARN",
    ] where line.has(word) { return true }
    return (!isFirst || !PythonBlock.looksLikeException(line)) && hasClock(line)
  }

  private static func hasClock(_ line: RawSpan) -> Bool {
    let head = line.upTo(40)
    var index = 0
    // `12:34:56`
    while let colon = head.find(UInt8(ascii: ":"), from: index) {
      index = colon + 1
      if head.byteOrZero(colon - 1).isDigit, head.byteOrZero(colon + 1).isDigit,
        head.byteOrZero(colon + 3) == UInt8(ascii: ":"), head.byteOrZero(colon + 4).isDigit
      {
        return true
      }
    }
    return false
  }

  // MARK: The report

  private static func exception(of blocks: [PythonBlock]) -> LanguageException? {
    LanguageException.chain(blocks.reversed().filter { !$0.isEmpty }.map { $0.exception() })
  }

  consuming func finished() -> CrashReport? {
    while chains.count > 1 { endMember() }
    if let early, let last = chains[0].indices.last, chains[0][last].type == nil {
      chains[0][last].takeException(of: early)
    }
    unwrap()
    guard let exception = Self.exception(of: chains[0]),
      exception.type != nil || !exception.frames.isEmpty || !exception.inner.isEmpty
    else { return nil }
    report.reason.type = exception.type
    report.reason.message = exception.message
    if exception.type == nil {
      report.notes.append("the report is cut off: the exception is missing")
    }
    report.reason.exception = exception
    if repeats > 0 { report.notes.append("\(repeats) repeated calls were left out by Python") }
    report.notes += counter.notes
    return report
  }
}
