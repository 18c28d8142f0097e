internal import Bytes
internal import CrashModel

/// Parses a JavaScript exception with its stack line by line, as written by V8's `stack`, Node's
/// `util.inspect`, Firefox or Safari.
///
///     PaymentError: checkout failed
///         at charge (/src/till.js:13:57)
///         ... 3 lines matching cause stack trace ...
///         at node:internal/main/run_main_module:28:49 {
///       code: 'E_DECLINED',
///       [cause]: TypeError: Cannot read properties of null (reading 'length')
///           at total (/src/till.js:5:36) {
///         [errors]: [ … ]
///       }
///     }
///
/// Braces, not indentation, determine where the properties of an exception end: loggers change blanks.
struct ScriptTrace {
  private static let depth = 64
  private static let messageLines = 256

  private struct Level {
    var exception: LanguageException
    /// Whether its properties follow, up to a closing brace.
    var hasProperties = false
    /// Whether the list of an aggregate's exceptions is open.
    var isListing = false
    /// Objects and arrays among the properties.
    var nesting = 0
    /// Omitted frames that are in the cause: their index and number.
    var gaps: [(index: Int, count: Int)] = []
  }

  private var levels: [Level] = []
  private var messageLines = 0
  private var isMessage = true
  private var emptyLines = 0
  private var budget = StackBudget()
  private(set) var code: String?
  private(set) var frameCount = 0
  /// Whether the last property was closed, which ends the trace.
  private(set) var isComplete = false

  /// - Parameter header: `Type: message`; nothing for a stack alone.
  init(header: RawSpan) {
    push(header)
    if header.byteCount == 0 { isMessage = false }
  }

  /// Takes a line without surrounding blanks.
  ///
  /// - Returns: Whether it belongs to the trace.
  mutating func read(_ line: RawSpan) -> Bool {
    guard !isComplete, let last = levels.indices.last else { return false }
    guard line.byteCount > 0 else {
      emptyLines += 1
      return isMessage ? emptyLines < 8 : isOpen
    }
    if readFrame(line) { return true }
    if line.has("... "), line.find(" lines matching cause stack trace") != nil {
      var index = 4
      let count = line.decimal(at: &index).map { Int(clamping: $0) } ?? 0
      if levels[last].gaps.count < 64 {
        levels[last].gaps.append((levels[last].exception.frames.count, min(count, 4096)))
      }
      return true
    }
    // Safari prints this text alone; the location is in the next line.
    if line.has("eval code") || line.has("global code") || line.has("module code"),
      line.byteCount < 12
    {
      return true
    }
    if line.has("From previous event:") || line.has("------") && !isMessage { return true }
    if isOpen, readProperty(line) { return true }
    if !isMessage, let cause = Self.cause(line) {
      emptyLines = 0
      push(line.from(cause))
      return true
    }
    return readMessage(line)
  }

  private var isOpen: Bool { levels.contains { $0.hasProperties } }

  private mutating func readFrame(_ line: RawSpan) -> Bool {
    let cleaned = JavaScriptLine.clean(line)
    guard let last = levels.indices.last else { return false }
    let isBare = isBare(cleaned)
    guard isBare || JavaScriptLine.isFrame(cleaned) else { return false }
    isMessage = false
    emptyLines = 0
    let call = ManagedStackText.frame(isBare ? "@" + cleaned.name : cleaned.name)
    if var frame = call, budget.takeFrame() {
      frameCount += 1
      // The code of a file outside of functions.
      if frame.function == "Object.<anonymous>", frame.file != nil { frame.function = nil }
      levels[last].exception.frames.append(frame)
    }
    if line.ends(with: " {") { levels[last].hasProperties = true }
    if line.ends(with: "]"), !line.ends(with: "[native code]") { closeList() }
    return true
  }

  /// Whether a line is a call of a function without a name, as Safari prints it: only the location.
  private func isBare(_ line: RawSpan) -> Bool {
    guard ManagedFrameShape.isBareScript(line), let last = levels.last else { return false }
    return isMessage || last.exception.frames.contains { $0.file?.contains("://") == true }
  }

  private mutating func readMessage(_ line: RawSpan) -> Bool {
    guard isMessage, messageLines < Self.messageLines, !RunnerLine.isOne(line),
      let last = levels.indices.last
    else {
      return false
    }
    messageLines += 1
    let text = String(repeating: "\n", count: emptyLines + 1) + line.name
    emptyLines = 0
    levels[last].exception.message = ((levels[last].exception.message ?? "") + text)
      .cut(FormatLimits.nameBytes)
    return true
  }

  /// The start of the cause in `caused by: Type: message` of libraries.
  private static func cause(_ line: RawSpan) -> Int? {
    for mark: StaticString in ["Caused by: ", "caused by: ", "[cause]: "] where line.has(mark) {
      return mark.utf8CodeUnitCount
    }
    return nil
  }

  // MARK: Properties

