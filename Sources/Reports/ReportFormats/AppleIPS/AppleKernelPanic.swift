internal import CrashModel
internal import Identifiers

/// A kernel panic: the text that the kernel printed, in a JSON report (`bug_type` 210, 151) or on its own.
///
///     panic(cpu 1 caller 0xADDRESS): MESSAGE
///     Backtrace (CPU 1), Frame : Return Address                         Intel
///     0xFRAME : 0xADDRESS mach_kernel : _NAME + 0xOFFSET
///     Panicked task 0xTASK: 0 pages, 524 threads: pid 0: NAME           ARM
///     Panicked thread: 0xTHREAD, backtrace: 0xFRAME, tid: NUMBER
///       lr: 0xADDRESS  fp: 0xFRAME
///           Kernel Extensions in backtrace:
///              BUNDLE(VERSION)[UUID]@0xSTART->0xLAST
///
/// Source: `osfmk/kern/debug.c`, `osfmk/arm64/sleh.c`, `osfmk/i386/AT386/model_dep.c` and
/// `libkern/c++/OSKext.cpp` of xnu, and panics of macOS 10.10 to 26.
struct AppleKernelPanic {
  private var message = ""
  private var hasHeadline = false
  /// The return address of `panic` itself: the frames above it only show that there was a panic.
  private var caller: UInt64?
  /// The instruction at which the processor stopped.
  private var trapped: UInt64?
  private var frames: [Frame] = []
  /// The kernel's name for the image of each frame, if it names functions.
  private var imageNames: [String?] = []
  private var isFull = false
  private var threadID: UInt64?
  private var task: String?
  private var kernel = LoadedImage(name: "kernel")
  private var extensions: [LoadedImage] = []
  private var build: String?
  private var darwin: String?
  private var model: String?
  private var boot: UInt64?
  private var time: Timestamp?
  private var uptime: Double?

  init(text: String) {
    var isList = false
    var isSystemNext = false
    var isKernelNext = false
    for whole in text.split(whereSeparator: \.isNewline) {
      let line = whole.drop { $0 == " " || $0 == "\t" }
      if !hasHeadline { readHeadline(line) }
      if isSystemNext || isKernelNext {
        if isSystemNext { keepFirst(&build, Self.word(line)) }
        if isKernelNext { keepFirst(&darwin, String(line)) }
        isSystemNext = false
        isKernelNext = false
      }
      if line.hasPrefix("Backtrace (CPU") {
        isList = true
      } else if line.hasPrefix("Mac OS version:") {
        isSystemNext = true
      } else if line.hasPrefix("Kernel version:"), Self.value(line) == nil {
        isKernelNext = true
      } else if !readFrame(line, isList: isList), !readExtension(line) {
        readFact(line)
      }
    }
    nameMachinery()
  }

  /// `panic(cpu 0 caller 0x…): WHAT`: the caller differs from boot to boot.
  private mutating func readHeadline(_ line: Substring) {
    if message.isEmpty { message = String(line) }
    guard line.hasPrefix("panic("), let end = line.firstRange(of: "): ") else { return }
    hasHeadline = true
    message = String(line[end.upperBound...])
    if let start = line.firstRange(of: " caller ") {
      caller = Self.address(line[start.upperBound..<end.lowerBound])
    }
    // `Kernel trap at 0x…, type 14=page fault`, `Kernel data abort. at pc 0x…, lr 0x…`
    for words in ["Kernel trap at ", " at pc "] {
      guard let found = line.firstRange(of: words) else { continue }
      trapped = Self.address(line[found.upperBound...].prefix { $0.isHexDigit || $0 == "x" })
      break
    }
  }

  private mutating func readFrame(_ line: Substring, isList: Bool) -> Bool {
    let isLink = line.hasPrefix("lr: 0x")
    guard isLink || isList && line.hasPrefix("0x") else { return false }
    let words = line.split(separator: " ", maxSplits: 5)
    let index = isLink ? 1 : 2
    guard words.count > index, isLink || words[1] == ":", let address = Self.address(words[index])
    else { return false }
    guard frames.count < AppleLimits.panicFrames else {
      isFull = true
      return true
    }
    var frame = Frame(address: Address(address), position: .returnAddress)
    let isNamed = !isLink && words.count == 6 && words[4] == ":"
    if isNamed { Self.name(&frame, words[5]) }
    frames.append(frame)
    imageNames.append(isNamed ? String(words[3]) : nil)
    return true
  }

