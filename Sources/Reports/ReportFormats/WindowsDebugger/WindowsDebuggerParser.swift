internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportTag {
  /// The name under which `!analyze` groups crashes of one kind: `NULL_POINTER_READ_c0000005_tern.exe!price`.
  static let failureBucket = ReportTag("failure_bucket")
  /// The code location according to `!analyze`: `tern!price+1e`.
  static let failureSymbol = ReportTag("failure_symbol")
}

/// Parses a report of a Windows debugger line by line.
struct WindowsDebuggerParser {
  private var report = CrashReport(format: .windowsDebugger)
  private var modules = WindowsDebuggerModules()
  private var event: String?
  private var code: UInt32?
  private var parameters: [UInt64] = []
  private var exceptionAddress: UInt64?
  private var hasAnalysis = false
  private var words: String?
  private var faultingThread: UInt64?
  private var registers: [Register] = []
  private var sourceFile: String?
  private var sourceLine: Int?

  private var stacks: [WindowsDebuggerStack] = []
  private var hasOpenStack = false
  private var isAnalysisNext = false
  private var nextThread: (id: UInt64, name: String?)?
  /// A row that fills the console's width, so that its end may be in the next line.
  private var wrapped: String?
  private var droppedFrames = 0

  // MARK: Lines

  /// Takes a line from before the first one: modules are announced when they are loaded.
  mutating func takeBefore(_ text: RawSpan) {
    _ = modules.read(text) || readSystem(text)
  }

  mutating func take(_ text: RawSpan) {
    if let start = wrapped {
      wrapped = nil
      let joined = ByteView((start + text.name).utf8)
      if text.byteCount > 0, WindowsStackRow(text) == nil,
        let row = WindowsStackRow(joined.bytes)
      {
        add(row)
        return
      }
      let whole = ByteView(start.utf8)
      if let row = WindowsStackRow(whole.bytes) { add(row) }
    }
    guard text.byteCount > 0 else { return }
    if modules.read(text) || readStack(text) || readRegisters(text) || readEvent(text) { return }
    _ = readKey(text) || readRecord(text) || readSystem(text)
  }

  // MARK: Stacks

  private mutating func readStack(_ text: RawSpan) -> Bool {
    if text.has("STACK_TEXT:") {
      hasOpenStack = false
      isAnalysisNext = true
      return true
    }
    if text.has("ChildEBP ") || text.has("Child-SP ") || text.has("# Child")
      || text.has("*** Stack trace for last set context")
    {
      hasOpenStack = false
      return true
    }
    if readThread(text) { return true }
    guard let row = WindowsStackRow(text) else {
      // Warnings may be between the rows; a name is at the end of a stack.
      let isBetween = text.has("WARNING: ") || text.has("*** ")
      if !isBetween, isPartOfRow(text) {
        wrapped = text.name
        return true
      }
      return isBetween && hasOpenStack
    }
    if text.byteCount >= 78, text.byteCount <= 80 {
      wrapped = text.name
      return true
    }
    add(row)
    return true
  }

  /// Whether a row is broken before any distinctive text: `…7f956000 tern!__tmainCRTStart`.
  private func isPartOfRow(_ text: RawSpan) -> Bool {
    guard hasOpenStack || isAnalysisNext, text.byteCount >= 78, text.byteCount <= 80 else {
      return false
    }
    var index = 0
    return text.hexadecimalDigits(at: &index) != nil && (index == 8 || index == 16)
  }

  private mutating func add(_ row: WindowsStackRow) {
    if !hasOpenStack {
      guard stacks.count < FormatLimits.stacks else {
        droppedFrames += 1
        return
      }
      hasOpenStack = true
      stacks.append(
        WindowsDebuggerStack(
          thread: nextThread?.id, name: nextThread?.name, isAnalysis: isAnalysisNext))
      isAnalysisNext = false
      nextThread = nil
    }
    guard stacks[stacks.count - 1].rows.count < FormatLimits.framesPerStack else {
      droppedFrames += 1
      return
    }
    stacks[stacks.count - 1].rows.append(row)
  }

  /// `.  0  Id: 14a8.c04 Suspend: 1 Teb: 7f95d000 Unfrozen "render"`.
  private mutating func readThread(_ text: RawSpan) -> Bool {
    guard let mark = text.find("Id: "), mark < 16, text.contains(" Suspend: ") else { return false }
    let rest = text.from(mark + 4)
    guard let numbers = WindowsThreadNumbers(rest.upTo(rest.find(32) ?? 0)) else { return false }
    hasOpenStack = false
    var name: String?
    if text.ends(with: "\""), let open = text.upTo(text.byteCount - 1).findLast(UInt8(ascii: "\""))
    {
      name = text.between(open + 1, text.byteCount - 1).name
    }
    nextThread = (numbers.thread, name)
    return true
  }

  // MARK: Facts

