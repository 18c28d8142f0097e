internal import Bytes
internal import CrashModel
internal import Identifiers

extension KernelParser {
  /// Reads a line that belongs to a stack.
  mutating func readStack(_ text: RawSpan) -> Bool {
    if text.has("Call Trace:") || text.has("Call trace:") || text.has("Backtrace:")
      || text.has("backtrace:") || text.has("stack backtrace:") || text.has("backtrace (crc ")
      || text.has("Linux Kernel Library Stack Trace:")
    {
      startTrace()
      // Some kernels print the first frame on the same line.
      if let colon = text.find(UInt8(ascii: ":")) {
        let rest = text.from(colon + 1).trimmed
        if rest.byteCount > 0 { _ = readFrame(rest) }
      }
      return true
    }
    var line = text
    // `<IRQ>`, `</TASK>`, `<EOI>  [<...>] f`
    while line.byteOrZero(0) == UInt8(ascii: "<"), let end = line.upTo(16).find(UInt8(ascii: ">")) {
      if line.byteOrZero(1).isDigit { break }
      let rest = line.from(end + 1).trimmed
      if rest.byteCount == 0 { return true }
      line = rest.byteOrZero(0) == UInt8(ascii: ">") ? rest.from(1).trimmed : rest
    }
    // The kernel as a library numbers its frames: `#8 [<0x0000000000811511>] hid_generic_probe+0xa1/0xd0`.
    if line.byteOrZero(0) == UInt8(ascii: "#") {
      var index = 1
      if line.decimal(at: &index) != nil, line.has(" [<0x", at: index) {
        line = line.from(index + 1)
      }
    }
    return readFrame(line)
  }

  private mutating func startTrace() {
    closeStack()
    isTraceNext = true
    isInUser = false
  }

  mutating func closeStack() {
    hasOpenStack = false
    isTraceNext = false
  }

  private mutating func readFrame(_ text: RawSpan) -> Bool {
    guard !isInUser, let line = KernelFrameLine(text) else { return false }
    // Frames without offsets occur only below a heading.
    guard line.offset != nil || line.address != nil || hasOpenStack || isTraceNext || line.isInlined
    else { return false }
    if !hasOpenStack || heading != nil { openStack() }
    heading = nil
    add(line)
    return true
  }

  /// Begins a stack with the current frame.
  private mutating func openStack() {
    hasOpenStack = true
    let title = heading
    let isTrace = isTraceNext
    isTraceNext = false
    let isMain =
      main == nil && (isTrace || title == nil || event.framesFollow || isKCSAN)
    let belongsToTask = isTrace && nextTask != nil
    var stack = KernelStack(title: isMain || belongsToTask && title == nil ? nil : title ?? "")
    if stack.title == "", isTrace { stack.title = hasEnded ? "panic" : "trace" }
    if belongsToTask, !hasEnded || isTracingAll { stack.task = nextTask }
    if isMain || belongsToTask && !hasEnded, let exact {
      stack.frames.append(exact)
      stack.exact = 0
      self.exact = nil
    }
    nextTask = nil
    if isMain {
      main = stack
      isInMain = true
    } else if others.count < FormatLimits.stacks {
      others.append(stack)
      isInMain = false
    } else {
      droppedFrames += 1
    }
  }

  private var isKCSAN: Bool { event.type.hasPrefix("KCSAN") }

  /// Changes the stack that is being read.
  private mutating func change(_ body: (inout KernelStack) -> Void) {
    if isInMain {
      guard var stack = main else { return }
      // Moved out first, so that its frames are not copied.
      main = nil
      body(&stack)
      main = stack
    } else if !others.isEmpty {
      body(&others[others.count - 1])
    }
  }

  private var frameCount: Int {
    isInMain ? main?.frames.count ?? 0 : others.last?.frames.count ?? 0
  }

  private mutating func add(_ line: KernelFrameLine) {
    guard frameCount < FormatLimits.framesPerStack else {
      droppedFrames += 1
      return
    }
    // A line of arm names the function that was called and the one that called it.
    if let callee = line.callee, frameCount == 0 || frameCount == 1 && main?.exact == 0 && isInMain
    {
      var top = KernelFrameLine.named(callee)
      top.isUnreliable = line.isUnreliable
      let frame = frame(of: top, .returnAddress)
      change { $0.append(frame) }
    }
    let frame = frame(of: line, .returnAddress)
    change { $0.append(frame) }
  }

  func isPlausible(_ line: KernelFrameLine) -> Bool {
    guard let address = line.address, address != 0 else { return false }
    // Kernels hide addresses behind hashes, which look like low ones.
    return line.addressDigits <= 8 || address >> 32 != 0 || architecture == .s390x
  }

  mutating func frame(of line: KernelFrameLine, _ position: CodePosition) -> Frame {
    var frame = Frame(
      address: isPlausible(line) ? line.address.map { Address($0) } : nil, position: position,
      function: line.function, file: line.file, line: line.line, inlined: line.isInlined)
    frame.symbolOffset = line.offset
    frame.symbolSize = line.size
    if line.isUnreliable { frame.trust = .scan }
    if position == .exact { frame.trust = .context }
    frame.image = image(line.module ?? Self.imageName, buildID: line.buildID)
    return frame
  }

  /// The image of that name.
  mutating func image(_ name: String, buildID: String?) -> Int {
    if let index = imageIndices[name] {
      if report.images[index].codeID == nil, let id = buildID.flatMap({ CodeID($0) }) {
        report.images[index].codeID = id
        report.images[index].debugID = DebugID(buildID: id.bytes)
      }
      return index
    }
    let index = report.images.count
    var image = LoadedImage(name: name == Self.imageName ? name : name + ".ko")
    image.codeID = buildID.flatMap { CodeID($0) }
    image.debugID = image.codeID.map { DebugID(buildID: $0.bytes) }
    report.images.append(image)
    imageIndices[name] = index
    return index
  }

