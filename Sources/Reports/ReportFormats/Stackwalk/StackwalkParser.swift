internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report of `minidump-stackwalk` line by line.
struct StackwalkParser {
  /// The classification of a line.
  enum LineResult { case taken, other, end }

  private enum Block { case head, system, processor, threads, modules, unloaded }

  private var report = CrashReport(format: .stackwalk)
  private var block = Block.head
  private var budget = StackBudget()
  /// The module that each frame names, and the offset into it, by thread.
  private var modules: [[String?]] = []
  private var registers: [Register] = []
  private var main: Int?
  private var leftOut = 0
  private var isDump = false

  // MARK: Lines

  /// - Parameter whole: The line with its indentation.
  mutating func read(_ whole: RawSpan) -> LineResult {
    let line = whole.trimmed
    guard line.byteCount > 0 else {
      if block == .system || block == .processor { block = .head }
      return .taken
    }
    if line.has("Operating system: ") {
      guard block == .head, report.os.name == nil, report.threads.isEmpty else { return .end }
      readSystem(line.from(18))
      return .taken
    }
    if line.has("Thread "), readThread(line) { return .taken }
    if line.has("Loaded modules:") {
      block = .modules
      return .taken
    }
    if line.has("Unloaded modules:") {
      block = .unloaded
      return .taken
    }
    switch block {
    case .threads: return readStack(line) ? .taken : .other
    case .modules, .unloaded: return readModule(line) ? .taken : .end
    default: return readHead(line) ? .taken : .other
    }
  }

  private mutating func readSystem(_ name: RawSpan) {
    let name = name.trimmed.name
    report.os.name = name == "Windows NT" ? "Windows" : name == "Mac OS X" ? "macOS" : name
    block = .system
  }

  private mutating func readHead(_ line: RawSpan) -> Bool {
    if line.has("CPU: ") {
      let name = line.from(5).trimmed.name
      report.device.architecture =
        switch name {
        case "amd64", "x86-64": .x86_64
        case "x86": .i386
        case "unknown": nil
        default: Architecture(String(name.prefix(32)))
        }
      block = .processor
    } else if block == .system {
      let words = line.name.split(separator: " ", maxSplits: 1)
      report.os.version = words.first.map(String.init)
      report.os.build = words.count > 1 ? String(words[1]) : nil
    } else if line.has("Linux "), let open = line.find(" ("), line.ends(with: ")") {
      report.tags[.distribution] = line.part((open + 2)..<(line.byteCount - 1)).name
    } else if block == .processor {
      readProcessor(line)
    } else if line.has("GPU: ") || line.has("Crash reason:") || line.has("Crash address:") {
      readReason(line)
    } else if line.has("Assertion: ") {
      report.reason.message = line.from(11).name.cutMessage
    } else if line.has("No crash") {
      isDump = true
    } else if line.has("Process uptime: ") {
      report.process.uptime = line.number(after: "uptime: ").map { Double($0) }
    } else if line.has("Linux memory map count: ") {
      report.tags[.memoryMappings] = line.from(24).name
    } else {
      return Self.isFact(line)
    }
    return true
  }

  /// `family 6 model 85 stepping 7`, `4 CPUs`, `microcode: 0x1`.
  private mutating func readProcessor(_ line: RawSpan) {
    var position = 0
    if let count = line.decimal(at: &position), line.has(" CPU", at: position) {
      report.tags[.cpuCount] = String(count)
    } else if !line.has("microcode") {
      report.tags[.cpuInfo] = line.name
    }
  }

  private mutating func readReason(_ line: RawSpan) {
    let value = line.from((line.find(UInt8(ascii: ":")) ?? 0) + 1).trimmed
    if line.has("GPU: ") {
      if !value.has("UNKNOWN") { report.tags[.gpu] = value.name }
    } else if line.has("Crash address:") {
      var position = 0
      report.reason.address = value.hexadecimal(at: &position).map { Address($0) }
    } else {
      if value.has("No crash") {
        isDump = true
        return
      }
      let slash = value.find(" / ")
      let name = value.upTo(slash ?? value.byteCount).name
      if name.hasPrefix("SIG") { report.reason.signal = name } else { report.reason.type = name }
      if let slash { report.reason.code = value.from(slash + 3).name }
    }
  }

  /// Lines about the instruction and the memory, which describe the crash's address.
  private static func isFact(_ line: RawSpan) -> Bool {
    for words: StaticString in [
      "Crashing instruction: ", "Memory accessed by ", "No memory accessed", "Address: ", "Size: ",
      "Access type: ", "This address falls", "Crashing address may", "Crashing thread", "Mac ",
    ] where line.contains(words) {
      return true
    }
    return line.byte(0).isDigit
  }

  // MARK: Threads

