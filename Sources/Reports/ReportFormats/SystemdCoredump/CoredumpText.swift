internal import Bytes
internal import CrashModel
internal import Identifiers

/// The message that systemd-coredump writes into the journal, and `coredumpctl info` shows:
///
///     Process 17816 (tern) of user 0 dumped core.
///
///     Module libtern.so with build-id 0123ab...              Module libtern.so from deb tern-1.2
///     Stack trace of thread 17816:                           the crashed one first
///     #0  0x0000555f076397a0 total (tern + 0x17a0)
///     #1  0x00007fab3c04524a n/a (libc.so.6 + 0x2724a)
///     ELF object binary architecture: AMD x86-64
///
/// Source: `src/coredump/coredump.c` and `src/shared/elf-util.c` of systemd, versions 215 to 257.
struct CoredumpText {
  private(set) var report = CrashReport(format: .systemdCoredump)
  private var indices: [String: Int] = [:]
  private var buildIDs: [String: CodeID] = [:]
  private var versions: [String: String] = [:]
  private var leftOut = 0
  private var otherLines = 0

  /// The number of unrelated lines that ends the message.
  private static let otherLineLimit = 3

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    if line.byteCount == 0 { return true }
    if readFrame(line) || readThread(line) || readProcess(line) || readModule(line) || readEnd(line)
    {
      otherLines = 0
      return true
    }
    otherLines += 1
    return otherLines < Self.otherLineLimit || report.threads.isEmpty
  }

  /// `Process 17816 (tern) of user 0 dumped core.`
  private mutating func readProcess(_ line: RawSpan) -> Bool {
    guard let found = line.find("Process ") else { return false }
    var index = found + 8
    guard let pid = line.decimal(at: &index), line.has(" (", at: index),
      let end = line.findLast(") of user ")
    else { return false }
    report.process.pid = Int(exactly: pid)
    report.process.name = line.part((index + 2)..<end).name
    return true
  }

  private mutating func readThread(_ line: RawSpan) -> Bool {
    guard line.has("Stack trace of thread ") else { return false }
    var index = 22
    guard let number = line.decimal(at: &index) else { return false }
    guard report.threads.count < FormatLimits.stacks else {
      leftOut += 1
      return true
    }
    let isFirst = report.threads.isEmpty
    if isFirst { report.crashedThread = 0 }
    report.threads.append(
      CrashThread(index: report.threads.count, id: number, crashed: isFirst))
    return true
  }

  /// `#0  0x0000555f076397a0 total (tern + 0x17a0)`; a name may hold blanks and brackets.
  private mutating func readFrame(_ line: RawSpan) -> Bool {
    guard line.byteOrZero(0) == UInt8(ascii: "#") else { return false }
    var index = 1
    guard line.decimal(at: &index) != nil else { return false }
    index = line.skippingBlanks(from: index)
    guard let address = line.hexadecimal(at: &index) else { return false }
    let rest = line.from(index).trimmed
    guard let plus = rest.findLast(" + 0x"), let open = Self.bracket(in: rest.upTo(plus)) else {
      // A truncated line.
      return !report.threads.isEmpty
    }
    var digits = plus + 3
    guard let offset = rest.hexadecimal(at: &digits) else { return true }
    guard let thread = report.threads.indices.last else { return false }
    let count = report.threads[thread].frames.count
    guard count < FormatLimits.framesPerStack else {
      leftOut += 1
      return true
    }
    var frame = Frame(address: Address(address), position: count == 0 ? .exact : .returnAddress)
    let name = rest.upTo(open).trimmed
    if !name.has("n/a") || name.byteCount > 3 { frame.function = name.name }
    let module = rest.part((open + 2)..<plus)
    if !module.has("n/a"), address >= offset {
      frame.image = image(module.name, base: address - offset)
      frame.imageOffset = ImageOffset(offset)
    }
    report.threads[thread].frames.append(frame)
    return true
  }

  /// The opening bracket of the module in `NAME (MODULE`; both may contain brackets.
  private static func bracket(in text: RawSpan) -> Int? {
    // An unknown name ends there.
    if text.has("n/a (") { return 3 }
    var depth = 0
    var index = text.byteCount - 1
    while index > 0 {
      if text.byte(index) == UInt8(ascii: ")") {
        depth += 1
      } else if text.byte(index) == UInt8(ascii: "(") {
        if depth == 0, text.byte(index - 1) == 32 { return index - 1 }
        depth -= 1
      }
      index -= 1
    }
    return text.findLast(" (")
  }

  private mutating func image(_ path: String, base: UInt64) -> Int? {
    if let index = indices[path] { return index }
    guard report.images.count < FormatLimits.images else { return nil }
    let name = Self.lastPart(path)
    var image = LoadedImage(name: name, base: Address(base))
    if name != path { image.path = path }
    indices[path] = report.images.count
    report.images.append(image)
    return report.images.count - 1
  }

  static func lastPart(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// `Module X with build-id HEX`, `Found module X with build-id: HEX`, `Module X from deb NAME-VERSION`.
  private mutating func readModule(_ line: RawSpan) -> Bool {
    let start = line.has("Module ") ? 7 : line.has("Found module ") ? 13 : 0
    guard start > 0 else { return false }
    let text = line.from(start)
    if let mark = text.find(" with build-id") {
      var index = mark + 14
      if text.byteOrZero(index) == UInt8(ascii: ":") { index += 1 }
      let name = Self.lastPart(text.upTo(mark).name)
      if let id = CodeID(text.from(index).trimmed.name), buildIDs.count < FormatLimits.images {
        buildIDs[name] = id
      }
    } else if let mark = text.find(" from "), versions.count < FormatLimits.images {
      let words = text.from(mark + 6).name.split(separator: " ", maxSplits: 1)
      if words.count == 2 { versions[Self.lastPart(text.upTo(mark).name)] = String(words[1]) }
    }
    return true
  }

  private mutating func readEnd(_ line: RawSpan) -> Bool {
    guard line.has("ELF object binary architecture: ") else { return false }
    report.device.architecture = Self.architecture(line.from(32).name)
    return true
  }

  /// Source: `src/shared/elf-util.c`, which uses the names of elfutils.
  static func architecture(_ name: String) -> Architecture? {
    switch name {
    case "AMD x86-64": .x86_64
    case "Intel 80386", "Intel i386": .i386
    case "AARCH64": .arm64
    case "ARM": .arm
    case "RISC-V": .riscv64
    case "PowerPC 64-bit": .ppc64le
    case "IBM S/390", "IBM S390": .s390x
    default: nil
    }
  }

  // MARK: Beside the message

  /// Takes a line of `coredumpctl info` from before the message.
  mutating func takeHeader(_ line: RawSpan) {
    guard let colon = line.find(": ") else { return }
    let value = line.from(colon + 2).trimmed.name
    switch line.upTo(colon).name {
    case "PID": report.process.pid = Int(value.prefix { $0.isNumber })
    case "Signal":
      report.reason.signal = UInt32(value.prefix { $0.isNumber }).flatMap { LinuxSignal.name($0) }
    case "Executable": setPath(value)
    case "Timestamp":
      report.time = Timestamp(value.split(separator: " (").first.map(String.init) ?? value)
    default: break
    }
  }

  /// Takes a field of a journal entry.
  mutating func take(field key: String, _ value: String) {
    switch key {
    case "COREDUMP_PID": report.process.pid = Int(value)
    case "COREDUMP_COMM": report.process.name = report.process.name ?? value
    case "COREDUMP_EXE": setPath(value)
    case "COREDUMP_SIGNAL_NAME": report.reason.signal = value
    case "COREDUMP_SIGNAL":
      report.reason.signal = report.reason.signal ?? UInt32(value).flatMap { LinuxSignal.name($0) }
    case "COREDUMP_TIMESTAMP": report.time = Int(value).map { Timestamp(microseconds: $0) }
    case "COREDUMP_UNIT": report.tags[ReportTag("systemd.unit")] = value
    case "COREDUMP_PACKAGE_VERSION": report.app.version = value
    case "COREDUMP_PACKAGE_NAME": report.app.identifier = value
    case "COREDUMP_HOSTNAME", "_HOSTNAME": break
    default: break
    }
  }

  private mutating func setPath(_ path: String) {
    report.process.path = path
    report.process.name = Self.lastPart(path)
  }

  /// Takes the build id of a module.
  mutating func take(buildID: String, of module: String) {
    if let id = CodeID(buildID), buildIDs.count < FormatLimits.images {
      buildIDs[Self.lastPart(module)] = id
    }
  }

  consuming func finished() -> CrashReport {
    report.os.name = "Linux"
    for index in report.images.indices {
      let name = report.images[index].name
      if let id = buildIDs[name] {
        report.images[index].codeID = id
        report.images[index].debugID = DebugID(buildID: id.bytes)
      }
      report.images[index].version = versions[name]
      report.images[index].architecture = report.device.architecture
      if report.images[index].path == nil, let path = report.process.path,
        Self.lastPart(path) == name
      {
        report.images[index].path = path
      }
    }
    if report.threads.isEmpty { report.notes.append("there is no stack in the message") }
    if leftOut > 0 { report.notes.append("\(leftOut) lines beyond a limit were left out") }
    return report
  }
}
