internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a program's report of its own end line by line.
struct NativeLogParser {
  /// The classification of a line.
  enum LineResult {
    /// Part of the report.
    case taken
    /// Something else, which may be in between.
    case other
    /// The start of something else: the report has ended.
    case end
  }

  private enum Section { case words, stack, registers, map }

  private var report = CrashReport(format: .nativeLog)
  private var message: NativeMessage?
  private var frames: [NativeFrameLine] = []
  /// The stack that was printed before the signal's own.
  private var first: [NativeFrameLine] = []
  private var hasSignal = false
  private var registers: [Register] = []
  /// The program counter at the time of the signal.
  private var counter: UInt64?
  private var map = ProcessMapText()
  private var section = Section.words
  /// Whether the line before was a frame.
  private var followsFrame = false
  private var isV8 = false
  private var isOldestFirst = false
  private var budget = StackBudget()

  /// The most lines of other kinds between the parts of a report.
  var patience: Int {
    switch section {
    case .words: message == nil ? 4 : 12
    case .stack: hasSignal || message == nil ? 2 : 6
    case .registers, .map: 6
    }
  }

  var isComplete: Bool { section != .words || !frames.isEmpty }
  var hasFrames: Bool { !frames.isEmpty || !first.isEmpty }
  /// Whether it gives the reason why the program ended itself, without the resulting signal.
  var isMessage: Bool {
    !hasSignal && (message.map { $0.kind != .handled } ?? (report.kind != .crash))
  }

  /// Whether it is about the end of a child process.
  var isOfChild: Bool { message?.type == NativeMessage.gpuProcess }

  mutating func readHeadline(_ line: RawSpan, kind: Headline.Kind) {
    switch kind {
    case .nativeMessage:
      message = NativeMessage(line)
      isV8 = line.has("# Fatal ")
    case .fuzzerLimit: readLimit(line)
    default: _ = take(line)
    }
  }

  /// Takes a line before the headline: the nearest one comes last.
  mutating func takeBefore(_ line: RawSpan) {
    if line.has("F"), line.byteOrZero(1).isDigit, line.contains("] "), message == nil {
      message = NativeMessage(line)
    } else if readSignalWords(line) {
      hasSignal = true
    } else if line.has("*** ") {
      let words = line.from(4).trimmed
      for (text, signal) in Self.signalWords where words.has(text) {
        report.reason.signal = signal
        hasSignal = true
      }
    } else if let mark = line.find("argv[0]: ") {
      let rest = line.from(mark + 9)
      setProgram(rest.upTo(rest.find(32) ?? rest.byteCount).name)
    }
  }

  // MARK: Lines

  mutating func take(_ line: RawSpan) -> LineResult {
    let isBelowFrame = followsFrame
    followsFrame = false
    if line.byteCount == 0 { return .taken }
    if Self.isOfAnother(line) { return .end }
    if section == .map {
      if Self.isMapping(line) {
        map.read(line)
        return .taken
      }
      section = .registers
    }
    if let frame = NativeFrameLine(line) { return add(frame) }
    if hasSignal, let frame = NativeFrameLine(lookedUp: line) { return add(frame) }
    if section != .words, hasSignal, Self.namesSignal(line) || Self.signal(in: line) != nil {
      return .end
    }
    // A failed check ends the program by `abort`.
    if message != nil, !frames.isEmpty, let signal = Self.signal(in: line), signal.number != 6 {
      return .end
    }
    if section == .stack, line.has("*** Check failure stack trace: ***") { return .end }
    if readSignal(line) || readHeading(line) { return .taken }
    if section == .stack, readContinuation(line, isBelowFrame: isBelowFrame) { return .taken }
    if isV8, readV8(line) { return .taken }
    if message != nil, !hasFrames, line.has("what():") {
      message?.addWhat(line)
      return .taken
    }
    if readRegisters(line) { return .taken }
    return .other
  }

  /// Whether the report of a sanitizer, a fuzzer or Android begins.
  private static func isOfAnother(_ line: RawSpan) -> Bool {
    line.has("*** *** ***") || line.has("==") && line.byteOrZero(2).isDigit
      || line.contains("Sanitizer:")
  }

