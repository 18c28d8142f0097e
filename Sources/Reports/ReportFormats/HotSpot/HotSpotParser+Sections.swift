internal import Bytes
internal import CrashModel
internal import Identifiers

extension HotSpotParser {
  mutating func readAny(_ line: RawSpan) {
    if line.byteCount == 0 {
      // Registers and stacks have no empty lines; nor do the lists of threads and libraries.
      if step != .operatingSystem || report.os.version != nil { step = .none }
      return
    }
    if startsSection(line) { return }
    switch step {
    case .registers: readRegisters(line)
    case .native: readFrame(line, isJava: false)
    case .java: readFrame(line, isJava: true)
    case .threads: readThread(line)
    case .libraries: images.take(line)
    case .operatingSystem:
      step = .none
      readSystem(line)
    case .compileTask:
      step = .none
      report.tags[.compileTask] = line.name
    case .none: readValue(line)
    }
  }

  /// Takes the first line of a list.
  private mutating func startsSection(_ line: RawSpan) -> Bool {
    if line.has("Native frames: ") {
      step = .native
    } else if line.has("Java frames: ") {
      step = .java
    } else if line.has("Registers:"), line.byteCount < 12 {
      step = .registers
    } else if line.has("Java Threads: ") || line.has("Other Threads:") {
      step = .threads
    } else if line.has("Dynamic libraries:") {
      step = .libraries
    } else if line.has("Current CompileTask:") {
      step = .compileTask
    } else if line.has("OS:"), report.os.version == nil {
      step = .operatingSystem
      let rest = line.from(3).trimmed
      if rest.byteCount > 0 {
        step = .none
        readSystem(rest)
      }
    } else {
      return false
    }
    return true
  }

  private mutating func readValue(_ line: RawSpan) {
    if line.has("Current thread ") {
      readCurrent(line)
    } else if line.has("siginfo:") {
      readSignal(line.from(8).trimmed)
    } else if line.has("Time: ") || line.has("time: ") {
      readTime(line.from(6))
    } else if line.has("timezone: ") {
      zone = line.from(10).trimmed.name
    } else if line.has("elapsed time: ") {
      readUptime(line)
    } else if line.has("java_command: ") {
      readCommand(line.from(14))
    } else if line.has("jvm_args: ") {
      report.properties["jvm_args"] = Self.withoutSecrets(line.from(10))
    } else if line.has("Command Line: ") {
      let arguments = Self.withoutSecrets(line.from(14))
      if report.properties["jvm_args"] == nil {
        report.properties["jvm_args"] = Self.options(arguments)
      }
    } else if line.has("vm_info: ") {
      readPlatform(line)
      if report.tags[.runtimeName] == nil { report.tags[.runtimeName] = line.from(9).name }
    } else if line.has("uname:") {
      readName(line.from(6).trimmed)
    } else if line.has("CPU:") || line.has("CPU: ") {
      readProcessors(line.from(4).trimmed)
    } else if section == .thread, line.has("RAX=") || line.has("EAX=") || line.has("pc =") {
      step = .registers
      readRegisters(line)
    } else if line.has("...<more frames>...") {
      report.notes.append("the stack was cut off by the Java machine")
    }
  }

  // MARK: The thread

  /// `Current thread (0x00007fcf2c017ff0):  JavaThread "main" [_thread_in_vm, id=25168, stack(…)]`
  private mutating func readCurrent(_ line: RawSpan) {
    guard let colon = line.find("):") ?? line.find(": ") else { return }
    hasThread = true
    let (name, id) = Self.thread(line.from(colon + 2).trimmed)
    current.name = name
    current.id = id ?? current.id
  }

  /// `JavaThread "main" daemon [_thread_blocked, id=25168, stack(…)]`, `GCTaskThread "GC Thread#0" [stack: …]`
  private static func thread(_ text: RawSpan) -> (name: String?, id: UInt64?) {
    let id = text.number(after: "id=")
    guard let open = text.find(UInt8(ascii: "\"")) else {
      let end = text.find(" [") ?? text.byteCount
      let name = text.upTo(end).trimmed.name
      return (name.isEmpty ? nil : name, id)
    }
    let end =
      text.find("\" [", from: open + 1) ?? text.find("\" daemon", from: open + 1)
      ?? text.findLast(UInt8(ascii: "\"")) ?? text.byteCount
    return (text.between(open + 1, max(end, open + 1)).name, id)
  }

