internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a Go report line by line.
struct GoPanicParser {
  private var report = CrashReport(format: .goPanic)
  private let kind: Headline.Kind
  private var counter = StackCounter()
  /// The panics in the order in which they were raised, without their stacks.
  private var panics: [LanguageException] = []
  /// Whether lines may still belong to the message of the last panic.
  private var isInWords = true
  /// The stack that is being read.
  private var target = Target.none
  private var pending: GoFrameLine?
  private var pendingIsCreator = false
  private var elided = 0

  private enum Target {
    case none, thread, other
  }

  init(_ kind: Headline.Kind) { self.kind = kind }

  // MARK: The words

  /// Reads the rest of the headline.
  mutating func begin(with line: RawSpan) {
    switch kind {
    case .goPanic: addPanic(line)
    case .goFatalError:
      report.reason.type = "fatal error"
      panics = [LanguageException(type: "fatal error", message: line.name)]
      if line.contains("out of memory") || line.contains("cannot allocate memory") {
        report.kind = .oom
      }
      if line.contains("all goroutines are asleep") { report.kind = .hang }
    case .goServer:
      report.kind = .handled
      // `ADDRESS: VALUE`
      addPanic(line.from(line.find(": ").map { $0 + 2 } ?? 0))
    case .goSignal:
      let colon = line.find(UInt8(ascii: ":")) ?? line.byteCount
      report.reason.type = line.upTo(colon).name
      report.reason.signal = report.reason.type
      report.reason.message = line.from(colon + 1).trimmed.name
      isInWords = false
      // Requested by a user, or by a supervisor after a timeout.
      if line.has("SIGQUIT") { report.kind = .other }
    default:
      report.kind = .other
      isInWords = false
      takeHeading(line)
    }
  }

  /// Adds text that the runtime prints before the headline.
  mutating func addWords(_ line: RawSpan) {
    guard let last = panics.indices.last else { return }
    panics[last].message = "\(panics[last].message ?? ""): \(line.name)"
  }

  private mutating func addPanic(_ line: RawSpan) {
    guard panics.count < FormatLimits.preludes * 4 else { return }
    report.reason.type = "panic"
    var text = line
    for mark: StaticString in [
      " [recovered, repanicked]", " [recovered, reraised]", " [recovered]",
    ] {
      if text.ends(with: mark) { text = text.upTo(text.byteCount - mark.utf8CodeUnitCount) }
    }
    var type = "panic"
    // `(main.Failure) {0x1, 0x2}`: a value that the runtime cannot print.
    if text.has("("), let close = text.find(UInt8(ascii: ")")), close > 2,
      text.byteOrZero(close + 1) == 32,
      text.upTo(close).find(32) == nil
    {
      type = text.between(1, close).name
    }
    panics.append(LanguageException(type: type, message: text.name))
    isInWords = true
  }

  private mutating func takeWords(_ line: RawSpan) {
    guard let last = panics.indices.last else { return }
    let text = panics[last].message ?? ""
    guard text.utf8.count + line.byteCount < FormatLimits.nameBytes else { return }
    panics[last].message = text + "\n" + line.name
  }