  /// `00400000-00401000 r-xp 00000000 08:01 42 /opt/tern/tern`
  private static func isMapping(_ line: RawSpan) -> Bool {
    var position = 0
    guard line.hexadecimalDigits(at: &position) != nil, line.has("-", at: position) else {
      return false
    }
    position += 1
    return line.hexadecimalDigits(at: &position) != nil && line.byteOrZero(position).isBlank
  }

  private mutating func add(_ frame: NativeFrameLine) -> LineResult {
    if section == .registers, hasFrames { return .end }
    // Another stack begins without a heading.
    if frame.index == 0, let last = frames.last?.index, last > 0, !isOldestFirst { return .end }
    // An entry point has no caller.
    if frames.count > 1, !isOldestFirst, frames.last?.function == "_start" { return .end }
    if let form = frames.last?.form, form != frame.form, frame.form != .symbols, form != .symbols {
      return .end
    }
    section = .stack
    followsFrame = true
    if budget.takeFrame() { frames.append(frame) }
    return .taken
  }

  /// Reads a line that begins or ends a stack.
  private mutating func readHeading(_ line: RawSpan) -> Bool {
    if line.has("PC: @ ") {
      counter = NativeFrameLine(line.from(4).trimmed)?.address
      return true
    }
    if line.has("@ ... and ") {
      report.notes.append("the program left frames out")
      return true
    }
    if line.has("Stack trace (most recent call ") {
      isOldestFirst = line.contains(" last)")
      return true
    }
    if line.has("[end of stack trace]") || line.has("Calling _exit(") {
      section = .registers
      return true
    }
    if line.contains("Memory map: ===") || line.has("Memory map:") {
      section = .map
      return true
    }
    if line.has("Program arguments: ") || line.has("0.\tProgram arguments: ") {
      let words = line.from((line.find(": ") ?? 0) + 2).trimmed
      setProgram(words.upTo(words.find(32) ?? words.byteCount).name)
      return true
    }
    for heading in Self.headings where line.has(heading) { return true }
    return line.contains("==== C stack trace") || line.contains("stack trace: ***")
      || line.contains(" Backtrace: ====") || line.contains("==== backtrace")
  }

  private static let headings: [StaticString] = [
    "Backtrace:", "Stack trace:", "Stack dump", "Register dump:", "*** Check failure stack trace",
    "Stacktrace:", "backtrace:",
  ]

  /// Reads the location under a frame of folly's, and other lines that may be between frames.
  private mutating func readContinuation(_ line: RawSpan, isBelowFrame: Bool) -> Bool {
    guard let last = frames.indices.last else { return false }
    if isBelowFrame, frames[last].form == .at, frames[last].location == nil, line.find(32) == nil {
      let source = SourceLocation(line)
      if source.hasNumber, source.file?.contains("/") == true || source.file?.contains(".") == true
      {
        frames[last].setLocation(source)
        return true
      }
    }
    // Lines of source code under a frame.
    return frames[last].form == .backward
      && (line.has("> ") || line.byte(0).isDigit || line.has("Source \""))
  }

  private mutating func readV8(_ line: RawSpan) -> Bool {
    if line.has("# ") || line.has("#FailureMessage") || line.has("#") && line.byteCount == 1 {
      let words = line.from(1).trimmed
      if !words.has("FailureMessage Object:"), !words.has("Safely terminating") {
        message?.addV8(words)
      }
      return true
    }
    // ` 1: 0xb27abe4`, `16: __libc_start_main`
    var position = 0
    guard line.decimal(at: &position) != nil, line.has(": ", at: position) else { return false }
    let rest = line.from(position + 2).trimmed
    guard rest.byteCount > 0, budget.takeFrame() else { return true }
    section = .stack
    frames.append(NativeFrameLine(v8: rest))
    return true
  }

  // MARK: Signals

