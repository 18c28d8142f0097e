internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a sanitizer's report line by line.
struct SanitizerParser {
  private var head: SanitizerHeadline
  private var images = SanitizerImages()
  private var stacks: [NamedStack] = []
  private var registers: [Register] = []
  /// The last line before a stack that is not a frame.
  private var title = ""
  private var lastIndex: UInt64?
  private var lastWasInlinedCall = false
  private var linesSinceHeadline = 0
  private var threadName: String?
  private var access: String?
  private var leak: String?
  private var addressDescription: String?
  private var cause: String?
  private var summary: String?
  private var notes: [String] = []
  private var isInRegisters = false
  /// The last frame's line, before a location or a module ends it.
  private var wrapped: [UInt8] = []
  /// The number of lines in ``wrapped``.
  private var wrappedLines = 0
  private var droppedFrames = 0
  private var droppedStacks = 0
  /// UndefinedBehaviorSanitizer prints a stack only on request; frames further away belong to others.
  private let stackFollowsAtOnce: Bool

  init(_ head: SanitizerHeadline, stackFollowsAtOnce: Bool) {
    self.head = head
    self.stackFollowsAtOnce = stackFollowsAtOnce
  }

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    linesSinceHeadline += 1
    guard line.byteCount > 0 else {
      wrapped.removeAll()
      return true
    }
    if line.byte(0) == UInt8(ascii: "#"), let frame = SanitizerFrame(line) {
      if stackFollowsAtOnce, stacks.isEmpty, linesSinceHeadline > 8 { return false }
      // After the summary, other tools print stacks too.
      if summary != nil, isStart(frame), !stacks.isEmpty, !isHeadingOfRuntime(title) {
        return false
      }
      add(frame)
      wrapped.removeAll()
      wrappedLines = 0
      if frame.file == nil, frame.module == nil, line.byteCount < 4096 {
        for index in 0..<line.byteCount { wrapped.append(line.byte(index)) }
      }
      return true
    }
    if takeWrapped(line) { return true }
    let text = Self.withoutPID(line)
    if text.has("SUMMARY: ") {
      guard summary == nil else { return false }
      readSummary(text.from(9))
      linesSinceHeadline = 0
      title = ""
      return !stackFollowsAtOnce
    }
    if text.has("ABORTING") || (line.has("==================") && !stacks.isEmpty) { return false }
    if stackFollowsAtOnce, stacks.isEmpty, linesSinceHeadline > 8 { return false }
    guard summary == nil else {
      title = text.name
      return !stacks.isEmpty || linesSinceHeadline <= Self.linesToStack
    }
    read(text)
    return true
  }

  /// The most lines between a summary and a first stack: Fuchsia lists the modules in between.
  private static let linesToStack = 64

  /// Whether `heading` is a runtime's heading of a further stack of its report.
  private func isHeadingOfRuntime(_ heading: String) -> Bool {
    [
      " created by ", "allocated by ", "freed by ", "allocated from:", "created at:",
      "was stored to",
    ]
    .contains { heading.firstRange(of: $0) != nil }
  }

  /// Takes the rest of a frame that was wrapped at a blank: a name whose brackets are open, or the location
  /// after it.
  private mutating func takeWrapped(_ line: RawSpan) -> Bool {
    guard !wrapped.isEmpty, wrappedLines < 8, line.byteCount < 1024, stacks.last != nil,
      droppedStacks == 0, droppedFrames == 0
    else { return false }
    let isLocation =
      line.find(32) == nil && line.find(UInt8(ascii: "/")) != nil && SourceLocation(line).hasNumber
    let isOpen = Self.isOpen(unsafe wrapped.span.bytes)
    guard isLocation || isOpen, line.byte(line.byteCount - 1) != UInt8(ascii: ":"), !line.has("==")
    else {
      wrapped.removeAll()
      return false
    }
    wrappedLines += 1
    wrapped.append(32)
    for index in 0..<line.byteCount { wrapped.append(line.byte(index)) }
    guard let frame = SanitizerFrame(unsafe wrapped.span.bytes) else { return false }
    let stack = stacks.count - 1
    stacks[stack].frames.removeLast()
    stacks[stack].frames.append(made(frame))
    if frame.file != nil || frame.module != nil { wrapped.removeAll() }
    return true
  }

  /// Whether the frame ends in the middle of a name.
  private static func isOpen(_ text: RawSpan) -> Bool {
    if text.ends(with: " in") { return true }
    var depth = 0
    for index in 0..<text.byteCount {
      if text.byte(index) == UInt8(ascii: "(") { depth += 1 }
      if text.byte(index) == UInt8(ascii: ")") { depth -= 1 }
    }
    return depth > 0
  }

  /// `line` without `==PID==`.
  @_lifetime(copy line)
  private static func withoutPID(_ line: RawSpan) -> RawSpan {
    var position = 2
    guard line.has("=="), line.decimal(at: &position) != nil, line.has("==", at: position)
    else { return line }
    return line.from(position + 2).trimmed
  }

  /// Whether `frame` is the first of a stack.
  private func isStart(_ frame: SanitizerFrame) -> Bool {
    guard let lastIndex else { return true }
    return (frame.index == 0 && !(lastWasInlinedCall && lastIndex == 0))
      || (frame.index < lastIndex && !title.isEmpty)
  }

  private mutating func add(_ frame: SanitizerFrame) {
    isInRegisters = false
    let startsStack = isStart(frame)
    lastIndex = frame.index
    lastWasInlinedCall = frame.isInlinedCall
    if startsStack {
      guard stacks.count < FormatLimits.stacks else {
        droppedStacks += 1
        return
      }
      stacks.append(NamedStack(title: title, frames: []))
      title = ""
    }
    guard droppedStacks == 0 else { return }
    let stack = stacks.count - 1
    guard stacks[stack].frames.count < FormatLimits.framesPerStack else {
      droppedFrames += 1
      return
    }
    stacks[stack].frames.append(made(frame))
  }

  private mutating func made(_ frame: SanitizerFrame) -> Frame {
    var result = Frame(
      address: frame.address.map(Address.init), position: .adjusted, function: frame.function,
      symbolOffset: frame.symbolOffset, file: frame.file, line: frame.line, column: frame.column,
      inlined: frame.isInlinedCall)
    if let module = frame.module {
      result.image = images.index(of: module, at: frame.address)
      result.imageOffset = ImageOffset(module.offset)
    }
    return result
  }

  private mutating func read(_ text: RawSpan) {
    if isInRegisters, readRegisters(text) { return }
    isInRegisters = false
    if text.has("Register values:") {
      isInRegisters = true
      return
    }
    if text.contains(" of size "), readAccess(text) {
      title = text.name
      return
    }
    if text.has("The signal is caused by a ") {
      let word = text.from(26)
      if access == nil, !word.has("UNKNOWN") {
        access = word.upTo(word.find(32) ?? 0).name
      }
      return
    }
    if text.contains(" is located "), addressDescription == nil { addressDescription = text.name }
    if text.has("Cause: "), cause == nil { cause = text.from(7).name }
    if leak == nil, text.has("Direct leak of ") || text.has("Indirect leak of ") {
      let end = text.find(" allocated from") ?? text.byteCount
      leak = text.upTo(end).name
    }
    if text.has("Hint: ") || text.has("HINT: ") || text.has("SCARINESS: ")
      || text.has("(BuildId: ") || text.has("NOTE: ") || text.has("note: ")
    {
      return
    }
    title = text.name
  }

  /// `READ of size 4 at 0x1 thread T0 (name)`, `Previous write of size 4 at 0x1 by thread T1:`.
  private mutating func readAccess(_ text: RawSpan) -> Bool {
    guard let size = text.find(" of size ") else { return false }
    let verb = text.upTo(size)
    let isAccess =
      verb.ends(with: "READ") || verb.ends(with: "WRITE") || verb.ends(with: "ead")
      || verb.ends(with: "rite") || verb.ends(with: "ACCESS")
    guard isAccess, verb.byteCount < 32, verb.byteOrZero(0).isLetter else { return false }
    guard access == nil else { return true }
    var position = size + 9
    guard let bytes = text.decimal(at: &position) else { return true }
    access = "\(verb.name.uppercased()) of size \(bytes)"
    if head.address == nil, let at = text.find(" at 0x") {
      var digits = at + 4
      head.address = text.hexadecimal(at: &digits).map(Address.init)
    }
    if let thread = SanitizerHeadline.thread(in: text) {
      head.thread = thread
      threadName = Self.threadName(in: text)
    } else if text.contains("main thread") {
      head.thread = 0
    }
    return true
  }

  /// `thread T27 (name)`.
  private static func threadName(in text: RawSpan) -> String? {
    guard let thread = text.find("thread T"), let open = text.find(" (", from: thread),
      let close = text.findLast(UInt8(ascii: ")")), close > open + 2
    else { return nil }
    var position = thread + 8
    guard text.decimal(at: &position) != nil, position == open else { return nil }
    let name = text.part(open + 2..<close)
    return name.has("mutexes:") || name.has("ptr/mem") ? nil : name.name
  }

  /// `rax = 0x1  rbx = 0x2  …`
  private mutating func readRegisters(_ text: RawSpan) -> Bool {
    var position = 0
    var found = false
    while position < text.byteCount, registers.count < FormatLimits.registers {
      position = text.skippingBlanks(from: position)
      let start = position
      while position < text.byteCount,
        text.byte(position).isLetter || text.byte(position).isDigit
      {
        position += 1
      }
      let name = text.part(start..<position)
      guard name.byteCount > 0, name.byteCount < 12, text.has(" = ", at: position) else { break }
      position += 3
      guard let value = text.hexadecimal(at: &position) else { break }
      registers.append(Register(name.name, value))
      found = true
    }
    return found
  }

  private mutating func readSummary(_ text: RawSpan) {
    summary = text.name
    guard let colon = text.find(": ") else { return }
    let rest = text.from(colon + 2)
    if head.type == nil {
      head.type = rest.upTo(rest.find(32) ?? rest.byteCount).name
    }
    // ThreadSanitizer's frames leave the folder out; its summary does not.
    if let open = rest.find(" ("), let frame = SanitizerFrame.module(of: rest.from(open + 1)) {
      images.complete(with: frame)
    }
  }

  /// The report. `location` is the location that the headline itself names.
  ///
  /// - Parameter finalMessage: The program's last output.
  consuming func report(location: Frame?, finalMessage: String?) -> CrashReport {
    var report = CrashReport(format: .sanitizer)
    report.tags[.sanitizer] = head.sanitizer
    if let access { report.tags[.access] = access }
    if let leak { report.tags[.leak] = leak }
    report.reason.type = head.type
    report.reason.signal = head.signal
    report.reason.address = head.address
    report.reason.code = cause
    report.reason.message = head.message ?? finalMessage ?? addressDescription
    if leak != nil || head.type == "detected memory leaks" {
      report.reason.message = summary.flatMap(Self.leakedBytes) ?? report.reason.message
    }
    report.process.pid = head.pid
    if head.sanitizer == "libFuzzer" {
      if head.type == "timeout" { report.kind = .hang }
      if head.type == "out-of-memory" { report.kind = .oom }
    }
    for index in stacks.indices { stacks[index].frames.markInlinedCalls() }
    report.images = images.images
    if head.isFault, !stacks.isEmpty { stacks[0].frames.standAt(head.counter) }
    if let cut = stacks.first, leak == nil, head.type != "detected memory leaks",
      isHeadingOfRuntime(cut.title)
    {
      // The creation of the thread, or the freeing of the memory, is not the location of the error.
      report.otherStacks = stacks
      if let frame = summary.flatMap(Self.summaryFrame) ?? location {
        addThread([frame], to: &report)
      }
      report.notes.append("the report's own stack is missing")
    } else if let first = stacks.first {
      report.otherStacks = Array(stacks.dropFirst())
      addThread(first.frames, to: &report)
    } else if let location {
      addThread([location], to: &report)
      if !stackFollowsAtOnce { report.notes.append("the report has no stack") }
    } else {
      report.notes.append("the report has no stack")
    }
    nameProcess(&report)
    if droppedFrames > 0 {
      notes.append(
        "\(droppedFrames) frames beyond the limit of \(FormatLimits.framesPerStack) a stack were left"
          + " out")
    }
    if droppedStacks > 0 {
      notes.append(
        "\(droppedStacks) stacks beyond the limit of \(FormatLimits.stacks) a report were left out")
    }
    if images.isFull {
      notes.append("images beyond the limit of \(FormatLimits.images) a report were left out")
    }
    report.notes += notes
    return report
  }

  /// The frame that a summary names: `heap-use-after-free /src/till.cc:12:3 in tern::Till::take()`.
  private static func summaryFrame(_ summary: String) -> Frame? {
    guard let mark = summary.firstRange(of: " in ") else { return nil }
    let function = summary[mark.upperBound...]
    guard !function.isEmpty, function.utf8.count < 4096 else { return nil }
    var frame = Frame(position: .adjusted, function: String(function))
    if let word = summary[..<mark.lowerBound].split(separator: " ").last, !word.hasPrefix("(") {
      let location = SourceLocation(ByteView(word.utf8).bytes)
      frame.file = location.file
      frame.line = location.line
      frame.column = location.column
    }
    return frame
  }

  private func addThread(_ frames: [Frame], to report: inout CrashReport) {
    var thread = CrashThread(index: 0, name: threadName, crashed: true, registers: registers)
    thread.frames = frames
    if let number = head.thread {
      // Only some runtimes number the threads; the others give the system's identifier.
      let isIdentifier = number == UInt64(clamping: head.pid ?? -1) || number > 1 << 16
      if isIdentifier { thread.id = number } else { thread.index = Int(number) }
    }
    report.threads = [thread]
    report.crashedThread = 0
  }

  /// The program is the outermost image that is not a library.
  private func nameProcess(_ report: inout CrashReport) {
    guard let frames = report.threads.first?.frames else { return }
    for frame in frames.reversed() {
      guard let index = frame.image, report.images.indices.contains(index) else { continue }
      let image = report.images[index]
      if image.isLibrary { continue }
      report.process.name = image.name
      report.process.path = image.path
      report.app.name = image.name
      return
    }
  }

  /// `74 byte(s) leaked in 2 allocation(s).` of LeakSanitizer's summary.
  private static func leakedBytes(_ summary: String) -> String? {
    guard let colon = summary.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let text = summary[summary.utf8.index(after: colon)...].drop { $0 == " " }
    return text.isEmpty ? nil : String(text)
  }
}

extension [Frame] {
  /// Makes the youngest frame, with the calls that were inlined into it, the position of a signal.
  ///
  /// - Parameter counter: The program counter, if it is known. Runtimes before 2018 moved it back as well,
  ///   like a return address, by at most the length of an instruction.
  fileprivate mutating func standAt(_ counter: UInt64?) {
    for index in indices {
      self[index].position = .exact
      if let counter, let address = self[index].address?.value, address <= counter,
        counter - address <= 8
      {
        self[index].address = Address(counter)
        if let offset = self[index].imageOffset?.value {
          self[index].imageOffset = ImageOffset(offset &+ (counter - address))
        }
      }
      if !self[index].inlined { return }
    }
  }
}