  // MARK: Lines

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    if takeHeading(line) { return true }
    if line.has("[signal "), report.threads.isEmpty {
      readSignal(line.from(8))
      isInWords = false
      return true
    }
    if isInWords, report.threads.isEmpty {
      if line.has("panic: ") {
        addPanic(line.from(7).trimmed)
      } else if line.byteCount > 0 || !panics.isEmpty {
        takeWords(line)
      }
      return true
    }
    if line.has("exit status "), !report.threads.isEmpty {
      finishCall()
      return false
    }
    if target != .none {
      takeCall(line)
    } else {
      takeRegister(line)
    }
    return true
  }

  /// Takes a line if a stack begins with it.
  @discardableResult
  private mutating func takeHeading(_ line: RawSpan) -> Bool {
    if line.has("runtime stack:") {
      finishCall()
      isInWords = false
      target = .other
      if counter.addsStack() {
        report.otherStacks.append(NamedStack(title: "runtime stack", frames: []))
      } else {
        target = .none
      }
      return true
    }
    var position = 10
    guard line.has("goroutine "), let number = line.decimal(at: &position) else { return false }
    // Since 1.24, threads of the scheduler may be in between: `goroutine 1 gp=0xc000002380 m=0 mp=0x55…`.
    guard let open = line.find("[", from: position), line.ends(with: "]:"), open - position < 128
    else { return false }
    finishCall()
    isInWords = false
    guard counter.addsStack() else {
      target = .none
      return true
    }
    target = .thread
    report.threads.append(
      CrashThread(
        index: Int(exactly: number) ?? report.threads.count,
        name: line.between(open + 1, line.byteCount - 2).name))
    return true
  }

  /// `SIGSEGV: segmentation violation code=0x1 addr=0x20 pc=0x483024]`, before Go 1.9 `0xb code=…`.
  private mutating func readSignal(_ line: RawSpan) {
    var position = 0
    if line.has("SIG") {
      let end = line.find(UInt8(ascii: ":")) ?? line.find(32) ?? line.byteCount
      report.reason.signal = line.upTo(end).name
    } else if let number = line.hexadecimal(at: &position), let value = UInt32(exactly: number) {
      report.reason.signal = LinuxSignal.name(value) ?? WindowsException.name(value, parameters: [])
    }
    if let code = line.number(after: "code=").flatMap({ Int32(exactly: $0) }) {
      switch report.reason.signal {
      case "SIGSEGV": report.reason.code = LinuxSignal.code(code, of: 11)
      case "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP":
        report.reason.code = "0x" + String(code, radix: 16)
      default: break
      }
    }
    report.reason.address = line.number(after: "addr=").map(Address.init)
  }

  /// `rax    0xfffffffffffffffc`, printed at the end for an unexpected signal.
  private mutating func takeRegister(_ line: RawSpan) {
    guard let first = report.threads.indices.first, line.byteCount < 64,
      let blank = line.find(32), blank > 0, blank < 8
    else { return }
    var position = line.skippingBlanks(from: blank)
    guard let value = line.hexadecimal(at: &position), position == line.byteCount,
      report.threads[first].registers.count < FormatLimits.registers
    else { return }
    report.threads[first].registers.append(Register(line.upTo(blank).name, value))
  }

  // MARK: Calls

  private mutating func takeCall(_ line: RawSpan) {
    if var call = pending {
      if call.addLocation(line) {
        pending = call
        finishCall()
        return
      }
      if call.needsLocation { pending = nil } else { finishCall() }
    }
    if line.has("created by ") {
      var name = line.from(11)
      if let end = name.find(" in goroutine ") { name = name.upTo(end) }
      if let open = name.find("("), open > 0, name.byte(open - 1) != UInt8(ascii: ".") {
        name = name.upTo(open)
      }
      pending = GoFrameLine(name: name)
      pendingIsCreator = true
    } else if line.has("...") {
      // `...additional frames elided...`, `...27 frames elided...`
      elided += 1
    } else if line.byteCount == 0 || line.has("goroutine running on other thread") {
      if line.byteCount == 0 { target = .none }
    } else if let call = GoFrameLine(line) ?? GoFrameLine(foreign: line) {
      pending = call
      pendingIsCreator = false
    } else {
      target = .none
      takeRegister(line)
    }
  }

  private mutating func finishCall() {
    guard let call = pending else { return }
    pending = nil
    if call.needsLocation, call.frame.line == nil { return }
    if pendingIsCreator {
      guard let thread = report.threads.last, counter.addsStack() else { return }
      report.otherStacks.append(
        NamedStack(title: "goroutine \(thread.index) created by", frames: [call.frame]))
      target = .none
      return
    }
    switch target {
    case .none: break
    case .thread:
      let last = report.threads.count - 1
      counter.append(call.frame, to: &report.threads[last].frames)
    case .other:
      let last = report.otherStacks.count - 1
      counter.append(call.frame, to: &report.otherStacks[last].frames)
    }
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    finishCall()
    guard !report.threads.isEmpty else { return nil }
    var died = 0
    if kind == .goSignal, report.threads.count > 1, report.threads[0].index == 0 {
      // The scheduler's own stack is unrelated to the program's code.
      died = report.threads.firstIndex { $0.index == 1 } ?? 0
    }
    report.crashedThread = died
    report.threads[died].crashed = true
    for index in panics.indices {
      panics[index].message = panics[index].message.map(Self.withoutBlankEnd)
    }
    if let last = panics.indices.last {
      panics[last].frames = report.threads[died].frames
      report.reason.message = panics[last].message
      report.reason.exception = LanguageException.chain(panics.reversed())
    }
    if elided > 0 { report.notes.append("the runtime left out frames of \(elided) goroutines") }
    report.notes += counter.notes
    return report
  }

  private static func withoutBlankEnd(_ text: String) -> String {
    var text = Substring(text)
    while let last = text.utf8.last, last == 10 || last == 32 { text = text.dropLast() }
    return String(text)
  }
}
