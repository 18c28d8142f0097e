internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a tombstone line by line.
struct TombstoneParser {
  private enum Block {
    /// Registers may follow.
    case head
    case backtrace
    case otherStack
    case memoryMap
    case buildIDs
    case javaStack
    case other
  }

  private var header = AndroidHeader(CrashReport(format: .androidTombstone))
  private var images = AndroidImages()
  private var threads: [CrashThread] = []
  private var otherStacks: [NamedStack] = []
  private var reason = CrashReason()
  private var block = Block.head
  private var crashedID: UInt64?
  private var causes: [String] = []
  /// The message, while its lines continue.
  private var message: String?
  private var isMessageOpen = false
  private var hasCrash = false
  private var leftOut = 0
  private var leak: String?
  /// Whether another tool symbolicated the frames, inlined calls included.
  private var hasExpandedCalls = false
  /// A name that `ndk-stack` found for the last frame, before the line with its location.
  private var expandedName: String?
  /// Whether the last frame has such a name already: further names are of calls inlined there.
  private var isExpanded = false

  /// Whether more than a fingerprint was read.
  var isReport: Bool { hasCrash || threads.contains { !$0.frames.isEmpty } }

  /// Whether xCrash wrote it, which continues after the log.
  var isXCrash: Bool { header.isXCrash }

  /// The lines that xCrash prints before the fingerprint.
  mutating func readBefore(_ line: RawSpan) { _ = header.read(line) }

  mutating func read(_ line: RawSpan) {
    if isMessageOpen {
      continueMessage(line)
      return
    }
    guard line.byteCount > 0 else {
      // Some tools put a blank line after every line of a stack.
      if block != .head && block != .backtrace && block != .otherStack { block = .other }
      return
    }
    switch line.byte(0) {
    case UInt8(ascii: "#"):
      if readFrame(line) { return }
    case UInt8(ascii: "p"):
      if readThread(line) { return }
    case UInt8(ascii: "-"):
      if line.has("--- ---") { return }
    default: break
    }
    if readHeading(line) { return }
    switch block {
    case .head: if !readRegisters(line) { _ = header.read(line) }
    case .buildIDs: readBuildID(line)
    case .javaStack: readJava(line)
    case .backtrace where readExpanded(line): break
    case .memoryMap, .other, .backtrace, .otherStack:
      if threads.count <= 1 { _ = header.read(line) }
    }
  }

  /// Reads the lines of `ndk-stack` under a frame: the names of functions and their locations alternate, the
  /// innermost inlined call first.
  private mutating func readExpanded(_ line: RawSpan) -> Bool {
    guard let thread = threads.indices.last, let last = threads[thread].frames.indices.last,
      threads[thread].frames[last].image != nil || isExpanded
    else { return false }
    let location = SourceLocation(line)
    guard let name = expandedName else {
      guard !location.hasNumber, line.byteCount < 4096, line.find(": ") == nil else { return false }
      expandedName = line.has("??") ? "" : line.name
      return true
    }
    expandedName = nil
    guard location.hasNumber, !name.isEmpty else { return location.hasNumber }
    if isExpanded {
      guard hasRoom(threads[thread].frames) else { return true }
      threads[thread].frames[last].inlined = true
      threads[thread].frames.append(threads[thread].frames[last])
      threads[thread].frames[last + 1].inlined = false
    }
    isExpanded = true
    let index = threads[thread].frames.count - 1
    threads[thread].frames[index].function = name
    threads[thread].frames[index].symbolOffset = nil
    threads[thread].frames[index].file = location.file
    threads[thread].frames[index].line = location.line
    threads[thread].frames[index].column = location.column
    return true
  }

  // MARK: Threads

  /// `pid: 9850, tid: 9893, name: UsbFfs-worker  >>> /system/bin/adbd <<<`.
  private mutating func readThread(_ line: RawSpan) -> Bool {
    guard line.has("pid: ") else { return false }
    var position = 5
    guard let pid = line.decimal(at: &position) else { return false }
    let process = line.find(">>> ").map { start -> String in
      let end = line.findLast(" <<<") ?? line.byteCount
      return line.part(start + 4..<max(end, start + 4)).trimmed.name
    }
    var thread = CrashThread(index: threads.count)
    if line.has(", tid: ", at: position) {
      position += 7
      thread.id = line.decimal(at: &position)
      if line.has(", name: ", at: position) {
        let name = line.from(position + 8)
        let end = name.findLast(">>> ") ?? name.byteCount
        thread.name = Self.known(name.upTo(end).trimmed.name)
      }
    }
    block = .head
    // Several lines may name a thread: a header, and its own heading.
    if threads.count == 1, threads[0].id == nil, threads[0].frames.isEmpty {
      thread.registers = threads[0].registers
      threads.removeAll()
    }
    if threads.isEmpty {
      header.report.process.pid = Int(exactly: pid)
      if let process { header.setProcess(process) }
    }
    append(thread)
    return true
  }

  private static func known(_ text: String) -> String? {
    text.isEmpty || text == "<unknown>" ? nil : text
  }

