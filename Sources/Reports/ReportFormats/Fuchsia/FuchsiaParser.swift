internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report of Fuchsia line by line.
struct FuchsiaParser {
  static let system = "Fuchsia"

  private let kind: Headline.Kind
  private var report = CrashReport(format: .fuchsia)
  private var modules = FuchsiaModules()
  private var lines: [FuchsiaFrameLine] = []
  private var registers: [Register] = []
  private var words: String?
  /// The location of Starnix's panic.
  private var panicLocation: String?
  /// Whether the next line is the message of a Rust panic.
  private var isMessageNext = false
  private var droppedFrames = 0
  private var uselessLines = 0
  private(set) var isComplete = false

  /// The most consecutive irrelevant lines.
  private static let uselessLimit = 256

  init(_ kind: Headline.Kind) {
    self.kind = kind
    report.app.name = Self.system
    report.os.name = Self.system
    if kind != .fuchsiaCrash { report.process.name = "kernel" }
  }

  /// `tern[351748] thread render[351790]`.
  mutating func readProcess(_ text: String) {
    guard let thread = text.firstRange(of: "] thread "),
      let open = text[..<thread.lowerBound].lastIndex(of: "[")
    else { return }
    report.process.name = String(text[..<open]).split(separator: "/").last.map(String.init)
    report.process.pid = Int(text[text.index(after: open)..<thread.lowerBound])
    report.app.name = report.process.name
    let rest = text[thread.upperBound...]
    guard let last = rest.lastIndex(of: "[") else { return }
    report.tags[.threadName] = String(rest[..<last])
    report.tags[.threadID] = String(rest[rest.index(after: last)...].prefix { $0.isNumber })
  }

  /// Takes the next line; returns whether it belongs to the report.
  mutating func take(_ text: RawSpan) -> Bool {
    guard text.byteCount > 0 else { return false }
    uselessLines += 1
    if let frame = FuchsiaFrameLine(text) {
      takeFrame(frame)
    } else if modules.read(text) || readFact(text) || readRegisters(text) {
      uselessLines = 0
    } else if isMessageNext {
      isMessageNext = false
      if words == nil { words = text.name }
    } else {
      if uselessLines > Self.uselessLimit { isComplete = true }
      return false
    }
    uselessLines = 0
    return true
  }

  private mutating func takeFrame(_ frame: FuchsiaFrameLine) {
    if frame.isEnd {
      isComplete = true
    } else if frame.number == 0, let last = lines.last, last.number > 0 {
      // A second stack.
      isComplete = true
    } else if lines.count < FormatLimits.framesPerStack {
      lines.append(frame)
    } else {
      droppedFrames += 1
    }
  }

  private mutating func readFact(_ text: RawSpan) -> Bool {
    if text.has("panic (caller ") || text.has("KERNEL PANIC (caller ") {
      guard let end = text.find("):") else { return true }
      let said = text.from(end + 2).trimmed
      if said.byteCount > 0 { words = said.name } else { isMessageNext = true }
    } else if text.has("UPTIME: ") {
      var index = 8
      report.process.uptime = text.decimal(at: &index).map { Double($0) / 1000 }
    } else if text.has("BUILDID ") || text.has("VERSION ") {
      report.app.version = report.app.version ?? text.from(8).trimmed.name
    } else if text.ends(with: ", halting") {
      words = words ?? text.name
    } else if text.has("recursion in interrupt handler") || text.has("KVM internal error") {
      words = text.name
    } else if let found = text.find("info=panicked at ") {
      readLocation(text.from(found + 17))
    } else if kind == .starnixPanic, let found = text.find(" panicked at ") {
      readLocation(text.from(found + 13))
    } else if text.has("<== "), let at = text.find(", PC at ") {
      words = text.between(4, at).name
    } else {
      return false
    }
    return true
  }

  /// `../../src/starnix/kernel/vfs/symlink_node.rs:28:5:`; older ones begin with the message in quotes.
  private mutating func readLocation(_ text: RawSpan) {
    var location = text.trimmed
    if location.ends(with: ":") { location = location.upTo(location.byteCount - 1) }
    if location.byteOrZero(0) == UInt8(ascii: "'"), let end = location.find("', ") {
      words = words ?? location.between(1, end).name
      location = location.from(end + 3)
    } else {
      isMessageNext = words == nil
    }
    panicLocation = panicLocation ?? location.name
  }