  private static let signalWords: [(StaticString, String)] = [
    ("Segmentation fault", "SIGSEGV"), ("Aborted", "SIGABRT"), ("Bus error", "SIGBUS"),
    ("Floating point exception", "SIGFPE"), ("Illegal instruction", "SIGILL"),
    ("Trace/breakpoint trap", "SIGTRAP"), ("Stack overflow", "SIGSEGV"),
  ]

  /// Whether another report begins.
  private static func namesSignal(_ line: RawSpan) -> Bool {
    line.has("*** Aborted at ") || line.has("*** SIG") || line.has("Received signal ")
      || line.has("Caught signal ") || line.contains(":FATAL:")
  }

  private mutating func readSignal(_ line: RawSpan) -> Bool {
    if line.has("*** Aborted at ") {
      guard !hasSignal else { return false }
      beginSignal()
      if let seconds = line.number(after: "Aborted at ").flatMap({ Int64(exactly: $0) }) {
        report.time = Timestamp(seconds: seconds)
      }
      return true
    }
    if line.has("*** SIG"), let mark = line.find(" received at time=") {
      beginSignal()
      report.reason.signal = line.between(4, mark).name
      if let seconds = line.number(after: " received at time=").flatMap({ Int64(exactly: $0) }) {
        report.time = Timestamp(seconds: seconds)
      }
      return true
    }
    if line.has("*** "), let mark = line.find(" received by PID ") {
      beginSignal()
      let words = line.between(4, mark)
      let name = words.from(words.find("SIG") ?? 0)
      report.reason.signal = name.name.prefix { $0.isLetter || $0.isNumber }.description
      report.reason.address = (words.number(after: "(@") ?? words.number(after: ") (")).map {
        Address($0)
      }
      report.process.pid = line.number(after: " received by PID ").flatMap { Int(exactly: $0) }
      if let open = line.find("(code: "), let close = line.find(")", from: open) {
        report.reason.code = line.between(open + 7, close).name
      }
      return true
    }
    return readSignalWords(line)
  }

  /// `Received signal 11 SEGV_MAPERR 000000000010`, `Caught signal 11 (Segmentation fault: …)`, `mysqld got
  /// signal 6 ;`, `Redis 6.2.1 crashed by signal: 11`, OpenMPI's `Signal: Segmentation fault (11)`.
  private mutating func readSignalWords(_ line: RawSpan) -> Bool {
    if line.has("Signal: "), line.ends(with: ")"), let open = line.findLast(UInt8(ascii: "(")) {
      var position = open + 1
      guard let number = line.decimal(at: &position) else { return false }
      setSignal(number)
      return true
    }
    if line.has("Signal code: ") {
      report.reason.code = line.from(13).name
      return true
    }
    if line.has("Failing at address: ") {
      report.reason.address = line.number(after: "address: ").map { Address($0) }
      return true
    }
    guard let signal = Self.signal(in: line) else { return false }
    let rest = line.from(signal.end).trimmed
    setSignal(signal.number)
    if signal.isReceived {
      let code = rest.upTo(rest.find(32) ?? rest.byteCount)
      if code.find(UInt8(ascii: "_")) != nil { report.reason.code = code.name }
      var digits = code.byteCount + 1
      report.reason.address = rest.hexadecimalDigits(at: &digits).map { Address($0) }
    }
    if let address = line.number(after: "at address ") { report.reason.address = Address(address) }
    return true
  }

  /// The signal that a program reports, and the end of its number.
  private static func signal(
    in line: RawSpan
  ) -> (number: UInt64, end: Int, isReceived: Bool)? {
    for words: StaticString in [
      "Received signal ", "Caught signal ", " got signal ", " crashed by signal: ",
    ] {
      guard let mark = line.find(words) else { continue }
      var position = mark + words.utf8CodeUnitCount
      guard let number = line.decimal(at: &position) else { continue }
      return (number, position, words.utf8CodeUnitCount == 16)
    }
    return nil
  }

  private mutating func setSignal(_ number: UInt64) {
    beginSignal()
    report.reason.signal = UInt32(exactly: number).flatMap { LinuxSignal.name($0) }
  }

