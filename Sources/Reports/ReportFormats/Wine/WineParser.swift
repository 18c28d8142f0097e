internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a crash under Wine line by line.
struct WineParser {
  private enum Block { case head, registers, stack, backtrace, modules, threads, system }

  private(set) var isComplete = false
  private var report = CrashReport(format: .wine)
  private var images = NamedImages()
  private var frames: [Frame] = []
  private var registers: [Register] = []
  private var block = Block.head
  private var budget = StackBudget()

  /// `page fault on read access to 0x00000018 in 64-bit code (0x0000000140001a2c).`
  mutating func readReason(_ line: RawSpan) {
    let end =
      line.find(" in 64-bit code") ?? line.find(" in 32-bit code") ?? line.find(" at address ")
    let words = line.upTo(end ?? line.byteCount)
    report.device.architecture =
      line.contains("32-bit") ? .i386 : line.contains("64-bit") ? .x86_64 : nil
    report.reason.message = words.name.cutMessage
    if words.has("page fault") {
      report.reason.type = "EXCEPTION_ACCESS_VIOLATION"
      if let mark = words.find("access to ") {
        var digits = mark + (words.has("0x", at: mark + 10) ? 12 : 10)
        report.reason.address = words.hexadecimalDigits(at: &digits).map { Address($0) }
      }
      report.reason.code =
        words.contains("on write") ? "WRITE" : words.contains("on execute") ? "EXEC" : "READ"
    } else if words.has("0x") {
      var position = 0
      let code = words.hexadecimal(at: &position).flatMap { UInt32(exactly: $0) }
      report.reason.type = code.map { WindowsException.name($0, parameters: []) }
    } else {
      let known = Self.names.first { words.name.hasPrefix($0.0) }?.1
      report.reason.type = known ?? words.upTo(words.find("(") ?? words.byteCount).trimmed.name
    }
  }

  private static let names = [
    ("divide by zero", "EXCEPTION_INT_DIVIDE_BY_ZERO"),
    ("stack overflow", "EXCEPTION_STACK_OVERFLOW"),
    ("illegal instruction", "EXCEPTION_ILLEGAL_INSTRUCTION"),
    ("privileged instruction", "EXCEPTION_PRIV_INSTRUCTION"),
    ("breakpoint", "EXCEPTION_BREAKPOINT"),
    ("C++ exception", "Unhandled C++ Exception"), ("assertion failed", "STATUS_ASSERTION_FAILURE"),
    ("unimplemented function", "unimplemented function"),
  ]

  // MARK: Lines

  /// Reads a line; returns whether it belongs to the report.
  mutating func read(_ line: RawSpan) -> Bool {
    guard line.byteCount > 0 else { return true }
    if let next = Self.heading(line) {
      block = next
      return true
    }
    switch block {
    case .head: return false
    case .registers: return readRegisters(line)
    case .stack: return line.has("0x") || line.has("Backtrace")
    case .backtrace: return readFrame(line)
    case .modules: return readModule(line) || line.has("Module") || line.has("\\-")
    case .threads: return readThread(line)
    case .system: return readSystem(line)
    }
  }

  private static func heading(_ line: RawSpan) -> Block? {
    if line.has("Register dump:") { return .registers }
    if line.has("Stack dump:") { return .stack }
    if line.has("Backtrace:") { return .backtrace }
    if line.has("Modules:") { return .modules }
    if line.has("Threads:") { return .threads }
    return line.has("System information:") ? .system : nil
  }

  /// `rip:0000000140001a2c rsp:000000000011fe60 eflags:00010246 (  R- --  I )`.
  private mutating func readRegisters(_ line: RawSpan) -> Bool {
    var position = 0
    var found = false
    while let colon = line.find(UInt8(ascii: ":"), from: position) {
      var start = colon
      while start > 0, line.byte(start - 1).isLetter || line.byte(start - 1).isDigit { start -= 1 }
      var digits = colon + 1
      guard start < colon, colon - start < 8, let value = line.hexadecimalDigits(at: &digits) else {
        position = colon + 1
        continue
      }
      found = true
      position = digits
      if registers.count < FormatLimits.registers {
        registers.append(Register(line.between(start, colon).name.lowercased(), value))
      }
    }
    return found
  }

