internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report of the Linux kernel line by line.
struct KernelParser {
  static let appName = "Linux"
  static let processName = "kernel"
  static let imageName = "vmlinux"

  var event: KernelEvent
  var report: CrashReport
  /// The task or processor that the report's lines come from, if they name it.
  private let caller: String?
  /// Lines that the kernel wrote just before the first.
  private var before: [String] = []
  /// Whether the first of them describes what the kernel found.
  private var hasLead = false
  /// Whether they follow the mark at the start of a report.
  private var isAfterCut = false
  var isTracingAll = false
  private(set) var isComplete = false
  private var uselessLines = 0

  // Stacks.
  var main: KernelStack?
  var others: [KernelStack] = []
  /// Whether the current stack is ``main``; otherwise it is the last of ``others``.
  var isInMain = false
  var hasOpenStack = false
  /// The line before, if it may head a stack.
  var heading: String?
  /// Whether a heading announced a trace whose frames follow.
  var isTraceNext = false
  /// The instruction that failed, before its trace.
  var exact: Frame?
  var nextTask: KernelTask?
  var task: KernelTask?
  var hasEnded = false
  var isInUser = false
  var locks: [String] = []
  var registers: [Register] = []
  var imageIndices: [String: Int] = [:]
  var droppedFrames = 0
  var architecture: Architecture?
  private var seesLock = false
  private var panicText: String?

  /// The time after a report's last line within which a line still belongs to it. Times of the processors may
  /// differ slightly.
  static let storySeconds = -5.0...60.0
  /// The most consecutive irrelevant lines.
  private static let uselessLimit = 400

  init(_ event: KernelEvent, _ words: RawSpan, _ prefix: KernelLine, in line: RawSpan) {
    self.event = event
    report = CrashReport(format: .linuxKernel, kind: event.kind)
    caller = prefix.caller.map { line.part($0).name }
    report.app.name = Self.appName
    report.os.name = Self.appName
    report.process.name = Self.processName
    report.reason.message = Self.withoutBrackets(words.name)
    report.process.uptime = prefix.seconds(in: line)
    readFailedAddress(words)
    if case .lock(let after) = event.naming { seesLock = after.isEmpty }
  }

  /// `[ INFO: suspicious RCU usage. ]`
  private static func withoutBrackets(_ text: String) -> String {
    guard text.hasSuffix(" ]") else { return text }
    return String(text.dropLast(2))
  }

  /// The address in the first line: `at virtual address 00000004`, `for address: ffff88`, `at 0x8000`.
  private mutating func readFailedAddress(_ words: RawSpan) {
    for mark: StaticString in [
      "virtual address ", "for address: ", "dereference, address: ", "on address ",
      "for non-canonical address ", "paging request at ", "dereference at ", "data access at ",
      "user memory at ",
    ] {
      guard let found = words.find(mark) else { continue }
      var index = found + mark.utf8CodeUnitCount
      if words.has("0x", at: index) { index += 2 }
      if let value = words.hexadecimalDigits(at: &index) {
        report.reason.address = Address(value)
        return
      }
    }
  }

  // MARK: Lines

  /// Takes a line from before the first one.
  mutating func takeBefore(_ line: RawSpan) {
    let prefix = KernelLine(line)
    guard prefix.caller.map({ line.part($0).name }) == caller else { return }
    let text = line.from(prefix.content).trimmed
    if text.has("------------[ cut here ]") {
      before = leadWords
      isAfterCut = true
    } else if Self.isLead(text) {
      before = [text.name]
      hasLead = true
      isAfterCut = false
    } else if text.byteCount > 0, text.byteCount < 512, before.count < 8, !text.has("=====") {
      before.append(text.name)
    } else {
      before = ["", "", "", "", "", "", "", ""]
      hasLead = false
    }
  }

  /// Whether the text describes what the kernel found, before the mark of its report.
  private static func isLead(_ text: RawSpan) -> Bool {
    for lead: StaticString in [
      "list_add corruption", "list_del corruption", "rust_kernel: panicked at ", "usercopy: ",
      "refcount_t: ", "ODEBUG: ", "page dumped because: ", "skbuff: skb_over_panic: ",
      "skbuff: skb_under_panic: ",
    ] where text.has(lead) {
      return true
    }
    return text.contains(": detected buffer overflow")
      || text.contains(": detected field-spanning write")
  }