  /// `(14a8.c04): Access violation - code c0000005 (!!! second chance !!!)`.
  private mutating func readEvent(_ text: RawSpan) -> Bool {
    guard text.has("("), let close = text.find("): "), close < 24,
      let numbers = WindowsThreadNumbers(text.between(1, close)),
      let mark = text.find(" - code ")
    else { return false }
    var index = mark + 8
    guard let value = text.hexadecimalDigits(at: &index), value <= UInt32.max else { return false }
    // Another event may follow the analysis.
    guard !hasAnalysis || code == nil else { return true }
    event = text.between(close + 3, mark).name
    code = UInt32(value)
    report.process.pid = Int(exactly: numbers.process)
    faultingThread = numbers.thread
    return true
  }

  private mutating func readRecord(_ text: RawSpan) -> Bool {
    if text.has("ExceptionAddress: ") {
      exceptionAddress = Self.number(text.from(18))
    } else if text.has("ExceptionCode: ") {
      hasAnalysis = true
      var index = 15
      if let value = text.hexadecimalDigits(at: &index), value <= UInt32.max {
        code = UInt32(value)
      }
      if let open = text.find("("), text.ends(with: ")") {
        event = text.between(open + 1, text.byteCount - 1).name
      }
      parameters = []
    } else if text.has("Parameter["), let colon = text.find("]: "), parameters.count < 16 {
      parameters.append(Self.number(text.from(colon + 3)) ?? 0)
    } else if text.has("Attempt to "), let at = text.find(" address ") {
      report.reason.address = Self.number(text.from(at + 9)).map { Address($0) }
    } else {
      return false
    }
    return true
  }

  /// `KEY:  value` of `!analyze`.
  private mutating func readKey(_ text: RawSpan) -> Bool {
    guard let colon = text.find(UInt8(ascii: ":")), colon > 2, colon < 40 else { return false }
    for index in 0..<colon {
      let byte = text.byte(index)
      guard byte == UInt8(ascii: "_") || byte.isDigit || byte.isLetter && byte & 0x20 == 0 else {
        return false
      }
    }
    hasOpenStack = false
    let value = text.from(colon + 1).trimmed
    switch text.upTo(colon).name {
    case "EXCEPTION_RECORD": hasAnalysis = true
    case "PROCESS_NAME":
      report.process.name = value.name
      report.app.name = value.name
    case "FAULTING_THREAD":
      var index = 0
      if let id = value.hexadecimalDigits(at: &index), id > 0 { faultingThread = id }
    case "ERROR_CODE", "EXCEPTION_CODE": readCode(value)
    case "READ_ADDRESS", "WRITE_ADDRESS":
      report.reason.address = report.reason.address ?? Self.number(value).map { Address($0) }
    case "FAILURE_BUCKET_ID": report.tags[.failureBucket] = value.name
    case "BUCKET_ID":
      if report.tags[.failureBucket] == nil { report.tags[.failureBucket] = value.name }
    case "SYMBOL_NAME": report.tags[.failureSymbol] = value.name
    case "FAULTING_SOURCE_FILE": sourceFile = value.name
    case "FAULTING_SOURCE_LINE_NUMBER":
      var index = 0
      sourceLine = value.decimal(at: &index).flatMap { Int(exactly: $0) }
    case "BUGCHECK_CODE", "BUGCHECK_STR":
      if event == nil { event = value.name }
    case "IMAGE_NAME": modules.note(fileName: value.name)
    case "MODULE_NAME": modules.note(name: value.name)
    default: break
    }
    return true
  }

  /// `(NTSTATUS) 0xc0000374 - A heap has been corrupted.`
  private mutating func readCode(_ value: RawSpan) {
    if code == nil, let mark = value.find("0x") {
      var index = mark
      if let number = value.hexadecimal(at: &index), number <= UInt32.max { code = UInt32(number) }
    }
    guard let dash = value.find(" - ") else { return }
    let text = value.from(dash + 3).name
    // The text of an access violation has placeholders that were not filled in.
    if words == nil, !text.contains("%") { words = text }
  }

  private mutating func readSystem(_ text: RawSpan) -> Bool {
    if text.has("Windows ") {
      // `Windows 10 Version 19041 MP (8 procs) Free x64`
      guard let version = text.find(" Version "),
        text.contains(" Free x") || text.contains("procs)")
      else { return false }
      let rest = text.from(version + 9)
      report.os.name = "Windows"
      report.os.version = text.between(8, version).name
      report.os.build = rest.upTo(rest.find(32) ?? rest.byteCount).name
      return true
    }
    if text.has("Process Uptime: ") {
      report.process.uptime = Self.uptime(text.from(16).name)
      return true
    }
    return false
  }

  /// `0 days 0:00:10.000`.
  private static func uptime(_ text: String) -> Double? {
    let words = text.split { " :".contains($0) }
    guard words.count == 5, words[1].hasPrefix("day"), let days = Double(words[0]),
      let hours = Double(words[2]), let minutes = Double(words[3]), let seconds = Double(words[4])
    else { return nil }
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
  }

