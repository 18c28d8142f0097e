internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// The Linux kernel's line about a program's fault.
  static let linuxFault = ReportFormat("linux-fault")
}

extension Headline.Kind {
  /// `tern[12]: segfault at 0 ip …`.
  static let linuxFault = Headline.Kind("fault of a program")
}

/// Faults of programs in the log of the Linux kernel. Only the instruction of the stack is known:
///
///     tern[12]: segfault at 18 ip 0000556b2a4b613d sp 00007ffd4d8c6a50 error 4 in tern[556b2a4b6000+1000]   x86, SPARC
///     traps: tern[12] trap divide error ip:556b2a4b613d sp:7ffd4d8c6a50 error:0 in tern[13d,556b2a4b6000+1000]
///     tern[12]: unhandled level 2 translation fault (11) at 0x00000018, esr 0x92000046, in tern[aaaad0e40000+1000]   arm64
///     tern[12]: unhandled exception: DABT (lower EL), ESR 0x92000046, level 2 translation fault in tern[…]
///     tern[12]: unhandled signal 11 code 0x1 at 0x0000000000000018 in tern[2aaaaaa000+1000]   RISC-V
///     tern[12]: segfault (11) at 18 nip 10000754 lr 10000748 code 1 in tern[10000000+10000]   POWER
///
/// Since 6.9 the offset of the instruction in the file precedes the mapping.
///
/// Sources: `show_signal_msg` in `arch/x86/mm/fault.c`, `arch/x86/kernel/traps.c`, `arch/arm64/kernel/traps.c`,
/// `arch/riscv/kernel/traps.c`, `arch/powerpc/kernel/traps.c`, `arch/sparc/mm/fault_64.c` and `print_vma_addr`
/// of Linux.
enum LinuxFaultReader: LogReader {
  static let format = ReportFormat.linuxFault
  static let fileExtension = "txt"

  static let headlines = [
    rule("]: segfault at "), rule("]: segfault ("), rule("]: unhandled "), rule(" ip:"),
  ]

  private static func rule(_ mark: StaticString) -> HeadlineRule {
    HeadlineRule(.linuxFault, mark) { text, mark, lines in
      let line = lines.start(of: mark, in: text)
      let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 1024)
      let from = max(line, mark - 256)
      guard let fault = LinuxFaultLine(text.between(from, end)) else { return nil }
      return Headline.Location(start: from + fault.start, content: from + fault.start)
    }
  }

  /// The most lines after the first that may have registers.
  private static let detailLines = 48

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let line = text.between(headline.content, headline.line.upperBound).trimmed
    guard let fault = LinuxFaultLine(line) else { return nil }
    var parser = LinuxFaultParser(fault, line)
    var count = 0
    section.forEachLine(in: text) { line in
      count += 1
      let content = KernelLine(line).content
      return count < detailLines && parser.take(line.from(content).trimmed)
    }
    return LoggedReport(report: parser.finished())
  }
}

/// The parts of the line.
struct LinuxFaultLine {
  /// Where the program's name begins.
  let start: Int
  private(set) var name = ""
  private(set) var pid: Int?
  private(set) var type = ""
  private(set) var signal = "SIGSEGV"
  private(set) var address: UInt64?
  private(set) var instruction: UInt64?
  private(set) var stack: UInt64?
  /// The error code of x86.
  private(set) var error: UInt64?
  private(set) var image: String?
  /// The offset of the instruction in the image's file.
  private(set) var offset: UInt64?

  /// - Parameter line: The line, starting anywhere before the program's name.
  init?(_ line: RawSpan) {
    guard let program = Self.program(line) else { return nil }
    start = program.start
    name = line.between(program.start, program.open).name
    pid = program.pid
    let rest = line.from(program.end)
    let isKnown = readSegfault(rest) || readTrap(rest) || readUnhandled(rest)
    guard isKnown else { return nil }
    readImage(rest)
  }

  /// The name, which may hold blanks and brackets, before `[12]`: from the last known prefix on.
  private static func program(
    _ line: RawSpan
  ) -> (start: Int, open: Int, end: Int, pid: Int)? {
    var from = 0
    while let open = line.find(UInt8(ascii: "["), from: from) {
      from = open + 1
      var index = open + 1
      guard let pid = line.decimal(at: &index), let number = Int(exactly: pid),
        line.byteOrZero(index) == UInt8(ascii: "]"), open > 0
      else { continue }
      let rest = line.from(index + 1)
      guard
        rest.has(": segfault ") || rest.has(": unhandled ") || rest.has(" trap ")
          || rest.has(" general protection ")
      else { continue }
      var start = KernelLine(line).content
      if start > open { start = 0 }
      if line.has("traps: ", at: start) { start += 7 }
      // Fifteen bytes at most are kept of a name.
      if open - start > 15 {
        start = (line.findLast(32, before: open) ?? (start - 1)) + 1
      }
      guard start < open else { return nil }
      return (start, open, index + 1, number)
    }
    return nil
  }

  private static func hexadecimal(_ text: RawSpan, after mark: StaticString) -> UInt64? {
    guard let found = text.find(mark) else { return nil }
    var index = found + mark.utf8CodeUnitCount
    if text.has("0x", at: index) { index += 2 }
    return text.hexadecimalDigits(at: &index)
  }

  private mutating func readSegfault(_ text: RawSpan) -> Bool {
    guard text.has(": segfault ") else { return false }
    type = "segfault"
    address = Self.hexadecimal(text, after: " at ")
    instruction = Self.hexadecimal(text, after: " ip ") ?? Self.hexadecimal(text, after: " nip ")
    stack = Self.hexadecimal(text, after: " sp ")
    error = Self.hexadecimal(text, after: " error ")
    return address != nil && instruction != nil
  }

