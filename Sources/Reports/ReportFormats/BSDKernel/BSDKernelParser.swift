internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report of a BSD kernel line by line.
struct BSDKernelParser {
  var report = CrashReport(format: .bsdKernel)
  let kind: Headline.Kind
  /// The text of the first line, and the text after a trap.
  var words: String
  var panicWords: String?
  /// The description of the trap before the panic of the first line.
  private var trapWords: String?
  var system: BSDSystem?
  var locks: [String] = []
  var registers: [Register] = []
  var isListingRegisters = false
  /// The instruction that failed, as the trap gives it.
  var instruction: UInt64?
  /// The position at which the kernel's debugger stopped.
  private var stopped: BSDFrameLine?
  private var thread: UInt64?

  // Stacks.
  private(set) var stacks: [BSDKernelStack] = []
  private var hasOpenStack = false
  private var heading: String?
  private var nextTask: BSDKernelTask?
  private var isExactNext = false
  private var exactAddress: UInt64?
  /// A line that fills the console's width, so that its end may be in the next one.
  private var wrapped = ""
  private var droppedFrames = 0
  private var uselessLines = 0
  /// Lines since the one before the report that describes the trap.
  private var linesSinceTrap = Self.trapLines
  private var isComplete = false

  /// The most consecutive irrelevant lines: the debugger's lists of processes.
  private static let uselessLimit = 2000
  /// The most lines between the trap and the panic that it leads to.
  private static let trapLines = 64

  init(_ kind: Headline.Kind, _ line: RawSpan) {
    self.kind = kind
    words = line.name
    if let found = line.find("panic: "), kind == .bsdPanic || kind == .bsdFollowUp {
      words = line.from(found + 7).name
    }
    if kind == .openBSDTrap { system = .openBSD }
    if kind == .netBSDTrap { system = .netBSD }
    if kind == .bsdLockOrder { report.kind = .handled }
    report.process.name = "kernel"
  }

  // MARK: Lines

  /// Takes a line from before the first one: the trap, or the system that was started.
  mutating func takeBefore(_ line: RawSpan) {
    let text = line.from(BSDKernelLine.content(line)).trimmed
    linesSinceTrap += 1
    if text.has("uvm_fault(") {
      forgetTrap()
      readFault(text)
    } else if text.has("fatal "), text.ends(with: " in supervisor mode") {
      trapWords = text.name
      linesSinceTrap = 0
    } else if text.has("Fatal data abort") {
      forgetTrap()
    } else if linesSinceTrap < Self.trapLines {
      readFact(text)
    }
    readRelease(text)
  }

  private mutating func forgetTrap() {
    linesSinceTrap = 0
    registers = []
    report.reason.address = nil
  }

