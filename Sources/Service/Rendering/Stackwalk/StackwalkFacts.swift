internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// A report in the terms of Breakpad's and rust-minidump's `minidump-stackwalk`, for its text and its JSON.
///
/// Sources: rust-minidump, `minidump-processor/src/process_state.rs`, `minidump-unwind/src/lib.rs`.
package struct StackwalkFacts {
  package let report: CrashReport
  private let architecture: Architecture?

  package init(_ report: CrashReport) {
    self.report = report
    architecture = report.device.architecture ?? report.images.lazy.compactMap(\.architecture).first
  }

  // MARK: The system

  package var systemName: String? {
    switch report.os.name {
    case "Windows": "Windows NT"
    case "macOS": "Mac OS X"
    case let name: name
    }
  }

  /// `5.1.2600 Service Pack 2`; `nil` if unknown.
  package var systemVersion: String? {
    let words = [report.os.version, report.os.build].compactMap { $0 }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  package var processor: String {
    switch architecture {
    case .x86_64?, .x86_64h?: "amd64"
    case .i386?: "x86"
    case .arm64?, .arm64e?, .arm64_32?: "arm64"
    case .arm?, .armv6?, .armv7?, .armv7s?, .armv7k?: "arm"
    case let other?: other.description
    case nil: "unknown"
    }
  }

  package var processorCount: Int? { report.tags[.cpuCount].flatMap { Int($0) } }

  /// The values of `/etc/lsb-release`, in print order; `nil` if the report has none.
  package var distribution: [(name: String, value: String)]? {
    let names: [(String, ReportTag)] = [
      ("id", .distributionID), ("release", .distributionRelease),
      ("codename", .distributionCodename), ("description", .distribution),
    ]
    let values = names.map { ($0.0, report.tags[$0.1] ?? "") }
    return values.contains { !$0.1.isEmpty } ? values : nil
  }

  // MARK: The crash

  /// `SIGSEGV / SEGV_MAPERR`; `nil` if the report is not about a crash.
  package var reason: String? {
    let reason = report.reason
    if let numbers = unknownNumbers { return numbers }
    let words = [reason.type ?? reason.exception?.type ?? reason.signal, reason.code]
      .compactMap { $0 }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " / ")
  }

  /// `unknown 0x00000000 / 0x00000000`, for an unnamed exception of Apple's systems.
  private var unknownNumbers: String? {
    guard report.format == ReportFormat("minidump"), report.os.name != "Windows",
      let type = report.reason.type,
      type.hasPrefix("0x"), let code = report.reason.code, code.hasPrefix("0x")
    else { return nil }
    func padded(_ number: String) -> String { "0x" + String(number.dropFirst(2)).zeroPadded(to: 8) }
    return "unknown \(padded(type)) / \(padded(code))"
  }

  /// The crash address; 0, as those tools print it, for an exception of a minidump without an address.
  package var crashAddress: UInt64? {
    report.reason.address?.value
      ?? (report.format == ReportFormat("minidump") && isCrash && reason != nil ? 0 : nil)
  }

  package var isCrash: Bool { report.kind == .crash || report.kind == .oom }

  /// The thread that crashed or asked for the dump.
  package var requestingThread: Int? {
    report.crashedThread.flatMap { report.threads.indices.contains($0) ? $0 : nil }
  }

  /// The index of the program's image; the first if the report does not say.
  package var mainImage: Int? {
    if report.images.isEmpty { return nil }
    let process = report.process
    return report.images.firstIndex { process.path != nil && $0.path == process.path }
      ?? report.images.firstIndex { process.name != nil && $0.name == process.name } ?? 0
  }

  // MARK: Numbers

  package var isNarrow: Bool {
    switch architecture {
    case .i386?, .arm?, .armv6?, .armv7?, .armv7s?, .armv7k?, .arm64_32?, .ppc?, .mips?,
      .sparc?, .riscv32?, .wasm32?:
      true
    default: false
    }
  }

  /// Returns an address padded to the processor's width: `0x0040429e`.
  package func address(_ value: UInt64) -> String {
    "0x" + String(value, radix: 16).zeroPadded(to: isNarrow ? 8 : 16)
  }

  // MARK: Registers

  /// Returns the general registers of a thread, in the order of those tools.
  package func registers(of thread: CrashThread) -> [Register] { ordered(thread.registers) }

  /// Returns registers in the order of those tools.
  package func ordered(_ registers: [Register]) -> [Register] {
    let names = Self.registerNames[processor]
    guard let names else { return registers }
    let values = Dictionary(registers.map { ($0.name, $0.value) }) { first, _ in first }
    return names.compactMap { name in values[name].map { Register(name, $0) } }
  }

  private static let registerNames: [String: [String]] = [
    "amd64": words("rax rdx rcx rbx rsi rdi rbp rsp") + (8...15).map { "r\($0)" } + ["rip"],
    "x86": words("eip esp ebp ebx esi edi eax ecx edx eflags"),
    "arm64": (0...28).map { "x\($0)" } + words("fp lr sp pc"),
    "arm": (0...12).map { "r\($0)" } + words("fp ip sp lr pc"),
  ]

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  // MARK: Frames

  /// A call with the functions inlined in it, innermost first.
  package struct Call {
    package var frame: Frame
    package var inlines: [Frame]
  }

  package static func calls(_ frames: [Frame]) -> [Call] {
    var calls: [Call] = []
    var inlines: [Frame] = []
    for frame in frames {
      if frame.inlined {
        inlines.append(frame)
      } else {
        calls.append(Call(frame: frame, inlines: inlines))
        inlines = []
      }
    }
    // A truncated report may end with an inlined call.
    return calls + inlines.map { Call(frame: $0, inlines: []) }
  }

  package func image(of frame: Frame) -> LoadedImage? {
    frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0] : nil }
  }

  /// Returns the address from the thread's context or its stack.
  package func programCounter(of frame: Frame) -> UInt64? {
    if let address = frame.address { return address.value }
    guard let offset = frame.imageOffset, let base = image(of: frame)?.base else { return nil }
    let (value, overflow) = base.value.addingReportingOverflow(offset.value)
    return overflow ? nil : value
  }

  /// Returns the instruction of the frame: for a return address the one before it.
  package func instruction(of frame: Frame) -> UInt64? {
    programCounter(of: frame).map { $0 &- step(back: $0, of: frame) }
  }

  /// Returns the distance from the function's start to the instruction.
  package func functionOffset(of frame: Frame) -> UInt64? {
    guard let offset = frame.symbolOffset else { return nil }
    return offset - step(back: offset, of: frame)
  }

  private func step(back from: UInt64, of frame: Frame) -> UInt64 {
    guard frame.position == .returnAddress else { return 0 }
    return min(from, callStep)
  }

  /// The assumed distance from a return address back to the call, in bytes.
  private var callStep: UInt64 {
    switch processor {
    case "arm64", "ppc", "ppc64": 4
    case "arm": 2
    case "mips", "mips64": 8
    default: 1
    }
  }

  /// Returns the last component of a path with slashes of either kind.
  package static func lastPart(_ path: String) -> String {
    path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
  }
}

extension FrameTrust {
  /// The name in rust-minidump's documents.
  package var stackwalkName: String {
    [.given, .asyncContext].contains(self) ? "prewalked" : rawValue
  }

  /// The text after `Found by: `.
  package var stackwalkText: String {
    switch self {
    case .context: "given as instruction pointer in context"
    case .callFrameInformation: "call frame info"
    case .framePointer: "previous frame's frame pointer"
    case .asyncContext: "context of an async function"
    case .scan: "stack scanning"
    case .given: "recovered by external stack walker"
    case .inline: "inlining"
    }
  }
}