  /// `=>0 0x0000000140001a2c tern::Till::pay+0x1c(this=…) [C:\\src\\till.cc:212] in tern (0x000000000011fe90)`.
  private mutating func readFrame(_ line: RawSpan) -> Bool {
    var position = line.has("=>") ? 2 : 0
    guard line.decimal(at: &position) != nil, line.byteOrZero(position) == 32 else { return false }
    position = line.skippingBlanks(from: position)
    guard let address = line.hexadecimal(at: &position) else { return false }
    guard budget.takeFrame() else { return true }
    var frame = Frame(
      address: Address(address), position: frames.isEmpty ? .exact : .returnAddress)
    var rest = line.from(position).trimmed
    // The frame's own address.
    if rest.ends(with: ")"), let open = rest.findLast("(0x") { rest = rest.upTo(open).trimmed }
    if rest.ends(with: ")"), let open = rest.findLast("(+0x") {
      var digits = open + 2
      frame.imageOffset = rest.hexadecimal(at: &digits).map { ImageOffset($0) }
      rest = rest.upTo(open).trimmed
    }
    if let mark = rest.findLast(" in ") ?? (rest.has("in ") ? 0 : nil) {
      let start = rest.has("in ", at: mark) ? mark + 3 : mark + 4
      let module = rest.from(start).trimmed
      if module.find(32) == nil {
        frame.image = images.index(of: module.name)
        rest = rest.upTo(mark).trimmed
      }
    }
    if rest.ends(with: "]"), let open = rest.findLast(" [") ?? (rest.has("[") ? 0 : nil) {
      let location = SourceLocation(rest.part(open..<(rest.byteCount - 1)).trimmed.from(1))
      frame.file = location.file
      frame.line = location.line
      rest = rest.upTo(open).trimmed
    }
    readFunction(rest, of: &frame)
    frames.append(frame)
    return true
  }

  /// `tern::Till::pay+0x1c(this=0000)`, `tern+0x1a2c`, `tern.exe+0x1a2c()`.
  private mutating func readFunction(_ text: RawSpan, of frame: inout Frame) {
    guard text.byteCount > 0, !text.has("EntryPoint") else { return }
    if let plus = text.find("+0x") {
      var digits = plus + 1
      frame.symbolOffset = text.hexadecimal(at: &digits)
      frame.function = text.upTo(plus).name
    } else {
      frame.function = text.upTo(text.find("(") ?? text.byteCount).trimmed.name
    }
  }

  /// `PE	       140000000-       14001f000	Dwarf           tern`.
  private mutating func readModule(_ line: RawSpan) -> Bool {
    guard line.has("PE") || line.has("ELF") || line.has("Mach-O"),
      let dash = line.find(UInt8(ascii: "-"), from: line.find(9) ?? line.find(32) ?? 0)
    else { return false }
    var start = dash
    while start > 0, line.byte(start - 1).hexadecimalDigit != nil { start -= 1 }
    var position = start
    guard let base = line.hexadecimalDigits(at: &position), position == dash else { return true }
    position = line.skippingBlanks(from: dash + 1)
    guard let end = line.hexadecimalDigits(at: &position), end > base else { return true }
    let rest = line.from(position).trimmed
    guard let gap = rest.find(32) ?? rest.find(9) else { return true }
    let name = rest.from(gap).trimmed
    guard let index = images.index(of: name.name) else { return true }
    images.images[index].base = Address(base)
    images.images[index].size = end - base
    return true
  }

  /// `00000120 (D) C:\\tern\\tern.exe`: the process that was debugged.
  private mutating func readThread(_ line: RawSpan) -> Bool {
    if let mark = line.find("(D) ") {
      var position = 0
      report.process.pid = line.hexadecimalDigits(at: &position).flatMap { Int(exactly: $0) }
      let path = line.from(mark + 4).trimmed.name
      report.process.path = path
      report.process.name = path.split(separator: "\\").last.map(String.init)
      report.app.name = report.process.name
    }
    return line.has("process") || line.byte(0).hexadecimalDigit != nil
  }

  private mutating func readSystem(_ line: RawSpan) -> Bool {
    // The rest belongs to another report, though it may look like this one.
    guard let colon = line.find(": "), Self.systemFacts.contains(where: { line.has($0) }) else {
      isComplete = true
      return false
    }
    let value = line.from(colon + 2).trimmed.name
    if line.has("Wine build") { report.tags[.runtimeVersion] = value }
    if line.has("Version: Windows ") { report.os.version = String(value.dropFirst(8)) }
    if line.has("Host version") { isComplete = true }
    return true
  }

  private static let systemFacts: [StaticString] = [
    "Wine build: ", "Platform: ", "Version: ", "Host system: ", "Host version: ",
  ]

  // MARK: The report

  consuming func finished() -> CrashReport? {
    report.os.name = "Windows"
    let indices = Dictionary(
      images.images.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for index in frames.indices {
      // Without a symbol, the module's name takes its place.
      if let name = frames[index].function, let image = indices[name] {
        frames[index].image = image
        frames[index].imageOffset = frames[index].symbolOffset.map { ImageOffset($0) }
        frames[index].function = nil
        frames[index].symbolOffset = nil
      }
      guard let image = frames[index].image, frames[index].imageOffset == nil,
        let address = frames[index].address
      else { continue }
      frames[index].imageOffset = images.images[image].offset(of: address)
    }
    report.images = images.images
    for index in report.images.indices {
      report.images[index].architecture = report.device.architecture
    }
    if frames.isEmpty { report.notes.append("the report has no stack") }
    report.threads = [
      CrashThread(index: 0, crashed: true, registers: registers, frames: frames)
    ]
    report.crashedThread = 0
    if report.app.name == nil {
      let program = report.images.first { $0.name.lowercased().hasSuffix(".exe") }
      report.process.name = program?.name
      report.app.name = program?.name
    }
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