  /// `FreeBSD 13.0-RELEASE #0 releng/13.0-n244733: Fri Apr  9`, when the system starts.
  private mutating func readRelease(_ text: RawSpan) {
    for known in BSDSystem.allCases where text.has(known.releaseMark) {
      let rest = text.from(known.releaseMark.utf8CodeUnitCount)
      guard rest.byteOrZero(0).isDigit else { continue }
      system = known
      report.app.version = rest.upTo(rest.find(32) ?? rest.byteCount).name
      if let number = rest.find("#") {
        let build = rest.from(number)
        report.app.build =
          build.upTo(build.find(UInt8(ascii: ":")) ?? build.find(32) ?? build.byteCount).name
      }
    }
  }

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    let text = line.from(BSDKernelLine.content(line)).trimmed
    guard !isComplete else { return false }
    // Consoles may write carriage returns after line feeds.
    guard text.byteCount > 0 else { return true }
    if let trap = trapWords, linesSinceTrap < Self.trapLines, panicWords == nil {
      panicWords = words
      words = trap
    }
    trapWords = nil
    if !wrapped.isEmpty {
      let start = wrapped
      wrapped = ""
      let joined = ByteView((start + text.name).utf8)
      if text.find(32) == nil, text.byteCount < 80, BSDFrameLine(joined.bytes) != nil {
        takeText(joined.bytes)
        return !isComplete
      }
      let whole = ByteView(start.utf8)
      takeText(whole.bytes)
    }
    // The debugger breaks its lines at the console's width.
    if text.byteCount >= 78, text.byteCount <= 80, text.contains(") at ") {
      wrapped = text.name
      return true
    }
    takeText(text)
    return !isComplete
  }

  private mutating func takeText(_ text: RawSpan) {
    guard text.byteCount > 0 else { return }
    uselessLines += 1
    if readFrame(text) || readStackMark(text) || readStopped(text) || readFact(text) {
      uselessLines = 0
      return
    }
    if text.has("panic: ") { panicWords = panicWords ?? text.from(7).name }
    if text.has("---<<BOOT>>---") || text.has("Copyright (c) ") || uselessLines > Self.uselessLimit
    {
      isComplete = true
    }
    heading = text.ends(with: ":") ? text.name : nil
  }

  // MARK: Stacks

  private mutating func readFrame(_ text: RawSpan) -> Bool {
    guard let line = BSDFrameLine(text) else { return false }
    if let module = line.module, module == "netbsd" { system = .netBSD }
    if !hasOpenStack || line.isNumbered && text.has("#0 ") {
      guard stacks.count < FormatLimits.stacks else {
        droppedFrames += 1
        return true
      }
      stacks.append(BSDKernelStack(title: heading, task: nextTask))
      hasOpenStack = true
      nextTask = nil
    }
    heading = nil
    guard stacks[stacks.count - 1].frames.count < FormatLimits.framesPerStack else {
      droppedFrames += 1
      return true
    }
    var frame = Frame(
      address: line.address.map { Address($0) }, position: .returnAddress, function: line.function,
      file: line.file, line: line.line, inlined: line.isInlined)
    frame.symbolOffset = line.offset
    if !line.isInlined, isExactNext {
      frame.position = .exact
      frame.trust = .context
      frame.address = frame.address ?? exactAddress.map { Address($0) }
      (isExactNext, exactAddress) = (false, nil)
    } else if let stopped, line.offset != nil, stopped.offset == line.offset,
      stopped.function == line.function, stacks[stacks.count - 1].frames.isEmpty
    {
      frame.position = .exact
      frame.trust = .context
    }
    if line.isNumbered { stacks[stacks.count - 1].isNumbered = true }
    stacks[stacks.count - 1].modules.append(line.module)
    stacks[stacks.count - 1].frames.append(frame)
    // This form of the list continues with the caller of the function that trapped.
    if line.isNumbered, BSDFunctions.entries.contain(line.function), let instruction,
      kind == .bsdTrap, stacks.count == 1
    {
      var trapped = Frame(address: Address(instruction), position: .exact)
      trapped.trust = .context
      stacks[0].modules.append(nil)
      stacks[0].frames.append(trapped)
      self.instruction = nil
    }
    return true
  }

  private mutating func closeStack() {
    hasOpenStack = false
    (isExactNext, exactAddress) = (false, nil)
  }

  private mutating func readStackMark(_ text: RawSpan) -> Bool {
    if text.has("--- ") { return readTrapMark(text) }
    for (mark, known) in Self.stackMarks where text.contains(mark) {
      if system == nil { system = known }
      closeStack()
      heading = nil
      isListingRegisters = false
      return true
    }
    if text.has("ddb") || text.has("db>") || text.has("db{"), let prompt = text.upTo(12).find(">") {
      closeStack()
      let command = text.from(prompt + 1).trimmed
      isListingRegisters = command.has("show reg")
      if system == nil, text.has("ddb") { system = .openBSD }
      return true
    }
    guard let task = BSDKernelTask(text.name) else { return false }
    closeStack()
    nextTask = task
    return true
  }

  private static let stackMarks: [(mark: StaticString, system: BSDSystem?)] = [
    ("KDB: stack backtrace:", .freeBSD), ("Starting stack trace", .openBSD),
    ("Begin traceback", .netBSD), ("Trace beginning at frame", .dragonFly),
    ("stack backtrace:", nil), ("End traceback", nil), ("End of stack trace", nil),
    ("end of kernel", nil), ("end trace frame", nil),
  ]

  /// `--- trap 0xc, rip = 0xffffffff80b12345, rsp = … ---`, `--- trap (number 6) ---`, `--- syscall (198) ---`.
  private mutating func readTrapMark(_ text: RawSpan) -> Bool {
    guard hasOpenStack else { return false }
    if text.has("--- syscall") || text.has("--- trap 0, ") {
      closeStack()
      return true
    }
    guard text.has("--- trap") || text.has("--- interrupt") || text.has("--- exception") else {
      return false
    }
    isExactNext = true
    exactAddress = nil
    for name: StaticString in [" rip = ", " eip = ", " pc = "] {
      guard let found = text.find(name) else { continue }
      var index = found + name.utf8CodeUnitCount
      exactAddress = text.hexadecimal(at: &index)
      if exactAddress == nil || exactAddress == 0 { closeStack() }
    }
    return true
  }

  /// `Stopped at      db_enter+0x18:  addq    $0x8,%rsp`, `Stopped in pid 851.285 (tern) at netbsd:f+0x5: leave`.
  private mutating func readStopped(_ text: RawSpan) -> Bool {
    guard text.has("Stopped ") else { return false }
    closeStack()
    guard stopped == nil else { return true }
    if text.has("Stopped in pid "), let open = text.find("("), let close = text.find(")") {
      var index = 15
      report.process.pid = text.decimal(at: &index).flatMap { Int(exactly: $0) }
      if text.byteOrZero(index) == UInt8(ascii: ".") {
        index += 1
        thread = text.decimal(at: &index)
      }
      setTask(text.between(open + 1, close).name)
    }
    guard let mark = text.find(" at ") else { return true }
    let location = text.from(mark + 4).trimmed
    // The frame's own form, with the instruction after the colon.
    let end = location.find(":\t") ?? location.find(": ") ?? location.byteCount
    let words = ByteView((".() at " + location.upTo(end).name).utf8)
    stopped = BSDFrameLine(words.bytes)
    return true
  }

  mutating func setTask(_ name: String) {
    if report.tags[.panicTask] == nil, !name.isEmpty { report.tags[.panicTask] = name }
  }

  mutating func setThread(_ id: UInt64?) { thread = thread ?? id }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    let main = takeMainStack()
    let system = system
    report.app.name = system?.name ?? "BSD"
    report.os.name = report.app.name
    report.os.version = report.app.version
    var stackList = stacks
    if let main {
      var thread = CrashThread(
        index: 0, id: thread, name: report.tags[.panicTask], crashed: true, registers: registers)
      thread.frames = frames(of: main)
      report.threads = [thread]
      report.crashedThread = 0
      stackList.removeAll { $0.task == nil && $0.title == nil && $0.shares(main) }
    }
    for stack in stackList {
      if let task = stack.task {
        report.threads.append(
          CrashThread(
            index: report.threads.count, id: task.thread, name: task.name, frames: frames(of: stack)
          ))
      } else {
        report.otherStacks.append(
          NamedStack(title: stack.title ?? "trace", frames: frames(of: stack)))
      }
    }
    let event = BSDKernelEvent(
      kind, words: words, system: system, locks: locks,
      functions: main?.functions ?? [], stopped: stopped?.function,
      isNumbered: main?.isNumbered ?? false)
    report.reason.type = event.type
    report.tags[.title] = event.title
    if let function = event.function, report.kind != .handled {
      report.tags[.kernelFunction] = function
    }
    report.reason.message = words
    if let panicWords {
      report.reason.message = words + "\npanic: " + panicWords
      report.tags[.panic] = panicWords
    }
    if droppedFrames > 0 {
      report.notes.append("\(droppedFrames) frames beyond a limit were left out")
    }
    return report
  }

  /// The stack that the report is about: the first without a task of its own.
  private mutating func takeMainStack() -> BSDKernelStack? {
    // Witness prints where the order of the locks was seen before.
    guard let index = stacks.firstIndex(where: { $0.task == nil && $0.title == nil }) else {
      guard let stopped else { return nil }
      var frame = Frame(position: .exact, function: stopped.function, trust: .context)
      frame.symbolOffset = stopped.offset
      return BSDKernelStack(frames: [frame], modules: [stopped.module])
    }
    var main = stacks.remove(at: index)
    // A trap that stopped the debugger, which was not asked for a trace.
    if let stopped, main.frames.first?.position != .exact,
      kind == .openBSDTrap || kind == .netBSDTrap,
      main.frames.first?.function != stopped.function
    {
      var frame = Frame(position: .exact, function: stopped.function, trust: .context)
      frame.symbolOffset = stopped.offset
      main.frames.insert(frame, at: 0)
      main.modules.insert(stopped.module, at: 0)
    }
    return main
  }

  /// The frames of a stack, with their images.
  private mutating func frames(of stack: BSDKernelStack) -> [Frame] {
    var frames = stack.frames
    for index in frames.indices {
      frames[index].image = image(stack.modules[index] ?? system?.kernel ?? "kernel")
    }
    for index in frames.indices.reversed() where frames[index].inlined {
      if index + 1 < frames.count {
        frames[index].address = frames[index].address ?? frames[index + 1].address
      } else {
        frames[index].inlined = false
      }
    }
    return frames
  }

  private mutating func image(_ name: String) -> Int {
    // At most about six modules, except in hostile text.
    if let index = report.images.firstIndex(where: { $0.name == name }) { return index }
    guard report.images.count < 256 else { return 0 }
    report.images.append(LoadedImage(name: name))
    return report.images.count - 1
  }
}