  private mutating func readTrap(_ text: RawSpan) -> Bool {
    guard let mark = text.find(" ip:") else { return false }
    let isTrap = text.has(" trap ")
    guard isTrap || text.has(" general protection ") else { return false }
    type = text.between(isTrap ? 6 : 1, mark).name
    instruction = Self.hexadecimal(text, after: " ip:")
    stack = Self.hexadecimal(text, after: " sp:")
    signal =
      switch type {
      case "divide error", "fp exception", "simd exception", "coprocessor error": "SIGFPE"
      case "invalid opcode": "SIGILL"
      case "int3", "debug": "SIGTRAP"
      case "stack segment", "segment not present", "alignment check", "invalid TSS": "SIGBUS"
      default: "SIGSEGV"
      }
    return instruction != nil
  }

  private mutating func readUnhandled(_ text: RawSpan) -> Bool {
    guard text.has(": unhandled ") else { return false }
    var words = text.from(12)
    let isException = words.has("exception: ")
    if isException, let esr = words.find(", ESR "), let comma = words.find(", ", from: esr + 6) {
      words = words.from(comma + 2)
    }
    var end = words.byteCount
    for mark: StaticString in [" (", " at ", " code ", " in ", ", esr "] {
      if let found = words.find(mark), found > 0 { end = min(end, found) }
    }
    type = words.upTo(end).name
    address = Self.hexadecimal(text, after: " at ")
    let number = text.number(after: " (") ?? text.number(after: "signal ")
    signal =
      switch number {
      case 4?: "SIGILL"
      case 5?: "SIGTRAP"
      case 7?: "SIGBUS"
      case 8?: "SIGFPE"
      default: type.contains("alignment") ? "SIGBUS" : "SIGSEGV"
      }
    // `unhandled interrupt` is another message.
    return isException || words.has("signal ") || type.contains("fault") || type.contains("abort")
      || type.contains("alignment")
  }

  /// ` in tern[13d,556b2a4b6000+1000]`, without the offset before 6.9.
  private mutating func readImage(_ text: RawSpan) {
    guard let mark = text.findLast(" in "), let close = text.find("]", from: mark),
      let open = text.upTo(close).findLast(UInt8(ascii: "[")), open > mark
    else { return }
    image = text.between(mark + 4, open).name
    let inner = text.between(open + 1, close)
    guard let comma = inner.find(UInt8(ascii: ",")) else { return }
    var index = 0
    offset = inner.upTo(comma).hexadecimalDigits(at: &index)
  }
}

/// A report of such a fault.
private struct LinuxFaultParser {
  private let fault: LinuxFaultLine
  private var report = CrashReport(format: .linuxFault)
  private var registers: [Register] = []

  init(_ fault: LinuxFaultLine, _ line: RawSpan) {
    self.fault = fault
    report.reason.message = line.name
  }

  /// Takes a line after the first; returns whether another one is wanted.
  mutating func take(_ text: RawSpan) -> Bool {
    if text.has("Code: ") {
      report.tags[.code] = text.from(6).name
      return true
    }
    // The registers of arm64 and RISC-V: `pc : 0000aaaad0e40754`, `x29: 0000ffffd0e40754 x28: …`.
    let words = text.name.split(separator: " ").filter { $0 != ":" }
    guard text.byteCount < 160, words.count > 1, words.count % 2 == 0 else { return true }
    var found: [Register] = []
    for index in stride(from: 0, to: words.count, by: 2) {
      let name = words[index].hasSuffix(":") ? words[index].dropLast() : words[index]
      guard name.utf8.count < 6, words[index + 1].utf8.count == 16,
        let value = UInt64(words[index + 1], radix: 16)
      else { return true }
      found.append(Register(String(name), value))
    }
    for register in found
    where registers.count < FormatLimits.registers
      && !registers.contains(where: { $0.name == register.name })
    {
      registers.append(register)
    }
    return true
  }

  consuming func finished() -> CrashReport {
    report.app.name = fault.name
    report.process.name = fault.name
    report.process.pid = fault.pid
    report.os.name = "Linux"
    report.reason.type = fault.type
    report.reason.signal = fault.signal
    report.reason.address = fault.address.map { Address($0) }
    if let error = fault.error, fault.type == "segfault" {
      report.reason.code = Self.access(error)
    }
    let instruction =
      fault.instruction ?? registers.first { $0.name == "pc" || $0.name == "epc" }?.value
    if registers.isEmpty {
      if let instruction { registers.append(Register("ip", instruction)) }
      if let stack = fault.stack { registers.append(Register("sp", stack)) }
    }
    var thread = CrashThread(index: 0, crashed: true, registers: registers)
    if let name = fault.image { addImage(name, instruction) }
    if let instruction {
      var frame = Frame(address: Address(instruction), position: .exact, trust: .context)
      if fault.image != nil { frame.image = 0 }
      frame.imageOffset = fault.offset.map { ImageOffset($0) }
      thread.frames = [frame]
    }
    report.threads = [thread]
    report.crashedThread = 0
    return report
  }

  private mutating func addImage(_ name: String, _ instruction: UInt64?) {
    var image = LoadedImage(name: name)
    if let offset = fault.offset {
      if let instruction, instruction >= offset { image.base = Address(instruction - offset) }
    } else if instruction != nil {
      report.notes.append(
        "the kernel does not say which part of \(name) was mapped, so the place in the file is not known"
      )
    }
    report.images = [image]
  }

  /// The bits of x86's page faults.
  private static func access(_ error: UInt64) -> String {
    let access = error & 16 != 0 ? "execute" : error & 2 != 0 ? "write" : "read"
    return access + (error & 1 != 0 ? ", protected" : ", not mapped")
  }
}