  /// `Thread 7 worker (crashed) - tid: 4611`, `Thread 0 (requested dump, did not crash)`.
  private mutating func readThread(_ line: RawSpan) -> Bool {
    var position = 7
    guard let number = line.decimal(at: &position).flatMap({ Int(exactly: $0) }),
      position == line.byteCount || line.byte(position) == 32
    else { return false }
    var rest = line.from(position).trimmed
    block = .threads
    registers = []
    guard report.threads.count < FormatLimits.stacks else {
      leftOut += 1
      return true
    }
    var thread = CrashThread(index: number)
    if let tid = rest.findLast("- tid: ") {
      var digits = tid + 7
      thread.id = rest.decimal(at: &digits)
      rest = rest.upTo(tid).trimmed
    }
    for (words, crashed) in [
      ("(crashed)", true), ("(requested dump, did not crash)", false),
    ] as [(StaticString, Bool)] where rest.ends(with: words) {
      thread.crashed = crashed
      if !crashed { isDump = true }
      report.crashedThread = report.crashedThread ?? report.threads.count
      rest = rest.upTo(rest.byteCount - words.utf8CodeUnitCount).trimmed
    }
    if rest.byteCount > 0 { thread.name = rest.name }
    report.threads.append(thread)
    modules.append([])
    return true
  }

  private mutating func readStack(_ line: RawSpan) -> Bool {
    guard let thread = report.threads.indices.last else { return true }
    if line.has("Found by: ") {
      endFrame(line.from(10), of: thread)
      return true
    }
    var position = 0
    if line.decimal(at: &position) != nil, line.has("  ", at: position) {
      guard budget.takeFrame() else { return true }
      add(line.from(position).trimmed, to: thread)
      return true
    }
    return readRegisters(line) || line.has("<no frames>")
  }

  /// `libtern.so!tern::pay() [till.cc : 12 + 0x4]`, `tern!main + 0x12`, `tern + 0x1257d`, `0x7ff81b2c3fb6`.
  private mutating func add(_ line: RawSpan, to thread: Int) {
    registers = []
    var frame = Frame(position: .adjusted)
    var module: String?
    var position = 0
    if let address = line.hexadecimal(at: &position), position == line.byteCount {
      frame.address = Address(address)
    } else if let mark = Self.endOfModule(line) {
      if mark > 0 { module = line.upTo(mark).name }
      var name = line.from(mark + 1)
      if name.ends(with: "]"), let open = name.findLast(" [") {
        readLocation(name.part((open + 2)..<(name.byteCount - 1)), of: &frame)
        name = name.upTo(open)
      } else if let plus = name.findLast(" + 0x") {
        var digits = plus + 3
        frame.symbolOffset = name.hexadecimal(at: &digits)
        name = name.upTo(plus)
      }
      frame.function = name.trimmed.name
    } else if let plus = line.findLast(" + 0x") {
      module = line.upTo(plus).name
      var digits = plus + 3
      frame.imageOffset = line.hexadecimal(at: &digits).map { ImageOffset($0) }
    } else if !line.has("unknown") {
      module = line.name
    }
    report.threads[thread].frames.append(frame)
    modules[thread].append(module)
  }

  /// The position of the mark between module and function; names of functions may contain one too.
  private static func endOfModule(_ line: RawSpan) -> Int? {
    guard let mark = line.find(UInt8(ascii: "!")) else { return nil }
    return mark + 1 < line.byteCount && !line.has("= ", at: mark + 1) ? mark : nil
  }

  /// `till.cc : 12 + 0x4`.
  private func readLocation(_ text: RawSpan, of frame: inout Frame) {
    guard let colon = text.findLast(" : ") else {
      frame.file = text.name
      return
    }
    frame.file = text.upTo(colon).name
    var digits = colon + 3
    frame.line = text.decimal(at: &digits).flatMap { Int(exactly: $0) }
  }

  /// `rax = 0x0000000000000000   rdx = 0x0000000000000001`.
  private mutating func readRegisters(_ line: RawSpan) -> Bool {
    var found = false
    var position = 0
    while let equals = line.find(" = 0x", from: position) {
      let name = line.between(position, equals).trimmed
      var digits = equals + 3
      guard name.byteCount > 0, name.byteCount < 12, let value = line.hexadecimal(at: &digits)
      else { break }
      if registers.count < FormatLimits.registers { registers.append(Register(name.name, value)) }
      found = true
      position = digits
    }
    return found
  }