  private mutating func append(_ thread: CrashThread) {
    guard threads.count < FormatLimits.stacks else {
      leftOut += 1
      return
    }
    var thread = thread
    thread.crashed = threads.isEmpty
    threads.append(thread)
  }

  private mutating func startThread() {
    if threads.isEmpty { append(CrashThread(index: 0)) }
  }

  /// `r0  00000000  r1  000026a5`: alternating names and hexadecimal numbers.
  private mutating func readRegisters(_ line: RawSpan) -> Bool {
    var position = 0
    var found: [Register] = []
    while position < line.byteCount {
      let start = position
      while position < line.byteCount, line.byte(position).isLetter || line.byte(position).isDigit {
        position += 1
      }
      let name = line.part(start..<position)
      guard name.byteCount > 0, name.byteCount < 8, line.byteOrZero(position).isBlank else {
        return false
      }
      position = line.skippingBlanks(from: position)
      let digits = position
      guard let value = line.hexadecimalDigits(at: &position), position - digits >= 8,
        position == line.byteCount || line.byte(position).isBlank
      else {
        // Vector registers are wider than an address.
        return position - digits > 16 && !found.isEmpty
      }
      found.append(Register(name.name, value))
      position = line.skippingBlanks(from: position)
    }
    guard !found.isEmpty else { return false }
    startThread()
    let last = threads.count - 1
    let room = FormatLimits.registers - threads[last].registers.count
    threads[last].registers += found.prefix(max(0, room))
    return true
  }

  private mutating func readFrame(_ text: RawSpan) -> Bool {
    // Stacks outside the threads were captured by a call, not by a signal.
    let isOther = block == .otherStack
    let isFirst = !isOther && leak == nil && threads.last?.frames.isEmpty ?? true
    guard let frame = frame(text, isFirst: isFirst) else { return false }
    guard isOther || block == .backtrace || block == .head else { return true }
    expandedName = nil
    isExpanded = false
    if isOther {
      guard let last = otherStacks.indices.last, hasRoom(otherStacks[last].frames) else {
        return true
      }
      otherStacks[last].frames.append(frame)
      return true
    }
    startThread()
    block = .backtrace
    let last = threads.count - 1
    if hasRoom(threads[last].frames) { threads[last].frames.append(frame) }
    return true
  }

  private mutating func hasRoom(_ frames: [Frame]) -> Bool {
    if frames.count < FormatLimits.framesPerStack { return true }
    leftOut += 1
    return false
  }

  /// A frame as the unwinder prints it, or as symbolicating tools print it: `#0 0x0003a1b0 in tgkill
  /// /bionic/libc/tgkill.S:9`, where the number is counted from the start of a file that they leave out.
  private mutating func frame(_ text: RawSpan, isFirst: Bool) -> Frame? {
    if let line = AndroidFrameLine(text) { return line.frame(in: &images, isFirst: isFirst) }
    // Such tools may leave the heading out.
    let isStack = block == .backtrace || block == .otherStack || block == .head && hasCrash
    guard isStack, text.contains(" in "), let line = SanitizerFrame(text),
      let function = line.function
    else { return nil }
    hasExpandedCalls = true
    return Frame(
      address: line.address.map { Address($0) }, position: isFirst ? .exact : .adjusted,
      function: function, symbolOffset: line.symbolOffset, file: line.file, line: line.line,
      column: line.column)
  }

  // MARK: Lines that begin a block or stand alone

  private mutating func readHeading(_ line: RawSpan) -> Bool {
    if line.has("signal ") { return readSignal(line.from(7)) }
    if line.has("Cause: ") {
      if causes.count < 16 { causes.append(line.from(7).name) }
      return true
    }
    if line.has("Abort message: ") {
      startMessage(line.from(15))
      return true
    }
    if line.has("backtrace:") {
      if block != .otherStack { block = .backtrace }
      return true
    }
    if line.has("deallocated by thread ") || line.has("allocated by thread ")
      || line.has("Guest thread information for tid")
    {
      startOtherStack(line)
      return true
    }
    if line.has("memory map") {
      block = .memoryMap
      return true
    }
    if line.has("build id:") {
      block = .buildIDs
      return true
    }
    if line.has("java stacktrace:") {
      block = .javaStack
      startOtherStack("Java stack of the crashed thread", as: .javaStack)
      return true
    }
    if line.has("stack:") || line.has("memory near ") || line.has("code around ")
      || line.has("open files")
    {
      block = .other
      return true
    }
    if line.contains(" bytes unreachable at ") {
      startLeak()
      return true
    }
    return false
  }

  private mutating func startOtherStack(_ line: RawSpan) {
    let end = line.ends(with: ":") ? line.byteCount - 1 : line.byteCount
    startOtherStack(line.upTo(end).name, as: .otherStack)
  }

  private mutating func startOtherStack(_ title: String, as block: Block) {
    guard otherStacks.count < FormatLimits.stacks else {
      leftOut += 1
      self.block = .other
      return
    }
    otherStacks.append(NamedStack(title: title, frames: []))
    self.block = block
  }

