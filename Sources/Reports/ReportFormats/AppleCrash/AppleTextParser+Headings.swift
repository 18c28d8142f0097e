internal import Bytes
internal import CrashModel

extension AppleTextParser {
  /// Takes a line that begins a block.
  ///
  /// - Returns: Whether it was one.
  mutating func takeHeading(_ line: RawSpan) -> Bool {
    switch line.byte(0) {
    case UInt8(ascii: "T"):
      if spindump.isOne, line.has("Thread 0x") {
        takeSpindumpThread(line)
        return true
      }
      if line.has("Thread ") { return takeThreadHeading(line) }
      if line.has("Translated Report (Full Report Below)") {
        isTranslation = true
        return true
      }
      return false
    case UInt8(ascii: "A"):
      if line.has("Application Specific Information:") {
        block = .information
        // SDKs put the first line after the colon.
        let rest = line.from(33).trimmed
        if rest.byteCount > 0 { information.append(rest.text) }
        return true
      }
      if line.has("Application Specific Backtrace ") {
        begin(stack: line)
        return true
      }
      if line.has("Application Specific Signatures:") {
        block = .unread
        return true
      }
      return false
    case UInt8(ascii: "D"):
      guard line.has("Dyld Error Message:") else { return false }
      block = .termination
      return true
    case UInt8(ascii: "L"):
      guard line.has("Last Exception Backtrace") else { return false }
      block = .exception
      beginFrames(youngest: .returnAddress)
      return true
    case UInt8(ascii: "("):
      guard block == .exception, exceptionFrames.isEmpty else { return false }
      block = .addresses
      return takeAddresses(line)
    case UInt8(ascii: "B"):
      guard line.has("Binary Images") else { return false }
      block = spindump.isTarget ? .images : .unread
      return true
    case UInt8(ascii: "H"):
      guard line.has("Heaviest stack") else { return false }
      threads.append(
        AppleTextThread(thread: CrashThread(index: threads.count, name: "heaviest stack")))
      block = .heaviestStack(threads.count - 1)
      return true
    case UInt8(ascii: "P"):
      return takeProcessHeading(line)
    case UInt8(ascii: "C"):
      guard line.has("Call graph:") else { return false }
      isSample = true
      block = .callTree(-1)
      return true
    case UInt8(ascii: "S"):
      guard line.has("STACK OF ") else { return false }
      begin(stack: line)
      return true
    case UInt8(ascii: "t"):
      guard isStackshot, line.has("thread 0x") else { return false }
      return takeStackshotThread(line)
    default:
      return false
    }
  }

  private mutating func begin(stack line: RawSpan) {
    let end = line.byte(line.byteCount - 1) == UInt8(ascii: ":") ? 1 : 0
    let title = line.upTo(line.byteCount - end).text
    guard otherStacks.count < AppleLimits.threads else {
      reach(AppleLimits.threads, of: "stacks outside threads")
      block = .unread
      return
    }
    otherStacks.append(AppleTextStack(title: title))
    block = .other(otherStacks.count - 1)
    beginFrames(youngest: .returnAddress)
  }

  /// Reads the line for a process above the threads of resource reports; only the first process counts.
  private mutating func takeProcessHeading(_ line: RawSpan) -> Bool {
    if line.has("Powerstats for:") {
      block = .unread
      return true
    }
    if isStackshot, line.has("Process "), line.findLast(" binary images:") != nil {
      block = .images
      return true
    }
    return false
  }

  private mutating func beginFrames(youngest: CodePosition) {
    isYoungest = youngest == .exact
    lastFrameIndex = nil
    afterBlank = false
  }

  /// `Thread N name:  NAME`, `Thread N:`, `Thread N Crashed:: NAME`,
  /// `Thread N crashed with ARM Thread State (64-bit):`.
  private mutating func takeThreadHeading(_ line: RawSpan) -> Bool {
    var at = 7
    var number = 0
    while at < line.byteCount, line.byte(at).isDigit, at < 16 {
      number = number * 10 + Int(line.byte(at) &- UInt8(ascii: "0"))
      at += 1
    }
    guard at > 7, at < line.byteCount else { return false }
    let rest = line.from(at)
    if rest.has(" name:") {
      threadNames[number] = Self.threadName(rest.from(6))
      if threadNames.count > AppleLimits.threads { threadNames.removeAll() }
      block = .unread
      return true
    }
    if rest.findLast("Thread State") != nil, rest.byte(rest.byteCount - 1) == UInt8(ascii: ":") {
      block = .registers(threadIndices[number] ?? threads.count - 1)
      return true
    }
    guard let colon = rest.find(UInt8(ascii: ":")) else { return false }
    let words = rest.upTo(colon).trimmed
    // `Thread 0 instruction stream:` in several words does not begin a stack.
    guard words.byteCount <= 24, words.find(32) == nil else {
      block = .unread
      return words.byteCount <= 24
    }
    guard threads.count < AppleLimits.threads else {
      reach(AppleLimits.threads, of: "threads")
      block = .unread
      return true
    }
    var thread = CrashThread(index: number)
    thread.crashed = words.has("Crashed")
    if words.has("Attributed") || words.has("Highlighted") { namedThread = number }
    let nameStart = colon + 1 < rest.byteCount && rest.byte(colon + 1) == UInt8(ascii: ":") ? 2 : 1
    thread.name =
      Self.threadName(rest.from(colon + nameStart))
      ?? threadNames.removeValue(forKey: number)
    threadIndices[number] = threads.count
    threads.append(AppleTextThread(thread: thread))
    block = .thread(threads.count - 1)
    beginFrames(youngest: .exact)
    return true
  }

  /// A thread's name, or else its queue's.
  private static func threadName(_ text: RawSpan) -> String? {
    let text = text.trimmed
    guard text.byteCount > 0 else { return nil }
    guard let queue = text.find("Dispatch queue: ") else { return text.text }
    let name = text.upTo(queue).trimmed
    if name.byteCount > 0 { return name.text }
    return text.from(queue + 16).trimmed.text
  }
}