  /// `=>0x00007fcf2c017ff0 JavaThread "main" [_thread_in_vm, id=25168, stack(…)]`
  private mutating func readThread(_ line: RawSpan) {
    var isCurrent = false
    var position = 0
    if line.has("=>") {
      isCurrent = true
      position = 2
    }
    guard line.hexadecimal(at: &position) != nil, line.contains("Thread"), counter.addsStack()
    else {
      return
    }
    let (name, id) = Self.thread(line.from(position).trimmed)
    let isCrashed = isCurrent && !report.threads.contains { $0.crashed }
    report.threads.append(
      CrashThread(index: report.threads.count, id: id, name: name, crashed: isCrashed))
  }

  private mutating func readFrame(_ line: RawSpan, isJava: Bool) {
    if line.has("...<more frames>...") {
      report.notes.append("the stack was cut off by the Java machine")
      return
    }
    guard let frame = HotSpotFrame(line) else { return }
    if isJava {
      if javaStack.count < FormatLimits.framesPerStack { javaStack.append(frame) }
    } else if stack.count < FormatLimits.framesPerStack {
      stack.append(frame)
    }
  }

  /// `RAX=0x0000000000000000, RBX=0x00007fcf2c017ff0`, `r0 =0x1 r1 = 0x2`
  private mutating func readRegisters(_ line: RawSpan) {
    // Vectors have no single value.
    if line.has("XMM[") || line.has("MXCSR") { return }
    var position = 0
    while let equals = line.find(UInt8(ascii: "="), from: position) {
      var end = equals
      while end > position, line.byte(end - 1).isBlank { end -= 1 }
      var start = end
      while start > position, line.byte(start - 1).isLetter || line.byte(start - 1).isDigit {
        start -= 1
      }
      var digits = line.skippingBlanks(from: equals + 1)
      position = equals + 1
      guard start < end, end - start < 12, registers.count < FormatLimits.registers else {
        continue
      }
      let hasMark = line.has("0x", at: digits)
      guard let value = hasMark ? line.hexadecimal(at: &digits) : nil else { continue }
      let name = line.between(start, end).name.lowercased()
      // The next section repeats the values, with what they point to.
      if !registers.contains(where: { $0.name == name }) {
        registers.append(Register(name, value))
      }
      position = digits
    }
  }

  /// `si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x08`, before JDK 9 `si_addr=0x08`;
  /// `si_signo: 11 (SIGSEGV), si_code: 0 (SI_USER), si_pid: 1249, si_uid: 1000` of one that was sent;
  /// `ExceptionCode=0xc0000005, reading address 0x08`.
  private mutating func readSignal(_ line: RawSpan) {
    if let code = line.find("si_code"), let open = line.find(" (", from: code),
      let close = line.find(UInt8(ascii: ")"), from: open)
    {
      report.reason.code = line.between(open + 2, close).name
    }
    let address =
      line.number(after: "si_addr: ") ?? line.number(after: "si_addr=")
      ?? line.number(after: "ing address ")
    report.reason.address = address.map { Address($0) }
    if report.reason.hasSender,
      let process = line.number(after: "si_pid: ") ?? line.number(after: "si_pid=")
    {
      report.setSignalSender(
        process: process, user: line.number(after: "si_uid: ") ?? line.number(after: "si_uid="))
    }
    if line.contains("reading address") { report.tags[.access] = "READ" }
    if line.contains("writing address") { report.tags[.access] = "WRITE" }
  }

  // MARK: The process

  /// `Sat Nov 21 02:42:11 2026 UTC elapsed time: 0.119474 seconds (0d 0h 0m 0s)`
  private mutating func readTime(_ line: RawSpan) {
    guard time == nil else { return }
    let end = line.find(" elapsed time: ") ?? line.byteCount
    let text = line.upTo(end).trimmed
    time = text.upTo(24).name
    let rest = text.from(24).trimmed
    if rest.byteCount > 0 { zone = rest.name }
    if end < line.byteCount { readUptime(line.from(end + 1)) }
  }

