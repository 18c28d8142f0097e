internal import Bytes
internal import CrashModel
internal import Identifiers

extension BSDKernelParser {
  /// Reads a line outside the stacks.
  @discardableResult
  mutating func readFact(_ text: RawSpan) -> Bool {
    readAssignment(text) || readRegisters(text) || readLock(text) || readProcess(text)
      || readOther(text)
  }

  /// `uvm_fault(0xfffffd807eb0ca28, 0x18, 0, 1) -> e`: the second is the address.
  mutating func readFault(_ text: RawSpan) {
    guard let comma = text.find(", ") else { return }
    var index = comma + 2
    report.reason.address = text.hexadecimal(at: &index).map { Address($0) }
  }

  /// `fault virtual address	= 0x18`, `current process		= 3094 (tern)`.
  private mutating func readAssignment(_ text: RawSpan) -> Bool {
    guard let equals = text.find("= "), equals > 0, equals < 40, text.byte(0).isLetter else {
      return false
    }
    let key = text.upTo(equals).trimmed
    let value = text.from(equals + 2).trimmed
    switch key.name {
    case "fault virtual address":
      report.reason.address = hexadecimal(value).map { Address($0) }
    case "fault code": report.reason.code = value.name
    case "instruction pointer":
      instruction = hexadecimal(value)
      addRegister("rip", instruction)
    case "stack pointer": addRegister("rsp", hexadecimal(value))
    case "frame pointer": addRegister("rbp", hexadecimal(value))
    case "current process":
      var index = 0
      report.process.pid = value.decimal(at: &index).flatMap { Int(exactly: $0) }
      if let open = value.find("("), let close = value.findLast(UInt8(ascii: ")")), open < close {
        setTask(value.between(open + 1, close).name)
      }
    case "time":
      var index = 0
      // Machines without a clock of their own start in 1970.
      if let seconds = value.decimal(at: &index), seconds > 1_000_000_000, seconds < 1 << 36 {
        report.time = report.time ?? Timestamp(seconds: Int64(seconds))
      }
    case "cpuid", "code segment", "processor eflags", "trap number": break
    default: return false
    }
    return true
  }

  /// `0xffffffff12852143`, or after its segment: `0x20:0xffffffff8102fe62`.
  private func hexadecimal(_ value: RawSpan) -> UInt64? {
    var index = (value.find(UInt8(ascii: ":")) ?? -1) + 1
    return value.hexadecimal(at: &index)
  }

  private mutating func addRegister(_ name: String, _ value: UInt64?) {
    guard let value, registers.count < FormatLimits.registers,
      !registers.contains(where: { $0.name == name })
    else { return }
    registers.append(Register(name, value))
  }

  private static let registerNames: Set<String> = [
    "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
    "r14", "r15", "rip", "rflags", "cs", "ss", "cr2", "eax", "ebx", "ecx", "edx", "esi", "edi",
    "ebp",
    "esp", "eip", "eflags", "elr", "spsr", "far", "esr", "sp", "lr", "pc",
  ]

  private static func isRegister(_ name: String) -> Bool {
    registerNames.contains(name)
      || name.first == "x" && name.count < 4 && name.dropFirst().allSatisfy { $0.isNumber }
        && name.count > 1
  }

  /// `trap type 6 code 0 rip 0xffffffff80221a45 cs 0x8 …` of NetBSD, ` far: 0000000000000048` of FreeBSD on arm,
  /// `rdi   0x1` of OpenBSD's debugger.
  private mutating func readRegisters(_ text: RawSpan) -> Bool {
    guard text.byteCount < 256 else { return false }
    if text.has("trap type ") {
      let words = text.name.split(separator: " ")
      for (name, value) in zip(words, words.dropFirst())
      where Self.registerNames.contains(String(name)) {
        addRegister(String(name), UInt64(value.dropFirst(value.hasPrefix("0x") ? 2 : 0), radix: 16))
      }
      if report.reason.address == nil,
        let address = registers.first(where: { $0.name == "cr2" })?.value, text.has("trap type 6 ")
      {
        report.reason.address = Address(address)
      }
      return true
    }
    guard let end = text.upTo(8).find(UInt8(ascii: ":")) ?? text.upTo(8).find(32) else {
      return false
    }
    let name = text.upTo(end).name
    guard Self.isRegister(name), isListingRegisters || text.byte(end) == UInt8(ascii: ":") else {
      return false
    }
    var index = text.skippingBlanks(from: end + 1)
    let value =
      text.has("0x", at: index) ? text.hexadecimal(at: &index) : text.hexadecimalDigits(at: &index)
    addRegister(name, value)
    if name == "far", report.reason.address == nil {
      report.reason.address = value.map { Address($0) }
    }
    return true
  }

  /// ` 1st 0xfffffd806e97dc08 inode (&ip->i_lock)`.
  private mutating func readLock(_ text: RawSpan) -> Bool {
    guard text.has("1st 0x") || text.has("2nd 0x"), locks.count < 2 else { return false }
    var index = 4
    guard text.hexadecimal(at: &index) != nil, text.byteOrZero(index) == 32 else { return false }
    let rest = text.from(index + 1)
    locks.append(rest.upTo(rest.find(32) ?? rest.byteCount).name)
    return true
  }

  /// `*329861   4439      0         0x2          0    0K tern`, and `[ thread pid 12 tid 100016 ]`.
  private mutating func readProcess(_ text: RawSpan) -> Bool {
    if text.has("[ thread pid ") {
      var index = 13
      let pid = text.decimal(at: &index)
      if report.process.pid == nil { report.process.pid = pid.flatMap { Int(exactly: $0) } }
      setThread(text.number(after: " tid "))
      return true
    }
    if text.has("TID ") && text.contains(" PID ") && text.contains(" COMMAND") {
      system = system ?? .openBSD
      return true
    }
    guard text.byteOrZero(0) == UInt8(ascii: "*"), system == .openBSD, report.process.pid == nil,
      text.byteCount < 256
    else { return false }
    let words = text.from(1).name.split(separator: " ", maxSplits: 6)
    guard words.count == 7, let thread = UInt64(words[0]), let pid = Int(words[1]) else {
      return false
    }
    setThread(thread)
    report.process.pid = pid
    setTask(String(words[6]))
    return true
  }

  private mutating func readOther(_ text: RawSpan) -> Bool {
    if text.has("uvm_fault(") {
      readFault(text)
    } else if text.has("Uptime: ") {
      report.process.uptime = Self.seconds(text.from(8).name)
    } else if text.has("KDB: ") {
      system = system ?? .freeBSD
    } else if text.has("https://www.openbsd.org/ddb.html") {
      system = .openBSD
    } else if text.has("Debugger(\"panic\")") {
      system = .dragonFly
    } else {
      return false
    }
    return true
  }

  /// `3d4h12m34s`.
  private static func seconds(_ text: String) -> Double? {
    var total = 0.0
    var number: Double?
    for character in text {
      if let digit = character.wholeNumberValue, (number ?? 0) < 1e9 {
        number = (number ?? 0) * 10 + Double(digit)
        continue
      }
      let unit: Double? =
        switch character {
        case "d": 86_400
        case "h": 3600
        case "m": 60
        case "s": 1
        default: nil
        }
      guard let unit, let value = number else { return nil }
      total += value * unit
      number = nil
    }
    return number == nil && total > 0 ? total : nil
  }
}