  /// The preceding lines that are known to belong to the report: the message of a Rust panic is in the line
  /// after its location.
  private var leadWords: [String] {
    guard let first = before.first, !first.isEmpty, before.count < 8, hasLead else { return [] }
    let isRust = first.hasPrefix("rust_kernel: ") && first.hasSuffix(":")
    return Array(before.prefix(isRust ? 2 : 1))
  }

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    let prefix = KernelLine(line)
    if let caller, prefix.time != nil {
      let own = prefix.caller.map { line.part($0).name }
      guard own == caller || isTracingAll && own?.hasPrefix("C") == true else { return !isComplete }
    }
    let text = line.from(prefix.content).trimmed
    guard text.byteCount > 0 else { return !isComplete }
    uselessLines += 1
    if uselessLines > Self.uselessLimit { return false }
    if prefix.time != nil, text.has("Linux version ") { return false }
    if text.has("FAULT_INJECTION: forcing a failure") { return false }
    readLock(text)
    if readStack(text) || readFact(text) { uselessLines = 0 }
    return !isComplete
  }

  /// Takes a line from after the start of another report; returns whether another one is wanted.
  mutating func takeOwn(_ line: RawSpan) -> Bool {
    let prefix = KernelLine(line)
    guard prefix.time != nil, prefix.caller.map({ line.part($0).name }) == caller else {
      uselessLines += 1
      return uselessLines <= Self.uselessLimit
    }
    let words = line.from(prefix.content).trimmed
    if words.byteCount > 8, let other = KernelEvent(words.name, isKernel: true) {
      let time = prefix.seconds(in: line) ?? 0
      guard other.continues, other.type != "memory leak" || main == nil,
        Self.storySeconds.contains(time - (report.process.uptime ?? time))
      else { return false }
    }
    return take(line)
  }

  /// Whether nothing was found but the first line.
  var isEmpty: Bool {
    main == nil && others.isEmpty && exact == nil && task == nil && registers.isEmpty
  }

  /// Reads a line that is not a frame.
  private mutating func readFact(_ text: RawSpan) -> Bool {
    if readEnd(text) || readTask(text) || readInstruction(text) || readDetail(text) { return true }
    if readRegisters(text) { return true }
    heading =
      text.byteOrZero(text.byteCount - 1) == UInt8(ascii: ":") || Self.isHeading(text)
      ? text.name : nil
    return heading != nil
  }

  /// Headings of stacks that do not end with a colon.
  private static func isHeading(_ text: RawSpan) -> Bool {
    text.has("INFO: Allocated in ") || text.has("INFO: Freed in ") || text.has("Allocated in ")
      || text.has("Freed in ")
  }

  private mutating func readLock(_ text: RawSpan) {
    guard case .lock(let after) = event.naming, locks.count < 2 else { return }
    if !seesLock {
      guard text.name.contains(after) else { return }
      seesLock = true
      if after.hasSuffix(": "), let found = text.name.firstRange(of: after) {
        locks.append(String(text.name[found.upperBound...].prefix { $0 != " " }))
        return
      }
    }
    var name = text
    if let at = text.find("at: ") {
      name = text.from(at + 4)
    } else if !text.has("[<") {
      return
    }
    if let frame = KernelFrameLine(name.trimmed), let function = frame.function {
      locks.append(function)
    }
  }

  /// The end of the report, and the panic that the kernel ends with.
  private mutating func readEnd(_ text: RawSpan) -> Bool {
    if text.has("Kernel panic - not syncing: ") {
      panicText = text.from(28).name
      report.tags[.panic] = panicText
      closeStack()
      // If a warning ends the kernel, the rest follows this text.
      hasEnded = main != nil
      heading = hasEnded ? text.name : nil
      return true
    }
    if text.has("---[ end Kernel panic") || text.has("Rebooting in ") {
      isComplete = true
      return true
    }
    if text.has("---[ end trace") {
      closeStack()
      hasEnded = true
      return true
    }
    if text.contains("Sending NMI from CPU") || text.has("NMI backtrace for cpu") {
      isTracingAll = true
      closeStack()
      return true
    }
    return false
  }

  private mutating func readTask(_ text: RawSpan) -> Bool {
    let line = text.name
    guard let found = KernelTask(line) ?? KernelTask(listed: line) ?? KernelTask(leaking: line)
    else { return false }
    nextTask = found
    closeStack()
    // Every task has the kernel's version, only the failed one its name.
    report.app.version = report.app.version ?? found.release
    report.app.build = report.app.build ?? found.build
    if let tainted = found.tainted, report.tags[.kernelTainted] == nil, !tainted.isEmpty {
      report.tags[.kernelTainted] = tainted
    }
    if let id = found.buildID.flatMap({ CodeID($0) }) {
      let index = image(Self.imageName, buildID: nil)
      report.images[index].codeID = id
      report.images[index].debugID = DebugID(buildID: id.bytes)
    }
    if task == nil,
      found.cpu != nil || text.has("Pid: ") || event.naming == .wait
        || text.has("comm ")
    {
      task = found
    }
    return true
  }

  private mutating func readDetail(_ text: RawSpan) -> Bool {
    if text.has("Hardware name: ") {
      report.device.model = report.device.model ?? text.from(15).trimmed.name
    } else if text.has("Workqueue: ") {
      set(.workqueue, text.from(11))
    } else if text.has("Modules linked in:") {
      set(.kernelModules, text.from(18))
      closeStack()
    } else if text.has("Code: "), !isInUser {
      set(.code, text.from(6))
      // The task's own stack follows an instruction's bytes only before 5.x.
    } else if text.has("KASAN: ") || text.has("Oops: ") || text.has("Internal error: ") {
      append(text)
    } else if text.has("Out of memory: ") || text.has("Memory cgroup out of memory: ") {
      append(text)
      readVictim(text)
    } else if readAccess(text) {
      return true
    } else {
      return false
    }
    return true
  }

  private mutating func set(_ tag: ReportTag, _ value: RawSpan) {
    guard report.tags[tag] == nil, value.trimmed.byteCount > 0 else { return }
    report.tags[tag] = value.trimmed.name
  }

  private mutating func append(_ text: RawSpan) {
    guard let message = report.reason.message, message.utf8.count < 2048,
      !message.contains(text.name)
    else { return }
    report.reason.message = message + "\n" + text.name
  }

  /// `Out of memory: Killed process 123 (tern) total-vm:1kB`.
  private mutating func readVictim(_ text: RawSpan) {
    guard let mark = text.find(" process "), report.tags[.panicTask] == nil else { return }
    var index = mark + 9
    guard let pid = text.decimal(at: &index) else { return }
    guard let open = text.find(UInt8(ascii: "("), from: index),
      let close = text.find(UInt8(ascii: ")"), from: open)
    else { return }
    report.process.pid = Int(exactly: pid)
    report.tags[.panicTask] = text.part((open + 1)..<close).name
  }

  /// `Read of size 4 at addr ffff88 by task tern/42`, `Write at addr 0aff00 by task tern/42`.
  private mutating func readAccess(_ text: RawSpan) -> Bool {
    let isRead = text.has("Read ")
    guard isRead || text.has("Write "), text.contains("of size ") || text.contains(" at addr ")
    else { return false }
    if event.type.hasPrefix("KASAN: "), !event.type.hasSuffix(" Read"),
      !event.type.hasSuffix(" Write"), !event.type.hasPrefix("KASAN: invalid-free")
    {
      event.type += isRead ? " Read" : " Write"
    }
    let end = text.find(" at addr") ?? text.find(" by ") ?? text.byteCount
    if report.tags[.access] == nil { report.tags[.access] = text.upTo(end).name }
    if let at = text.find(" at addr ") {
      var index = at + 9
      report.reason.address = text.hexadecimalDigits(at: &index).map { Address($0) }
    }
    return true
  }

  // MARK: The report

  consuming func finished() -> CrashReport {
    closeStack()
    finishStacks()
    let functions = main.map { stack in
      if case .stall = event.naming, event.type.hasPrefix("INFO: rcu") {
        return stack.interruptedFunctions
      }
      return stack.functions
    }
    event = event.named(by: functions?.first)
    let title = KernelTitle(event, locks: locks, frames: functions ?? [])
    report.reason.type = event.type
    report.tags[.title] = title.text
    if let function = title.rawFunction { report.tags[.kernelFunction] = function }
    // The text before the first line, which is then only the location.
    let before = isAfterCut && before.count < 8 ? before : leadWords
    if !before.isEmpty,
      event.type.hasPrefix("WARNING") || event.type.contains("BUG")
    {
      report.reason.message = (before + [report.reason.message ?? ""]).joined(separator: "\n")
    }
    report.os.version = report.app.version
    if let kernel = imageIndices[Self.imageName] {
      report.images[kernel].version = report.app.version
    }
    report.device.architecture = architecture
    if let task {
      report.process.pid = report.process.pid ?? task.pid
      if let name = task.name, report.tags[.panicTask] == nil { report.tags[.panicTask] = name }
    }
    if droppedFrames > 0 {
      report.notes.append("\(droppedFrames) frames beyond a limit were left out")
    }
    return report
  }
}