  /// `elapsed time: 0.119474 seconds (0d 0h 0m 0s)`
  private mutating func readUptime(_ line: RawSpan) {
    let rest = line.from(14)
    let end = rest.find(" seconds") ?? rest.find(32) ?? rest.byteCount
    report.process.uptime = Double(rest.upTo(end).trimmed.name)
  }

  /// The main class or archive; the rest are arguments, which may hold secrets.
  private mutating func readCommand(_ line: RawSpan) {
    let end = line.find(32) ?? line.byteCount
    let command = line.upTo(end).name
    guard !command.isEmpty, command != "<unknown>" else { return }
    report.app.name = command.split(separator: "/").last.map(String.init) ?? command
    report.process.name = report.app.name
  }

  /// The options of the virtual machine, without those whose name indicates a secret.
  private static func withoutSecrets(_ text: RawSpan) -> String {
    let secrets = ["pass", "secret", "token", "key", "credential", "pwd", "auth"]
    return text.name.split(separator: " ").map { word -> Substring in
      guard let equals = word.firstIndex(of: "=") else { return word }
      let name = word[..<equals].lowercased()
      return secrets.contains { name.contains($0) } ? word[...equals] + "<removed>" : word
    }.joined(separator: " ")
  }

  /// The options before the main class.
  private static func options(_ command: String) -> String {
    command.split(separator: " ").prefix { $0.hasPrefix("-") }.joined(separator: " ")
  }

  // MARK: The system

  /// `Debian GNU/Linux 12 (bookworm)`, `PRETTY_NAME="…"`, `Windows 10 , 64 bit Build 17763`
  private mutating func readSystem(_ line: RawSpan) {
    var text = line
    if text.has("PRETTY_NAME=\"") { text = text.from(13).upTo(text.byteCount - 14) }
    let name = text.name
    guard !name.isEmpty else { return }
    if name.hasPrefix("Windows") {
      report.os.name = "Windows"
      report.os.version = name
    } else {
      if report.os.name == nil, name.contains("Linux") { report.os.name = "Linux" }
      report.tags[.distribution] = name
    }
  }

  /// `Linux 4.18.0-193.el8.x86_64 #1 SMP … x86_64`, `SunOS 5.11 11.4.32.88.3 sun4v`
  private mutating func readName(_ line: RawSpan) {
    let words = line.name.split(separator: " ")
    guard let name = words.first else { return }
    report.os.name = String(name)
    if words.count > 1 { report.os.version = String(words[1]) }
  }

  /// `linux-amd64` inside brackets or before `JRE`.
  mutating func readPlatform(_ line: RawSpan) {
    let systems: [(mark: StaticString, name: String)] = [
      ("linux-", "Linux"), ("windows-", "Windows"), ("bsd-", "macOS"), ("macosx-", "macOS"),
      ("solaris-", "SunOS"), ("aix-", "AIX"),
    ]
    let processors: [(mark: StaticString, architecture: Architecture)] = [
      ("amd64", .x86_64), ("x86", .i386), ("i386", .i386), ("aarch64", .arm64),
      ("ppc64le", .ppc64le),
      ("ppc64", .ppc64), ("s390", .s390x), ("riscv64", .riscv64), ("arm", .arm), ("sparc", .sparc),
    ]
    for system in systems {
      guard let found = line.findLast(system.mark) else { continue }
      if report.os.name == nil { report.os.name = system.name }
      let rest = line.from(found + system.mark.utf8CodeUnitCount)
      if let processor = processors.first(where: { rest.has($0.mark) }) {
        report.device.architecture = processor.architecture
      }
      return
    }
  }

  /// `total 8 (initial active 8) (8 cores per cpu, …) family 6 model 85 stepping 4, …`
  private mutating func readProcessors(_ line: RawSpan) {
    if let count = line.number(after: "total ") { report.tags[.cpuCount] = String(count) }
    if let family = line.find("family "), let end = line.find(",", from: family) {
      report.tags[.cpuInfo] = line.between(family, end).name
    }
  }
}