  private mutating func readProperty(_ line: RawSpan) -> Bool {
    emptyLines = 0
    if line.has("}") || line.has("]") {
      guard let open = levels.lastIndex(where: { $0.hasProperties || $0.isListing }) else {
        return false
      }
      isMessage = false
      while levels.count > open + 1 { close() }
      if levels[open].nesting > 0 {
        levels[open].nesting -= 1
      } else if line.has("]") {
        levels[open].isListing = false
      } else {
        levels[open].hasProperties = false
        if open == 0 { isComplete = true }
      }
      return true
    }
    if line.has("[errors]: [")
      || line.has("errors: [") && levels.last?.exception.type == "AggregateError"
    {
      closeToOpen()
      levels[levels.count - 1].isListing = true
      return true
    }
    if let header = exceptionProperty(line) {
      closeToOpen()
      push(line.from(header))
      return true
    }
    guard let open = levels.lastIndex(where: { $0.hasProperties || $0.isListing }) else {
      return false
    }
    if levels.count > open + 1, isMessage { return readMessage(line) }
    if open == 0, levels[0].nesting == 0, line.has("code: ") {
      let value = JavaScriptLine.clean(line.from(6)).name
      code = code ?? String(value.drop { $0 == "'" }.prefix { $0 != "'" })
    }
    if line.ends(with: "{") || line.ends(with: "[") { levels[open].nesting += 1 }
    return true
  }

  /// The start of an exception in a line of properties: `[cause]: TypeError: x`, `inner: Error: x`, and in a
  /// list `Error: x` itself.
  private func exceptionProperty(_ line: RawSpan) -> Int? {
    if line.has("[cause]: ") {
      let isBare = line.byteOrZero(9) == UInt8(ascii: "[")
      return isBare ? 10 : 9
    }
    guard let colon = line.find(": ") else { return nil }
    if levels.contains(where: { $0.isListing }), Self.isHeader(line, colon) { return 0 }
    let rest = line.from(colon + 2)
    guard let second = rest.find(": "), Self.isHeader(rest, second) else { return nil }
    return colon + 2
  }

  private static func isHeader(_ line: RawSpan, _ colon: Int) -> Bool {
    ExceptionLine.typeStart(endingAt: colon, in: line) == 0
      && ManagedFrameShape(line) == nil
  }

  /// `]` at the end of the last frame in a list.
  private mutating func closeList() {
    guard let open = levels.lastIndex(where: { $0.isListing }) else { return }
    while levels.count > open + 1 { close() }
    levels[open].isListing = false
  }

  // MARK: Exceptions

  private mutating func closeToOpen() {
    while levels.count > 1, let last = levels.last, !last.hasProperties, !last.isListing { close() }
  }

  private mutating func push(_ header: RawSpan) {
    var header = header.trimmed
    var opens = false
    if header.ends(with: " {") {
      opens = true
      header = header.upTo(header.byteCount - 2)
    }
    if header.ends(with: "]"), header.find("[") == nil || header.has("[") {
      header = header.upTo(header.byteCount - 1)
      if header.has("[") { header = header.from(1) }
    }
    isMessage = !opens
    messageLines = 0
    guard levels.count < Self.depth, budget.takeException() else { return }
    var level = Level(exception: LanguageException(), hasProperties: opens)
    let head = ScriptHeader(header)
    level.exception.type = head.type
    level.exception.message = head.message
    if code == nil, levels.isEmpty { code = head.code }
    levels.append(level)
  }

  /// Ends the innermost exception: it is a cause of the one around it.
  private mutating func close() {
    guard levels.count > 1, let last = levels.popLast() else { return }
    levels[levels.count - 1].exception.inner.append(Self.filled(last))
  }

  /// The exception with the frames that were left out because the cause has them too.
  private static func filled(_ level: Level) -> LanguageException {
    var exception = level.exception
    for gap in level.gaps.reversed() {
      guard let cause = exception.inner.first, gap.count > 0 else { continue }
      let after = exception.frames.indices.contains(gap.index) ? exception.frames[gap.index] : nil
      let before = gap.index > 0 ? exception.frames[gap.index - 1] : nil
      var range: Range<Int>?
      if let after, let end = cause.frames.lastIndex(of: after), end >= gap.count {
        range = (end - gap.count)..<end
      } else if let before, let start = cause.frames.lastIndex(of: before),
        start + gap.count < cause.frames.count
      {
        range = (start + 1)..<(start + 1 + gap.count)
      }
      guard let range, exception.frames.count + gap.count <= FormatLimits.framesPerStack else {
        continue
      }
      exception.frames.insert(contentsOf: cause.frames[range], at: gap.index)
    }
    return exception
  }

  /// The outermost exception and a note about what was left out.
  consuming func finished() -> (exception: LanguageException, note: String?) {
    while levels.count > 1 { close() }
    return (levels.first.map(Self.filled) ?? LanguageException(), budget.note)
  }
}

/// `Type [CODE]: message`, `Type`, or a message alone.
struct ScriptHeader {
  var type: String?
  var code: String?
  var message: String?

  init(_ text: RawSpan) {
    let text = text.trimmed
    guard text.byteCount > 0 else { return }
    var colon = text.find(":")
    while let found = colon, text.byteOrZero(found + 1) != 32, found + 1 < text.byteCount {
      colon = text.find(":", from: found + 1)
    }
    let end = colon ?? text.byteCount
    guard let start = ExceptionLine.typeStart(endingAt: end, in: text), start == 0 else {
      message = text.name
      return
    }
    var name = text.upTo(end)
    if name.ends(with: "]"), let open = name.find(" [") {
      code = name.part((open + 2)..<(name.byteCount - 1)).name
      name = name.upTo(open)
    }
    type = name.name
    if end + 1 < text.byteCount { message = text.from(end + 1).trimmed.name }
  }
}