  /// ` CS:  0x33 RIP:  0x6b8144262960 EFL: 0x10202 CR2: 0xfffffffffffffff8`.
  private mutating func readRegisters(_ text: RawSpan) -> Bool {
    guard text.byteCount < 256, text.contains(":") else { return false }
    let parts = text.name.split(separator: " ")
    var found: [Register] = []
    var index = 0
    while index + 1 < parts.count, parts[index].hasSuffix(":") {
      let name = parts[index].dropLast().lowercased()
      guard name.count < 8, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." }),
        let value = FuchsiaModules.number(parts[index + 1])
      else { return false }
      found.append(Register(name, value))
      index += 2
    }
    guard index == parts.count, found.count > 1 || found.first?.name == "errc" else { return false }
    for register in found
    where registers.count < FormatLimits.registers
      && !registers.contains(where: { $0.name == register.name })
    {
      registers.append(register)
    }
    return true
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    guard words != nil || !lines.isEmpty || panicLocation != nil || !registers.isEmpty else {
      return nil
    }
    report.images = modules.images
    if !lines.isEmpty || !registers.isEmpty {
      var thread = CrashThread(
        index: 0, id: report.tags[.threadID].flatMap { UInt64($0) }, name: report.tags[.threadName],
        crashed: true, registers: registers)
      thread.frames = frames()
      report.threads = [thread]
      report.crashedThread = 0
    }
    report.reason.message = words
    if kind == .fuchsiaCrash {
      report.reason.type = words ?? "exception"
      report.reason.message = nil
      return report
    }
    let function = guilty
    if let function { report.tags[.kernelFunction] = function }
    if kind == .starnixPanic { nameStarnix() } else { nameZircon(function) }
    if droppedFrames > 0 {
      report.notes.append("\(droppedFrames) frames beyond a limit were left out")
    }
    return report
  }

  private func frames() -> [Frame] {
    let map = FuchsiaModuleMap(modules.images)
    var frames: [Frame] = []
    frames.reserveCapacity(lines.count)
    for line in lines {
      var frame = Frame(
        address: line.address.map { Address($0) }, position: line.position, function: line.function,
        file: line.file, line: line.line, inlined: line.isInlined)
      frame.image = map.index(
        named: line.module.map { $0.isEmpty ? "<application>" : $0 }, at: line.address)
      frame.imageOffset =
        line.moduleOffset.map { ImageOffset($0) }
        ?? frame.image.flatMap { index in
          line.address.flatMap { modules.images[index].offset(of: Address($0)) }
        }
      frames.append(frame)
    }
    // An inlined call has the address of the one below it.
    for index in frames.indices.reversed() where frames[index].inlined {
      guard index + 1 < frames.count else {
        frames[index].inlined = false
        continue
      }
      frames[index].address = frames[index].address ?? frames[index + 1].address
      frames[index].image = frames[index].image ?? frames[index + 1].image
      frames[index].imageOffset = frames[index].imageOffset ?? frames[index + 1].imageOffset
    }
    return frames
  }

  /// The first function that is not part of the report's making.
  private var guilty: String? {
    lines.lazy.compactMap(\.function).first { name in
      let plain = name.prefix { $0 != "(" && $0 != "<" }
      return !Self.machinery.contains { plain.hasPrefix($0) }
    }
  }

  private static let machinery = [
    "platform_halt", "exception_die", "_panic", "panic", "PanicStart", "PanicFinish", "fail_",
    "assert_fail",
    "zx_panic", "__zx_panic", "lk_panic", "halt", "core::", "std::", "alloc::", "rust_begin_unwind",
    "rust_panic", "__rust", "diagnostics_log::", "kill_job_on_panic::", "libc::",
    "__stack_chk_fail",
    "abort", "backtrace::",
  ]

  private mutating func nameStarnix() {
    var file = panicLocation ?? ""
    while file.hasPrefix("../") { file.removeFirst(3) }
    if let colon = file.firstIndex(of: ":") { file = String(file[..<colon]) }
    report.reason.type = "starnix kernel panic"
    var title = "starnix kernel panic"
    if !file.isEmpty { title += " in " + KernelEvent.parameterised(file[...]) }
    if let words {
      title +=
        ": "
        + KernelEvent.parameterised((words.split(whereSeparator: \.isNewline).first ?? "")[...])
    }
    report.tags[.title] = title
  }

  private mutating func nameZircon(_ function: String?) {
    let text = words ?? ""
    var title: String?
    var type = "KERNEL PANIC"
    if let found = text.firstRange(of: "ASSERT FAILED") {
      type = "ASSERT FAILED"
      if function == nil, let end = text[found.upperBound...].firstRange(of: "): ") {
        title = "ASSERT FAILED: " + KernelEvent.parameterised(text[end.upperBound...])
      }
    } else if text.hasPrefix("double fault") {
      type = "double fault"
    } else if text.hasPrefix("Supervisor Page Fault") {
      type = "Supervisor Fault"
    } else if text.hasPrefix("recursion in interrupt handler") {
      type = "recursion in interrupt handler"
    } else if text.hasPrefix("KVM internal error") {
      type = "KVM internal error"
      title = type
    }
    report.reason.type = type
    // Unnamed frames get names from debug files, and then show the subject of the report.
    guard function != nil || lines.isEmpty else { return }
    let name = function.map { String($0.prefix { $0 != "(" && $0 != "<" }) }
    report.tags[.title] = title ?? name.map { "\(type) in \($0)" } ?? type
  }
}
