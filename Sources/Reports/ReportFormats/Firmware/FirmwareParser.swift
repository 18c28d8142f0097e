internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a panic of firmware line by line.
struct FirmwareParser {
  private enum System { case esp, zephyr, cortex }

  private var system = System.cortex
  private var report = CrashReport(format: .firmware)
  private var registers: [String: UInt64] = [:]
  private var order: [Register] = []
  private var backtrace: [UInt64] = []
  private var isCorrupted = false
  private var isInStack = false
  private var fault: String?
  private var details: [String] = []
  private var thread: (id: UInt64?, name: String?)?
  private var address: UInt64?
  private var program: String?

  // MARK: Before the panic

  /// The app's name and version, which ESP-IDF prints when it starts; Zephyr's fault before its last words.
  mutating func readBefore(_ line: RawSpan) {
    if let mark = line.find("Project name:") {
      report.app.name = line.from(mark + 13).trimmed.name
    } else if let mark = line.find("App version:") {
      report.app.version = line.from(mark + 12).trimmed.name
    } else if let mark = line.find("ESP-IDF:"), line.contains("I (") {
      report.tags[.runtimeVersion] = line.from(mark + 8).trimmed.name
    } else if let mark = line.find("*** Booting ") {
      // Another start.
      reset()
      if line.contains("Zephyr OS"), let build = line.find("build ", from: mark) {
        let version = line.from(build + 6)
        report.tags[.runtimeVersion] = version.upTo(version.find(32) ?? version.byteCount).name
      }
    } else if line.has("***** ") || line.contains("> os: ***** ") || line.has("ASSERTION FAIL") {
      reset()
      readFault(line)
    } else if fault != nil {
      _ = read(line)
    }
  }

  private mutating func reset() {
    fault = nil
    details = []
    registers = [:]
    order = []
    address = nil
  }

  // MARK: Headlines

  /// `Core  1 panic'ed (LoadProhibited). Exception was unhandled.`
  mutating func readGuru(_ line: RawSpan) {
    system = .esp
    if let open = line.find("("), let close = line.find(")", from: open) {
      report.reason.type = line.between(open + 1, close).name
    }
    if let core = line.number(after: "Core  ") ?? line.number(after: "Core ") {
      report.properties["core"] = String(core)
    }
  }

  /// `abort() was called at PC 0x400d1a3c on core 0`, `assert failed: pay till.c:12 (coins > 0)`.
  mutating func readAbort(_ line: RawSpan) {
    system = .esp
    if line.has("assert failed: ") {
      report.reason.type = "assert failed"
      report.reason.message = line.from(15).name
    } else if line.has("***ERROR*** ") {
      report.reason.type = "stack overflow"
      report.reason.message = line.from(12).name
    } else if line.has("Task watchdog") {
      report.kind = .hang
      report.reason.type = "task watchdog"
    } else {
      report.reason.type = "abort"
      // The caller of abort; the stack begins further up.
    }
  }

  /// `19: Unknown error on CPU 0`.
  mutating func readZephyr(_ line: RawSpan) {
    system = .zephyr
    let colon = line.find(": ").map { $0 + 2 } ?? 0
    let end = line.find(" on CPU ") ?? line.byteCount
    report.reason.type = fault ?? line.between(colon, end).name
    report.reason.code = details.isEmpty ? nil : details.joined(separator: ", ")
  }

  /// `***** MPU FAULT *****`, `FaultType: HardFault`.
  mutating func readFault(_ line: RawSpan) {
    let start = line.find("***** ").map { $0 + 6 } ?? 0
    let rest = line.from(start)
    let words = rest.upTo(rest.find(" *****") ?? rest.byteCount).trimmed
    if words.has("Firmware name: ") {
      report.app.name = words.between(15, words.find(",") ?? words.byteCount).name
      if let version = words.find("software version: ") {
        report.app.version = words.from(version + 18).trimmed.name
      }
      fault = "fault"
    } else if words.has("++ ") || words.has("Context ") {
      fault = "HardFault"
    } else {
      fault = words.name.trimmingFaultSigns
    }
    report.reason.type = fault
  }

  // MARK: Lines