  /// `_NAME + 0xOFFSET`, as the linker names it.
  private static func name(_ frame: inout Frame, _ text: Substring) {
    var name = text
    if let plus = text.firstRange(of: " + ") {
      name = text[..<plus.lowerBound]
      frame.symbolOffset = address(text[plus.upperBound...])
    }
    guard !name.isEmpty else { return }
    if SwiftFrameLine.isMangled(String(name)) {
      frame.symbol = String(name)
    } else {
      frame.function = String(name.hasPrefix("_") ? name.dropFirst() : name)
    }
  }

  /// `BUNDLE(VERSION)[UUID]@0xSTART->0xLAST`, perhaps after `dependency: `.
  private mutating func readExtension(_ line: Substring) -> Bool {
    guard let arrow = line.firstRange(of: "->0x"), let at = line.firstRange(of: "]@0x"),
      at.upperBound <= arrow.lowerBound,
      let open = line[..<at.lowerBound].lastIndex(of: "["),
      let group = line[..<open].lastIndex(of: "("),
      let start = UInt64(line[at.upperBound..<arrow.lowerBound], radix: 16),
      let last = UInt64(line[arrow.upperBound...].prefix { $0.isHexDigit }, radix: 16),
      last >= start, last - start < .max, extensions.count < AppleLimits.panicExtensions
    else { return false }
    let name = line[..<group].split(separator: " ").last ?? ""
    guard !name.isEmpty else { return false }
    var image = LoadedImage(
      name: String(name), base: Address(start), size: last - start + 1,
      version: String(line[line.index(after: group)..<open].dropLast()))
    image.debugID = DebugID(String(line[line.index(after: open)..<at.lowerBound]))
    if !extensions.contains(where: { $0.base == image.base }) { extensions.append(image) }
    return true
  }

  private mutating func readFact(_ line: Substring) {
    guard let colon = line.firstIndex(of: ":"), let value = Self.value(line) else { return }
    let key = line[..<colon]
    switch key {
    case "Kernel UUID", "KernelCache UUID":
      keepFirst(&kernel.debugID, DebugID(String(value)))
    case "Kernel text base": keepFirst(&kernel.base, Self.address(value).map { Address($0) })
    case "OS version": keepFirst(&build, Self.word(value))
    case "Kernel version": keepFirst(&darwin, String(value))
    case "System model name": keepFirst(&model, Self.word(value))
    case "Model":
      keepFirst(&model, value.firstRange(of: ", ").map { String(value[..<$0.lowerBound]) })
    case "System uptime in nanoseconds":
      keepFirst(&uptime, UInt64(value).map { Double($0) / 1_000_000_000 })
    case "Panicked thread":
      if let tid = line.firstRange(of: "tid: ") { threadID = UInt64(line[tid.upperBound...]) }
    case "BSD process name corresponding to current thread": keepFirst(&task, String(value))
    case _ where key.hasPrefix("Process name corresponding to current thread"):
      keepFirst(&task, String(value))
    case _ where key.hasPrefix("Panicked task "):
      // `N pages, N threads: pid N: NAME`
      if let pid = value.firstRange(of: ": pid "),
        let end = value[pid.upperBound...].firstRange(of: ": ")
      {
        task = String(value[end.upperBound...])
      }
    case _ where Self.isWord(key, "Boot"): boot = Self.seconds(value)
    case _ where Self.isWord(key, "Calendar"):
      if let seconds = Self.seconds(value), seconds > 0, seconds < 1 << 40 {
        time = Timestamp(seconds: Int64(seconds))
        if let boot, boot > 0, boot < seconds { uptime = Double(seconds - boot) }
      }
    default: break
    }
  }

  /// Names the unnamed frames that lead to every panic. The kernel gives the address that its `panic` returns
  /// to, and the one at which the processor stopped; the frames in between handled the trap.
  private mutating func nameMachinery() {
    let returned = caller.flatMap { address in
      frames.firstIndex { $0.address?.value == address }
    }
    if let returned, returned > 0 { name(returned - 1, "panic") }
    let start = returned ?? frames.startIndex
    guard let trapped,
      let stopped = frames[start...].firstIndex(where: { $0.address?.value == trapped })
    else { return }
    frames[stopped].position = .exact
    let isIntel = darwin?.hasSuffix("X86_64") ?? false
    for index in start..<stopped {
      let isEntry = index == stopped - 1
      if isIntel {
        name(index, isEntry ? "return_from_trap" : "kernel_trap")
      } else {
        name(index, isEntry ? "fleh_synchronous" : "sleh_synchronous")
      }
    }
  }

  private mutating func name(_ index: Int, _ name: String) {
    guard frames[index].function == nil, frames[index].symbol == nil else { return }
    frames[index].function = name
  }