  /// `Found by: call frame info`: the registers above belong to the frame, too.
  private mutating func endFrame(_ words: RawSpan, of thread: Int) {
    let own = registers
    registers = []
    guard let last = report.threads[thread].frames.indices.last else { return }
    var frame = report.threads[thread].frames[last]
    if words.has("inlin") {
      frame.inlined = true
      frame.trust = .inline
    } else if words.has("given as instruction pointer") {
      frame.trust = .context
      frame.position = .exact
      report.threads[thread].registers = own
    } else if words.has("call frame info") {
      frame.trust = .callFrameInformation
    } else if words.contains("frame pointer") {
      frame.trust = .framePointer
    } else if words.contains("scanning") {
      frame.trust = .scan
    }
    if frame.trust != .context { frame.registers = own }
    let counter = own.first { ["rip", "eip", "pc"].contains($0.name) }?.value
    if let counter, !frame.inlined {
      frame.address = Address(counter)
      if frame.position != .exact {
        frame.position = .returnAddress
        // The offset that is printed is that of the call.
        frame.symbolOffset = frame.symbolOffset.map { $0 &+ callStep }
      }
      frame.imageOffset = nil
    }
    report.threads[thread].frames[last] = frame
  }

  /// The assumed distance of the call before a return address, in bytes.
  private var callStep: UInt64 {
    switch report.device.architecture?.description {
    case "arm64", "ppc", "ppc64": 4
    case "arm": 2
    case "mips", "mips64": 8
    default: 1
    }
  }

  // MARK: Modules

  /// `0x00400000 - 0x00419fff  tern  ???  (main)`.
  private mutating func readModule(_ line: RawSpan) -> Bool {
    var position = 0
    guard let base = line.hexadecimal(at: &position), line.has(" - 0x", at: position) else {
      return false
    }
    position += 3
    guard let last = line.hexadecimal(at: &position), last >= base else { return false }
    var rest = line.from(position).trimmed
    var image = LoadedImage(name: "???", base: Address(base))
    let (size, overflow) = (last - base).addingReportingOverflow(1)
    image.size = overflow ? nil : size
    image.architecture = report.device.architecture
    var isMain = false
    if rest.ends(with: "(main)") {
      isMain = true
      rest = rest.upTo(rest.byteCount - 6).trimmed
    }
    if rest.ends(with: ")"), let open = rest.findLast("  (WARNING: ") {
      readMissing(rest.part((open + 12)..<(rest.byteCount - 1)), of: &image)
      rest = rest.upTo(open).trimmed
    }
    if let gap = rest.find("  ") {
      let version = rest.from(gap).trimmed
      if !version.has("???") { image.version = version.name }
      rest = rest.upTo(gap)
    }
    image.name = rest.name
    guard report.images.count < FormatLimits.images else {
      leftOut += 1
      return true
    }
    if block == .unloaded {
      report.unloadedImages.append(image)
    } else {
      if isMain { main = report.images.count }
      report.images.append(image)
    }
    return true
  }

  /// `No symbols, tern.pdb, 0A1B2C3D4E5F60718293A4B5C6D7E8F91`.
  private func readMissing(_ text: RawSpan, of image: inout LoadedImage) {
    let words = text.name.split(separator: ",").map { String($0[...].trimmed) }
    guard words.count == 3 else { return }
    image.debugFile = words[1]
    image.debugID = DebugID(breakpad: words[2])
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    guard !report.threads.isEmpty else { return nil }
    var names: [String: Int] = [:]
    let listed = Set(report.images.map(\.name))
    for image in Set(modules.joined().compactMap { $0 }).sorted()
    where !listed.contains(image) && report.images.count < FormatLimits.images {
      // The list is cut off.
      var added = LoadedImage(name: image)
      added.architecture = report.device.architecture
      report.images.append(added)
    }
    for (index, image) in report.images.enumerated() where names[image.name] == nil {
      names[image.name] = index
    }
    for thread in report.threads.indices { locate(thread, names) }
    if let main {
      report.process.name = report.images[main].name
      report.app.name = report.images[main].name
    }
    if isDump, report.reason.signal == nil, report.reason.type == nil { report.kind = .other }
    if let note = budget.note { report.notes.append(note) }
    if leftOut > 0 { report.notes.append("\(leftOut) lines beyond a limit were left out") }
    return report
  }

  /// Gives frames their images, and inlined calls the address of the frame that contains them.
  private mutating func locate(_ thread: Int, _ names: [String: Int]) {
    var outer: Frame?
    for index in report.threads[thread].frames.indices.reversed() {
      var frame = report.threads[thread].frames[index]
      frame.image = modules[thread][index].flatMap { names[$0] }
      if frame.inlined, let outer {
        frame.address = outer.address
        frame.image = outer.image
        frame.imageOffset = outer.imageOffset
        frame.position = outer.position
      } else if let image = frame.image, let base = report.images[image].base {
        if let address = frame.address {
          frame.imageOffset = report.images[image].offset(of: address)
        } else if let offset = frame.imageOffset {
          let (address, overflow) = base.value.addingReportingOverflow(offset.value)
          frame.address = overflow ? nil : Address(address)
        }
      }
      if !frame.inlined { outer = frame }
      report.threads[thread].frames[index] = frame
    }
  }
}