  /// Reads a line; returns whether it belongs to the report.
  mutating func read(_ line: RawSpan) -> Bool {
    if line.has("Backtrace:") || line.has("Backtrace :") { return readBacktrace(line) }
    if isInStack, line.byte(0).hexadecimalDigit != nil, line.contains(": 0x") { return true }
    if let mark = line.find("-e "), line.contains("addr2line") {
      return readCommand(line.from(mark + 3))
    }
    if let mark = line.find("Faulting instruction address") {
      let rest = line.from(line.find(": ", from: mark).map { $0 + 2 } ?? 0)
      var position = 0
      if let value = rest.hexadecimal(at: &position) { set("pc", value) }
      return true
    }
    if line.contains("MMFAR Address: ") || line.contains("BFAR Address: ") {
      address = line.number(after: "Address: ")
      return true
    }
    if let mark = line.find("Current thread: ") {
      let rest = line.from(mark + 16)
      var position = 0
      let id = rest.hexadecimal(at: &position)
      let open = rest.find("("), close = rest.findLast(UInt8(ascii: ")"))
      let name = open.flatMap { open in close.map { rest.between(open + 1, $0).name } }
      thread = (id, name == "unknown" ? nil : name)
      return true
    }
    if line.has("ELF file SHA256: ") {
      report.properties["elf_sha256"] = line.from(17).trimmed.name
      return true
    }
    if line.has("FaultType: ") {
      report.reason.type = line.from(11).trimmed.name
      return true
    }
    isInStack = line.has("Stack memory:")
    if isInStack || line.contains("register dump:") { return true }
    var found = false
    Self.forEachRegister(of: line) { name, value in
      found = true
      set(name, value)
    }
    if found { return true }
    return readDetail(line)
  }

  /// `Data Access Violation`, `Load access fault`: a description of the fault.
  private mutating func readDetail(_ line: RawSpan) -> Bool {
    guard fault != nil, details.count < 4, line.byteCount < 128, line.byte(0).isLetter else {
      return false
    }
    for words: StaticString in [
      "Violation", "violation", "fault", "error", "Illegal", "Attempt", "Stacking", "Unstacking",
      "mcause", "instruction",
    ] where line.contains(words) {
      details.append(line.name)
      return true
    }
    return false
  }

  private mutating func set(_ name: String, _ value: UInt64) {
    guard order.count < FormatLimits.registers, registers[name] == nil else { return }
    registers[name] = value
    order.append(Register(name, value))
  }

  /// `0x400d1a3c:0x3ffb1f70 0x400d1a7d:0x3ffb1f90 |<-CORRUPTED`.
  private mutating func readBacktrace(_ line: RawSpan) -> Bool {
    var position = 0
    while let mark = line.find("0x", from: position), backtrace.count < FormatLimits.framesPerStack
    {
      position = mark
      guard let value = line.hexadecimal(at: &position) else { break }
      guard line.has(":0x", at: position) else { continue }
      position += 1
      _ = line.hexadecimal(at: &position)
      if value > 0 { backtrace.append(value) }
    }
    isCorrupted = line.contains("CORRUPTED")
    return true
  }

  /// `addr2line -e tern.axf -afpiC 08000a60 08000141`.
  private mutating func readCommand(_ line: RawSpan) -> Bool {
    let words = line.name.split(separator: " ").map(String.init)
    program = words.first
    for word in words.dropFirst().prefix(256) where !word.hasPrefix("-") {
      let digits = word.hasPrefix("0x") ? String(word.dropFirst(2)) : word
      if let value = UInt64(digits, radix: 16) { backtrace.append(value) }
    }
    return true
  }

  /// Calls `body` with each `NAME : 0x…` or `NAME = …` of a line, names in their usual form.
  static func forEachRegister(of line: RawSpan, _ body: (String, UInt64) -> Void) {
    var position = 0
    while position < line.byteCount {
      guard line.byte(position).isLetter, position == 0 || !line.byte(position - 1).isLetter else {
        position += 1
        continue
      }
      let start = position
      while position < line.byteCount,
        line.byte(position).isLetter || line.byte(position).isDigit
          || line.byte(position) == UInt8(ascii: "/")
      {
        position += 1
      }
      var nameEnd = position
      // Mbed's `R   0: 00000000`.
      var next = line.skippingBlanks(from: position)
      if position - start == 1, line.byteOrZero(next).isDigit {
        var end = next
        _ = line.decimal(at: &end)
        nameEnd = end
        position = end
        next = line.skippingBlanks(from: end)
      }
      guard [UInt8(ascii: ":"), UInt8(ascii: "=")].contains(line.byteOrZero(next)) else { continue }
      let word = line.between(start, nameEnd).name.lowercased().filter { $0 != " " }
      guard let name = registerName(word) else { continue }
      var digits = line.skippingBlanks(from: next + 1)
      if line.has("0x", at: digits) { digits += 2 }
      let first = digits
      guard let value = line.hexadecimalDigits(at: &digits), digits - first >= 4 || value == 0
      else {
        continue
      }
      position = digits
      body(name, value)
    }
  }