  // MARK: The instruction that failed

  /// `RIP: 0010:f+0x1/0x2`, `pc : f+0x1/0x2`, `NIP [c00000000022d79c] f+0x1/0x2`, `Krnl PSW : ...`.
  mutating func readInstruction(_ text: RawSpan) -> Bool {
    for (words, name) in Self.instructionWords where text.has(words) {
      if architecture == nil { architecture = name }
      var rest = text.from(words.utf8CodeUnitCount).trimmed
      if text.has("Krnl PSW : ") {
        guard let open = rest.find(UInt8(ascii: "(")) else { return true }
        rest = rest.from(open + 1)
      }
      // The segment: 0010 is the kernel's, 0033 a program's.
      if rest.byteOrZero(4) == UInt8(ascii: ":") {
        if rest.has("0033:") || rest.has("0023:") || rest.has("002b:") {
          isInUser = true
          closeStack()
          return true
        }
        rest = rest.from(5).trimmed
      }
      return takeInstruction(rest)
    }
    return false
  }

  private static let instructionWords: [(words: StaticString, architecture: Architecture?)] = [
    ("RIP: ", .x86_64), ("EIP: ", .i386), ("EIP is at ", .i386), ("PC is at", nil), ("pc : ", nil),
    ("pc is at ", nil), ("NIP [", nil), ("NIP: [", nil), ("epc : ", .riscv64), ("epc   : ", .mips),
    ("Krnl PSW : ", .s390x), ("ERA: ", Architecture("loongarch64")), ("TPC: <", .sparc),
    ("IP: ", nil),
  ]

  /// - Returns: Whether a code address was found.
  private mutating func takeInstruction(_ text: RawSpan) -> Bool {
    var rest = text
    if rest.byteOrZero(0) == UInt8(ascii: "<") { rest = rest.from(1) }
    // `NIP [c0...] f`: the bracket is removed; LoongArch and MIPS print the bare address.
    var index = 0
    var address: (value: UInt64, digits: Int)?
    if let value = rest.hexadecimalDigits(at: &index), index >= 8 {
      address = (value, index)
      if rest.byteOrZero(index) == UInt8(ascii: "]") { index += 1 }
      rest = rest.from(rest.skippingBlanks(from: index))
    }
    guard var line = KernelFrameLine(rest) else { return false }
    guard !hasEnded, !isInUser else { return true }
    if let address, line.address == nil { (line.address, line.addressDigits) = address }
    line.isUnreliable = false
    let frame = frame(of: line, .exact)
    if hasOpenStack {
      // In the middle of a trace: the processor stopped below the frames above.
      guard frameCount < FormatLimits.framesPerStack else { return true }
      change {
        $0.frames.append(frame)
        if $0.exact == nil { $0.exact = $0.frames.count - 1 }
      }
    } else if let main, main.exact != nil {
      // Printed again at the end, or with the trace of another processor.
      let known = main.frames[main.exact ?? 0]
      if known.function != frame.function || known.symbolOffset != frame.symbolOffset {
        exact = frame
      }
    } else {
      exact = frame
    }
    return true
  }

  // MARK: The end

  /// Chooses the stack that the report is about, and makes threads of those of tasks.
  mutating func finishStacks() {
    if let exact, main == nil || main?.exact == nil && main?.frames.isEmpty == true {
      main = main ?? KernelStack()
      main?.frames = [exact]
      main?.exact = 0
    }
    // The first trace of a stall is usually that of the thread that noticed it.
    if case .stall = event.naming, event.type.hasPrefix("INFO: rcu"), main?.isInterrupted != true,
      let index = others.firstIndex(where: { $0.isInterrupted })
    {
      let found = others.remove(at: index)
      if let main { others.insert(main, at: 0) }
      main = found
    }
    if let main {
      var thread = thread(of: main, at: 0)
      thread.crashed = true
      thread.registers = registers
      report.threads.append(thread)
      report.crashedThread = 0
    }
    for other in others {
      if other.task != nil, other.title == nil || other.title == "trace" {
        report.threads.append(thread(of: other, at: report.threads.count))
      } else {
        report.otherStacks.append(NamedStack(title: other.title ?? "", frames: other.frames))
      }
    }
    for index in report.threads.indices { report.threads[index].frames.markKernelInlinedCalls() }
    for index in report.otherStacks.indices {
      report.otherStacks[index].frames.markKernelInlinedCalls()
    }
  }

  private func thread(of stack: KernelStack, at index: Int) -> CrashThread {
    let task = stack.task ?? (index == 0 ? self.task : nil)
    return CrashThread(
      index: index, id: task?.pid.flatMap { UInt64(exactly: $0) }, name: task?.name,
      frames: stack.frames)
  }
}

extension [Frame] {
  /// A frame that is printed as an inlined call belongs to the address of the one below it.
  fileprivate mutating func markKernelInlinedCalls() {
    for index in indices.reversed() where self[index].inlined {
      guard index + 1 < count else {
        self[index].inlined = false
        continue
      }
      self[index].address = self[index].address ?? self[index + 1].address
      self[index].image = self[index + 1].image
    }
  }
}

extension KernelFrameLine {
  /// A frame of which only the function is known.
  static func named(_ function: String) -> KernelFrameLine {
    var line = KernelFrameLine()
    line.function = function
    return line
  }

  private init() {}
}