  /// `eax=00000012 ebx=0c28ef60`, `rip=00007ff780351000 rsp=…`.
  private mutating func readRegisters(_ text: RawSpan) -> Bool {
    guard text.byteCount < 160, let equals = text.find(UInt8(ascii: "=")), equals > 1, equals < 4
    else { return false }
    var found: [Register] = []
    for word in text.name.split(separator: " ") {
      let parts = word.split(separator: "=")
      guard parts.count == 2, parts[0].count < 4, let value = UInt64(parts[1], radix: 16) else {
        continue
      }
      found.append(Register(String(parts[0]), value))
    }
    guard found.count > 1 else { return false }
    for register in found
    where registers.count < FormatLimits.registers
      && !registers.contains(where: { $0.name == register.name })
    {
      registers.append(register)
    }
    return true
  }

  /// ``00007ff7`80350000``, `0000000000fd13de`, with or without the mark in the middle.
  static func number(_ text: RawSpan) -> UInt64? {
    var index = 0
    guard let high = text.hexadecimalDigits(at: &index) else { return nil }
    guard text.byteOrZero(index) == UInt8(ascii: "`"), high <= UInt32.max else { return high }
    index += 1
    let start = index
    guard let low = text.hexadecimalDigits(at: &index), index == start + 8 else { return nil }
    return high << 32 | low
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    if let start = wrapped {
      wrapped = nil
      let whole = ByteView(start.utf8)
      if let row = WindowsStackRow(whole.bytes) { add(row) }
    }
    guard hasAnalysis || !stacks.isEmpty else { return nil }
    let code = code
    if let code {
      report.reason.type = WindowsException.name(code, parameters: parameters)
      report.reason.code =
        WindowsException.detail(code, parameters: parameters)
        ?? String(code, radix: 16)
    } else {
      report.reason.type = event
    }
    report.reason.message = words ?? event
    if report.reason.address == nil, parameters.count > 1,
      code == WindowsException.accessViolation || code == WindowsException.inPageError
    {
      report.reason.address = Address(parameters[1])
    }
    if report.os.name == nil { report.os.name = "Windows" }
    if registers.contains(where: { $0.name == "rip" }) {
      report.device.architecture = .x86_64
    } else if registers.contains(where: { $0.name == "eip" }) {
      report.device.architecture = .i386
    }
    if report.tags[.failureBucket]?.contains("APPLICATION_HANG") == true { report.kind = .hang }
    addThreads()
    report.images = modules.images
    if droppedFrames > 0 {
      report.notes.append("\(droppedFrames) frames beyond a limit were left out")
    }
    return report
  }

  private mutating func addThreads() {
    let main = mainStack
    if let main {
      let stack = stacks.remove(at: main)
      var thread = CrashThread(
        index: 0, id: stack.thread ?? faultingThread, name: stack.name, crashed: true,
        registers: registers)
      thread.frames = frames(of: stack.rows, isCrashed: true)
      report.threads = [thread]
      report.crashedThread = 0
    }
    for stack in stacks where stack.thread != nil && stack.thread != report.threads.first?.id {
      report.threads.append(
        CrashThread(
          index: report.threads.count, id: stack.thread, name: stack.name,
          frames: frames(of: stack.rows, isCrashed: false)))
    }
  }

  /// The stack of the crashed thread: the longest one known to be its own, the latest of several. The stack
  /// of `!analyze` may be synthetic or truncated.
  private var mainStack: Int? {
    let own = stacks.indices.filter {
      stacks[$0].thread == nil || stacks[$0].thread == faultingThread
    }
    return own.max { left, right in
      (stacks[left].rows.count, stacks[left].isAnalysis ? 0 : 1)
        < (stacks[right].rows.count, stacks[right].isAnalysis ? 0 : 1)
    }
  }

  private mutating func frames(of rows: [WindowsStackRow], isCrashed: Bool) -> [Frame] {
    var frames: [Frame] = []
    frames.reserveCapacity(rows.count)
    // The address of a frame is the return address of the one before it.
    var address = isCrashed ? instruction : nil
    var isFirst = true
    for row in rows {
      var frame = Frame(
        address: (row.address ?? address).map { Address($0) },
        position: isFirst && isCrashed ? .exact : .returnAddress, function: row.function,
        file: row.file, line: row.line, inlined: row.isInlined)
      frame.image = row.module.flatMap { modules.index(of: $0) }
      if row.function == nil, let offset = row.offset, row.module != nil {
        frame.imageOffset = ImageOffset(offset)
      } else {
        frame.symbolOffset = row.offset
      }
      frames.append(frame)
      guard !row.isInlined else { continue }
      isFirst = false
      address = row.returnAddress
      if address == 0 { address = nil }
    }
    // A name at the end of the line belongs to the next call that is not inlined.
    for index in frames.indices.reversed() where frames[index].inlined && index + 1 == frames.count
    {
      frames[index].inlined = false
    }
    if isCrashed, !frames.isEmpty, frames[0].file == nil, let sourceFile {
      frames[0].file = sourceFile
      frames[0].line = sourceLine
    }
    return frames
  }

  /// The instruction that failed.
  private var instruction: UInt64? {
    registers.first { $0.name == "rip" || $0.name == "eip" }?.value ?? exceptionAddress
  }
}