  private mutating func readSignal(_ line: RawSpan) -> Bool {
    guard let signal = TombstoneSignal(line) else { return false }
    hasCrash = true
    reason.signal = signal.name
    reason.code = signal.code
    reason.address = signal.address
    if let sender = signal.sender { header.report.tags[.signalSender] = sender }
    return true
  }

  /// `11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18 in tid 4719 (worker), pid 4711 (app.tern)`, and before
  /// Android 6 `11 (SIGSEGV) at 0x00000018 (code=1), thread 4719 (worker)`.
  mutating func readFatalSignal(_ line: RawSpan) {
    let end = line.find(" in tid ") ?? line.find(", thread ") ?? line.byteCount
    guard readSignal(line.upTo(end)) else { return }
    var thread = CrashThread(index: 0)
    thread.id = line.number(after: " in tid ") ?? line.number(after: ", thread ")
    thread.name = Self.bracketed(line.part(end..<line.byteCount))
    append(thread)
    guard let pid = line.find(", pid ") else { return }
    header.report.process.pid = line.number(after: ", pid ").flatMap { Int(exactly: $0) }
    if let name = Self.bracketed(line.from(pid)) { header.setProcess(name) }
  }

  /// The text in the first brackets.
  private static func bracketed(_ text: RawSpan) -> String? {
    guard let open = text.find("("), let close = text.find(")", from: open), close > open + 1 else {
      return nil
    }
    return text.part(open + 1..<close).name
  }

  /// `'TEXT'`, which may span several lines.
  private mutating func startMessage(_ text: RawSpan) {
    hasCrash = true
    let isClosed = text.byteCount > 1 && text.ends(with: "'")
    isMessageOpen = text.has("'") && !isClosed
    message = AndroidHeader.unquoted(text).name
  }

  private mutating func continueMessage(_ line: RawSpan) {
    // The message was cut off before its quote.
    if line.has("backtrace:") || line.has("r0 ") || line.has("x0 ") || line.has("eax ")
      || line.has("rax ") || line.has("zero ") || line.has("#00 pc ")
    {
      isMessageOpen = false
      read(line)
      return
    }
    let isClosed = line.ends(with: "'")
    let text = (isClosed ? line.upTo(line.byteCount - 1) : line).name
    if (message?.utf8.count ?? 0) + text.utf8.count < AppleLimits.messageBytes {
      message = (message ?? "") + "\n" + text
    }
    isMessageOpen = !isClosed
  }

  // MARK: Tables

  /// `/data/app/x/lib/libtern.so (BuildId: 9f4b624c. FileSize: 55036. …)`, of xCrash.
  private mutating func readBuildID(_ line: RawSpan) {
    guard let start = line.find(" (BuildId: ") else { return }
    let id = line.from(start + 11)
    var end = 0
    while id.byteOrZero(end).hexadecimalDigit != nil { end += 1 }
    images.identify(path: line.upTo(start).name, as: id.upTo(end).name)
  }

  private mutating func readJava(_ line: RawSpan) {
    guard let frame = Frame(art: line), let last = otherStacks.indices.last,
      otherStacks[last].frames.count < FormatLimits.framesPerStack
    else { return }
    otherStacks[last].frames.append(frame)
  }

  // MARK: Leaks

  /// Reads the findings of `libmemunreachable`: `48 bytes in 2 unreachable allocations`.
  mutating func setLeak(_ text: String) {
    leak = text
    hasCrash = true
  }

  private mutating func startLeak() {
    if threads.isEmpty {
      append(CrashThread(index: 0))
      block = .backtrace
    } else {
      startOtherStack("another unreachable allocation", as: .otherStack)
    }
  }

  // MARK: The report

  consuming func finished() -> CrashReport {
    header.report.reason = reason
    if let message, !message.isEmpty { header.report.reason.message = message.cutMessage }
    if !causes.isEmpty {
      header.report.tags[.cause] = causes.joined(separator: "\n").cutMessage
    }
    var report = header.finished()
    if let leak {
      report.kind = .handled
      report.reason.type = "unreachable memory"
      report.reason.message = leak
      report.tags[.leak] = leak
    }
    // debuggerd also writes the stacks of a process that continues.
    if TombstoneSignal.isRequest(report.reason.signal) { report.kind = .other }
    let architecture = report.device.architecture
    report.images = images.images
    for index in report.images.indices { report.images[index].architecture = architecture }
    if hasExpandedCalls {
      for index in threads.indices { threads[index].frames.markInlinedCalls() }
    }
    report.threads = threads
    report.otherStacks = otherStacks.filter { !$0.frames.isEmpty }
    if !threads.isEmpty { report.crashedThread = 0 }
    if threads.first?.frames.isEmpty ?? true { report.notes.append("the report has no stack") }
    if leftOut > 0 { report.notes.append("\(leftOut) lines beyond a limit were left out") }
    if images.isFull {
      report.notes.append("only the first \(FormatLimits.images) images were read")
    }
    return report
  }
}