  /// Makes the report one of the panicked thread.
  func apply(to report: inout CrashReport) {
    report.kind = .other
    report.reason.type = "kernel panic"
    report.reason.message = message.cutMessage
    keepFirst(&report.process.name, "kernel")
    keepFirst(&report.app.name, "kernel")
    keepFirst(&report.device.model, model)
    keepFirst(&report.time, time)
    keepFirst(&report.process.uptime, uptime)
    if report.os.build == nil { report.os.build = build }
    if let darwin {
      if report.tags[.kernelVersion] == nil { report.tags[.kernelVersion] = darwin.cutMessage }
      keepFirst(&report.os.name, Self.system(build: report.os.build, darwin: darwin))
      keepFirst(&report.device.architecture, Self.architecture(darwin))
    }
    if let task, report.tags[.panicTask] == nil { report.tags[.panicTask] = task }
    if isFull {
      report.notes.append("Only the first \(AppleLimits.panicFrames) frames of the panic are kept.")
    }
    addImages(to: &report)
    guard !frames.isEmpty else {
      report.notes.append("The panic has no backtrace.")
      return
    }
    var thread = CrashThread(index: 0, name: "panicked thread", crashed: true, frames: frames)
    thread.id = threadID
    for index in thread.frames.indices {
      join(&thread.frames[index], report.images)
      if thread.frames[index].image == nil, let name = imageNames[index] {
        thread.frames[index].image = Self.image(name, of: &report)
      }
    }
    report.threads = [thread]
    report.crashedThread = 0
  }

  private func addImages(to report: inout CrashReport) {
    var kernel = kernel
    kernel.architecture = report.device.architecture
    if kernel.base != nil || kernel.debugID != nil { report.images.append(kernel) }
    report.images += extensions
  }

  /// All extensions on the stack are listed; an address in none of them and above the kernel's start is in
  /// the kernel.
  private func join(_ frame: inout Frame, _ images: [LoadedImage]) {
    guard let address = frame.address else { return }
    let index =
      images.firstIndex { $0.size != nil && $0.offset(of: address) != nil }
      ?? images.firstIndex { $0.size == nil && $0.offset(of: address) != nil }
    guard let index else { return }
    frame.image = index
    frame.imageOffset = images[index].offset(of: address)
  }

  /// The image that the kernel names, without its address: `mach_kernel`, `com.apple.filesystems.apfs`.
  private static func image(_ name: String, of report: inout CrashReport) -> Int? {
    let name = name == "mach_kernel" ? "kernel" : name
    if let index = report.images.firstIndex(where: { $0.name == name }) { return index }
    guard report.images.count < AppleLimits.panicExtensions else { return nil }
    report.images.append(LoadedImage(name: name))
    return report.images.count - 1
  }

  // MARK: Parts of lines

  /// The text after the first colon.
  private static func value(_ line: Substring) -> Substring? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    return value.isEmpty ? nil : value
  }

  private static func word(_ text: Substring) -> String? {
    text.split(whereSeparator: { $0 == " " || $0 == "\t" }).first.map(String.init)
  }

  private static func isWord(_ text: Substring, _ word: String) -> Bool {
    text.hasPrefix(word) && text.dropFirst(word.count).allSatisfy { $0 == " " }
  }

  /// `0xSECONDS 0xMICROSECONDS`.
  private static func seconds(_ text: Substring) -> UInt64? {
    word(text).flatMap { address($0[...]) }
  }

  private static func address(_ text: Substring) -> UInt64? {
    text.hasPrefix("0x") ? UInt64(text.dropFirst(2).prefix { $0.isHexDigit }, radix: 16) : nil
  }

  /// `…; root:xnu-6153.141.2~1/RELEASE_X86_64`, `…/RELEASE_ARM64_T8101`.
  private static func architecture(_ darwin: String) -> Architecture? {
    guard let slash = darwin.lastIndex(of: "/") else { return nil }
    let flavour = darwin[slash...]
    if flavour.firstRange(of: "X86_64") != nil { return .x86_64 }
    return flavour.firstRange(of: "ARM64") != nil ? .arm64 : nil
  }

  /// The system of a build. macOS numbers its builds as Darwin does; the others are two less, each with its
  /// letters.
  private static func system(build: String?, darwin: String) -> String? {
    if architecture(darwin) == .x86_64 { return "macOS" }
    guard let build, let version = darwin.firstRange(of: "Version "),
      let major = Int(darwin[version.upperBound...].prefix { $0.isNumber }),
      let number = Int(build.prefix { $0.isNumber })
    else { return nil }
    if number == major { return "macOS" }
    switch build.first(where: { $0.isLetter }) {
    case "A", "B", "C", "D", "E", "F", "G", "H": return "iOS"
    case "J", "K", "L", "M": return "tvOS"
    case "N", "O": return "visionOS"
    case "P": return "bridgeOS"
    case "R", "S", "T", "U": return "watchOS"
    default: return nil
    }
  }
}