  /// `r15/pc` and `r0/a1` are registers of Arm; the names of Xtensa and RISC-V are their own.
  private static func registerName(_ word: String) -> String? {
    if word.contains("/") {
      let parts = word.split(separator: "/").map(String.init)
      guard parts.count == 2 else { return nil }
      return ["pc", "lr", "ip"].contains(parts[1]) ? parts[1] : parts[0]
    }
    let known = [
      "pc", "lr", "sp", "psr", "xpsr", "ra", "gp", "tp", "fp", "ps", "sar", "excvaddr", "exccause",
      "lbeg", "lend", "lcount", "mepc", "mtval", "mcause", "mstatus", "mtvec", "mhartid", "epc1",
      "msp", "psp", "cfsr", "hfsr", "mmfar", "bfar", "epsr", "apsr",
    ]
    if known.contains(word) { return word }
    guard let letter = word.first, "rasxt".contains(letter), word.count <= 3 else { return nil }
    return word.dropFirst().allSatisfy(\.isNumber) && word.count > 1 ? word : nil
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    let isRISCV = registers["mepc"] != nil
    let isArm = system == .cortex || system == .zephyr && registers["mepc"] == nil
    if isRISCV {
      report.device.architecture = .riscv32
    } else if isArm {
      report.device.architecture = .arm
    }
    var frames: [Frame] = []
    func add(_ value: UInt64, _ position: CodePosition) {
      var frame = Frame(address: Address(value), position: position)
      frame.image = 0
      frame.imageOffset = ImageOffset(value)
      frames.append(frame)
    }
    let counter = registers["pc"] ?? registers["mepc"]
    if let counter { add(isArm ? counter & ~1 : counter, .exact) }
    for (index, value) in backtrace.enumerated() {
      // The first one repeats the instruction that failed, or is a few bytes before it.
      if index == 0, let counter, value <= counter, counter - value <= 4 { continue }
      add(isArm ? value & ~1 : value, index == 0 && counter == nil ? .exact : .adjusted)
    }
    let link = registers["lr"] ?? registers["ra"]
    if backtrace.isEmpty, let link, link > 0, link < 0xffff_ff00 {
      add(isArm ? link & ~1 : link, .returnAddress)
    }
    guard !frames.isEmpty || report.reason.type != nil else { return nil }
    takeAddress()
    let name = program ?? report.app.name.map { "\($0).elf" } ?? "firmware"
    var image = LoadedImage(name: name, architecture: report.device.architecture, base: Address(0))
    image.version = report.app.version
    report.images = frames.isEmpty ? [] : [image]
    report.os.name = system == .esp ? "ESP-IDF" : system == .zephyr ? "Zephyr" : nil
    report.threads = [
      CrashThread(
        index: 0, id: thread?.id, name: thread?.name, crashed: true, registers: order,
        frames: frames)
    ]
    report.crashedThread = 0
    if frames.isEmpty { report.notes.append("the report has no stack") }
    if isCorrupted { report.notes.append("the stack is corrupted beyond its last frame") }
    return report
  }

  /// The address of an access: the registers hold old ones after another kind of failure.
  private mutating func takeAddress() {
    let type = (report.reason.type ?? "").lowercased()
    let isAccess = ["prohibited", "load", "store", "access", "mpu", "bus", "mem"].contains {
      type.contains($0)
    }
    guard isAccess else { return }
    let value =
      address ?? registers["excvaddr"] ?? registers["mtval"] ?? registers["mmfar"]
      ?? registers["bfar"]
    report.reason.address = value.map { Address($0) }
  }
}

extension String {
  /// `[Hard fault handler - all numbers in hex]` and `HardFault!` without their signs.
  fileprivate var trimmingFaultSigns: String {
    let words = prefix { $0 != "!" && $0 != "]" && $0 != ":" }.drop { "[* ".contains($0) }
    return String((words.isEmpty ? self[...] : words).prefix(64))
  }
}