  /// The stack of a failed check is repeated below the signal's handler.
  private mutating func beginSignal() {
    hasSignal = true
    if first.isEmpty, !frames.isEmpty {
      first = frames
      frames = []
    }
    section = .words
  }

  /// `  r8: 0000000008000000  r9: 000000000000b270`, catchsegv's ` RAX: 0000000000000000   RBX: …`.
  private mutating func readRegisters(_ line: RawSpan) -> Bool {
    var found: [Register] = []
    var position = 0
    while position < line.byteCount {
      guard let colon = line.find(UInt8(ascii: ":"), from: position), colon - position < 10,
        colon > position
      else { break }
      let name = line.between(position, colon).trimmed.name.lowercased()
      var digits = line.skippingBlanks(from: colon + 1)
      let start = digits
      guard let value = line.hexadecimalDigits(at: &digits), digits - start >= 8 else { break }
      found.append(Register(Self.registerName(name), value))
      position = line.skippingBlanks(from: digits)
    }
    guard !found.isEmpty else { return false }
    if hasSignal || hasFrames, registers.count + found.count <= FormatLimits.registers {
      registers += found
    }
    return true
  }

  /// Chromium leaves the first letter out.
  private static func registerName(_ name: String) -> String {
    switch name {
    case "di", "si", "bp", "bx", "dx", "ax", "cx", "sp", "ip": "r" + name
    case "efl", "rflags", "eflags": "rflags"
    default: name
    }
  }

  // MARK: Fuzzers' limits

  /// `========= Per-input timeout exceeded: 6 > 5 (sec); exiting`, of Centipede.
  private mutating func readLimit(_ line: RawSpan) {
    let end = line.find("; exiting") ?? line.byteCount
    let words = line.upTo(end).from(10).trimmed
    let isMemory = words.has("RSS")
    report.kind = isMemory ? .oom : .hang
    report.reason.type = isMemory ? "out-of-memory" : "timeout"
    report.reason.message = words.name
    section = .registers
  }

  // MARK: The report

  private mutating func setProgram(_ path: String) {
    guard !path.isEmpty, report.process.name == nil else { return }
    report.process.name = path.split(separator: "/").last.map(String.init) ?? path
    if path.contains("/") { report.process.path = path }
  }

  consuming func finished() -> CrashReport {
    if let message { setReason(message) }
    if report.reason.type == nil, report.reason.exception == nil, report.reason.signal == nil {
      report.reason.type = hasSignal ? "abort" : "stack trace"
    }
    if isOldestFirst { frames.reverse() }
    var images = NativeLogImages(map)
    let signal = images.frames(frames, counter: counter)
    let stack = first.isEmpty ? signal : images.frames(first, counter: nil)
    var locationFrames: [Frame] = []
    if stack.isEmpty, let location = message?.location, report.reason.exception == nil {
      locationFrames = [Frame(position: .adjusted, file: location.file, line: location.line)]
    }
    if !stack.isEmpty || !locationFrames.isEmpty || message?.thread != nil {
      report.threads = [
        CrashThread(
          index: 0, id: message?.thread, crashed: true, registers: registers,
          frames: stack.isEmpty ? locationFrames : stack)
      ]
      report.crashedThread = 0
    }
    if !first.isEmpty, !signal.isEmpty {
      report.otherStacks = [
        NamedStack(title: "received \(report.reason.signal ?? "a signal")", frames: signal)
      ]
    }
    images.locate(&report)
    if let note = budget.note { report.notes.append(note) }
    return report
  }

  private mutating func setReason(_ message: NativeMessage) {
    if report.kind == .crash { report.kind = message.kind }
    report.reason.exception = message.exception
    if message.exception == nil {
      report.reason.type = message.type
      report.reason.message = message.text
    }
    if report.reason.code == nil { report.reason.code = message.code }
    if report.process.pid == nil { report.process.pid = message.pid }
    if let program = message.program { setProgram(program) }
    if let location = message.location, let file = location.file {
      report.tags[.checkLocation] = location.line.map { "\(file):\($0)" } ?? file
    }
  }
}
