internal import Bytes
internal import CrashModel

/// An exception of .NET or Mono as `Exception.ToString()` writes it, parsed line by line.
///
///     Type: message ---> Inner: its message         or, since .NET Core 3, the inner one in a line of its own
///      ---> Inner: its message
///        at Method(ArgType name) in FILE:line N     the innermost exception's stack
///        --- End of inner exception stack trace ---
///        at Method()                                the stack of the one around it
///     --- End of stack trace from previous location ---
///        at Method()                                the same stack continued elsewhere
///      ---> (Inner Exception #1) Type: message      of an AggregateException
///        at Method()<---
///
/// The words `at`, `in`, `line` and those between dashes are in the system's language.
///
/// Source: Exception.ToString and AggregateException.ToString of dotnet/runtime.
struct DotNetTrace {
  /// Nested exceptions.
  private static let depth = 64
  private static let messageLines = 256

  private struct Level {
    var exception: LanguageException
    var code: String?
    /// Whether `<---` ends it.
    var isListed = false
  }

  /// The outermost first.
  private var levels: [Level] = []
  private var messageLines = 0
  /// Whether the last line was part of a message.
  private var isMessage = true
  private var emptyLines = 0
  private var budget = StackBudget()
  private(set) var frameCount = 0

  /// - Parameter header: `Type: message`, perhaps with inner ones after it.
  init(header: RawSpan) { push(header, isListed: false) }

  private init(of exception: LanguageException) { levels = [Level(exception: exception)] }

  /// A stack without an exception.
  init() { self.init(of: LanguageException()) }

  /// Takes a line without surrounding blanks.
  ///
  /// - Returns: Whether it belongs to the trace.
  mutating func read(_ line: RawSpan, isIndented: Bool) -> Bool {
    var line = line
    let closes = line.ends(with: "<---")
    if closes { line = line.upTo(line.byteCount - 4).trimmed }
    guard readPart(line, isIndented: isIndented, closes: closes) else { return false }
    if closes { closeListed() }
    return true
  }

  private mutating func readPart(_ line: RawSpan, isIndented: Bool, closes: Bool) -> Bool {
    guard line.byteCount > 0 else {
      // A message may have empty lines; after a stack they end the trace, except in lists of causes.
      emptyLines += 1
      return closes || emptyLines < (isMessage ? 8 : 2)
    }
    if case .dotNet? = ManagedFrameShape(line), let frame = ManagedStackText.frame(line.name) {
      add(frame)
      return true
    }
    if line.has("---> ") {
      readCause(line.from(5))
      return true
    }
    if line.has("--- "), line.ends(with: " ---") {
      if isEndOfInner(line, isIndented: isIndented) { close() }
      isMessage = false
      emptyLines = 0
      return true
    }
    guard isMessage, messageLines < Self.messageLines, let last = levels.indices.last else {
      return false
    }
    messageLines += 1
    // The cause may follow the last line of a message.
    let arrow = line.find(" ---> ").flatMap { DotNetType(line.from($0 + 6)) != nil ? $0 : nil }
    let text =
      String(repeating: "\n", count: emptyLines + 1) + line.upTo(arrow ?? line.byteCount).name
    emptyLines = 0
    levels[last].exception.message = ((levels[last].exception.message ?? "") + text)
      .cut(FormatLimits.nameBytes)
    if let arrow { push(line.from(arrow + 6), isListed: false) }
    return true
  }

  private mutating func add(_ frame: Frame) {
    isMessage = false
    emptyLines = 0
    guard let last = levels.indices.last, budget.takeFrame() else { return }
    frameCount += 1
    levels[last].exception.frames.append(frame)
  }

  /// `Type: message` or `(Inner Exception #0) Type: message`.
  private mutating func readCause(_ line: RawSpan) {
    emptyLines = 0
    if line.has("(Inner Exception #"), let end = line.find(") ") {
      push(line.from(end + 2), isListed: true)
    } else {
      push(line, isListed: false)
    }
  }

  /// Opens the exceptions of a line.
  private mutating func push(_ header: RawSpan, isListed: Bool) {
    isMessage = true
    messageLines = 0
    var rest = header
    var isFirst = true
    while rest.byteCount > 0 {
      var end = rest.byteCount
      var next = rest.byteCount
      if let arrow = rest.find(" ---> "), DotNetType(rest.from(arrow + 6)) != nil {
        end = arrow
        next = arrow + 6
      }
      let part = rest.upTo(end).trimmed
      rest = rest.from(next)
      guard levels.count < Self.depth, budget.takeException() else { continue }
      var level = Level(exception: LanguageException(), isListed: isListed && isFirst)
      if let type = DotNetType(part) {
        level.exception.type = type.name
        level.code = type.code
        let message = part.from(type.end).trimmed
        if message.byteCount > 0 { level.exception.message = message.name }
      } else {
        level.exception.message = part.name
      }
      levels.append(level)
      isFirst = false
    }
  }

  private func isEndOfInner(_ line: RawSpan, isIndented: Bool) -> Bool {
    if line.contains("inner exception") { return true }
    if line.contains("previous location") || line.contains("exception was thrown") { return false }
    // Other languages: the runtime indents this line alone.
    return isIndented
  }

  /// Ends the innermost exception: it is the cause of the one around it.
  private mutating func close() {
    guard levels.count > 1, let last = levels.popLast(), let outer = levels.indices.last else {
      return
    }
    // Frameworks print the first cause of several twice.
    guard !levels[outer].exception.inner.contains(last.exception) else { return }
    levels[outer].exception.inner.append(last.exception)
  }

  private mutating func closeListed() {
    isMessage = false
    guard levels.contains(where: { $0.isListed }) else { return }
    while let last = levels.last, levels.count > 1 {
      close()
      if last.isListed { return }
    }
  }

  /// The outermost exception, its code, and a note about what was left out.
  consuming func finished() -> (exception: LanguageException?, code: String?, note: String?) {
    while levels.count > 1 { close() }
    return (levels.first?.exception, levels.first?.code, budget.note)
  }
}

/// The type at the start of an exception's line: ``Shop.Failed`1[System.Int32] (0x80004005)``.
struct DotNetType {
  let name: String
  let code: String?
  /// Where the message begins.
  let end: Int

  init?(_ line: RawSpan) {
    var index = 0
    var depth = 0
    while index < min(line.byteCount, 1024) {
      let byte = line.byte(index)
      if byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "]") {
        guard depth > 0 else { break }
        depth -= 1
      } else if depth == 0, !Self.isName(byte) {
        break
      }
      index += 1
    }
    guard depth == 0, index > 2,
      ExceptionLine.isType(line.upTo(index).upTo(line.find("`") ?? index))
    else { return nil }
    name = line.upTo(index).name
    var code: String?
    if line.has(" (", at: index), let close = line.find(UInt8(ascii: ")"), from: index),
      close - index < 16, line.byteOrZero(close + 1) == UInt8(ascii: ":")
    {
      code = line.part((index + 2)..<close).name
      index = close + 1
    }
    self.code = code
    guard index == line.byteCount || line.byte(index) == UInt8(ascii: ":") else {
      return nil
    }
    end = min(index + 1, line.byteCount)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "`") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
  }
}
