internal import Bytes
internal import CrashModel

/// The stack of an uncaught exception and its predecessors.
struct PHPTrace {
  private var done: [LanguageException] = []
  private var exception = LanguageException()
  /// Functions with the line of their call.
  private var calls: [Frame] = []
  private var top: Frame?
  private var isMessage = true
  private var messageLines = 0
  private var isClosed = false
  private var budget = StackBudget()

  init(_ words: RawSpan) { begin(words) }

  private mutating func begin(_ words: RawSpan) {
    exception = LanguageException()
    calls = []
    top = nil
    isMessage = true
    messageLines = 0
    var text = words
    if let location = PHPLocation(endOf: words) {
      top = location.frame
      text = words.upTo(location.start).trimmed
    }
    if let colon = text.find(": ") {
      exception.type = text.upTo(colon).name
      exception.message = text.from(colon + 2).name
    } else {
      exception.type = text.name
    }
  }

  mutating func read(_ line: RawSpan) -> Bool {
    guard !isClosed else { return false }
    if line.byteCount == 0 { return true }
    if line.has("Stack trace:") {
      isMessage = false
      return true
    }
    if line.has("thrown in ") {
      isClosed = true
      return true
    }
    if line.has("Next "), !isMessage, done.count < 64 {
      done.append(closed())
      begin(line.from(5))
      return true
    }
    if line.has("#"), !isMessage { return readCall(line.from(1)) }
    guard isMessage, messageLines < 256, !RunnerLine.isOne(line) else { return false }
    messageLines += 1
    var text = line
    if let location = PHPLocation(endOf: line) {
      top = location.frame
      text = line.upTo(location.start)
    }
    exception.message = ((exception.message ?? "") + "\n" + text.name).cut(FormatLimits.nameBytes)
    return true
  }

  /// `0 /src/till.php(9): Tern\Basket->total(Array)`, `1 [internal function]: f()`, `2 {main}`.
  private mutating func readCall(_ line: RawSpan) -> Bool {
    var index = 0
    guard line.decimal(at: &index) != nil, line.byteOrZero(index) == 32 else { return false }
    let call = line.from(index + 1)
    var frame = Frame(position: .returnAddress)
    if call.has("{main}") {
      frame.function = "{main}"
    } else if call.has("[internal function]: ") {
      setName(call.from(21), of: &frame)
    } else if let mark = call.find("): "), let open = call.upTo(mark).findLast(UInt8(ascii: "(")) {
      frame.file = call.upTo(open).name
      var digits = open + 1
      frame.line = call.decimal(at: &digits).flatMap { Int(exactly: $0) }
      setName(call.from(mark + 3), of: &frame)
    } else {
      return false
    }
    if budget.takeFrame() { calls.append(frame) }
    return true
  }

  private func setName(_ name: RawSpan, of frame: inout Frame) {
    frame.function = name.upTo(name.find("(") ?? name.byteCount).name
  }

  private func closed() -> LanguageException {
    var exception = exception
    exception.frames = Self.shifted(calls, top: top)
    return exception
  }

  /// Each function with the line in it at which the next younger one was called.
  static func shifted(_ calls: [Frame], top: Frame?) -> [Frame] {
    var previous = top
    var frames: [Frame] = []
    for call in calls {
      var frame = Frame(position: .returnAddress, function: call.function)
      frame.file = previous?.file
      frame.line = previous?.line
      frames.append(frame)
      previous = call
    }
    // PHP's own functions have the line of their caller, or none.
    for index in frames.indices.dropLast() {
      let name = frames[index].function ?? ""
      guard !name.contains("\\"), !name.contains("->"), !name.contains("::") else { continue }
      let caller = frames[index + 1]
      if frames[index].file == nil
        || frames[index].file == caller.file && frames[index].line == caller.line
          && frames[index].function != caller.function
      {
        frames[index].inApp = false
      }
    }
    if frames.isEmpty, let top { frames = [top] }
    return frames
  }

  /// PHP prints the first cause first: the last exception is the uncaught one.
  consuming func finished() -> (exception: LanguageException, note: String?) {
    var result: LanguageException?
    for cause in done + [closed()] {
      var exception = cause
      if let result { exception.inner = [result] }
      result = exception
    }
    return (result ?? LanguageException(), budget.note)
  }
}
