public import CrashModel
public import Identifiers
internal import Instructions

/// Explains why a process died, from the registers and the memory of its dump.
public struct FaultAnalyzer {
  let report: CrashReport
  let reason: CrashReason
  let space: ProcessSpace
  var registers: RegisterValues
  let frames: [Frame]
  let instruction: Instruction?
  /// Whether the bytes at the program counter are known, even if they are not an instruction.
  let hasCode: Bool
  /// The byte before the program counter of a trap, where known.
  private let byteBefore: UInt8?
  /// The most bytes that are requested for an instruction.
  public static let longestInstruction = 15

  /// - Parameters:
  ///   - report: The report with its threads walked and symbolicated; one without memory is not analysed
  ///     further.
  ///   - code: Returns the bytes of the program at an address, for memory that is not in the dump.
  /// - Returns: `nil` for a report without a crashed thread or without memory.
  public init?(
    _ report: CrashReport, code: (Address) throws -> [UInt8]
  ) rethrows {
    guard let memory = report.memory, report.kind == .crash, let index = report.crashedThread,
      report.threads.indices.contains(index)
    else { return nil }
    let architecture = report.device.architecture ?? report.images.first?.architecture
    let set: InstructionSet? =
      switch architecture {
      case .x86_64, .x86_64h: .x86_64
      case .i386: .x86
      case .arm64, .arm64e: .arm64
      default: nil
      }
    self.report = report
    reason = report.reason
    space = ProcessSpace(
      memory: memory, images: report.images, isARM: set == .arm64,
      isWindows: report.os.name == "Windows")
    registers = RegisterValues(report.threads[index].registers)
    frames = report.threads[index].frames
    guard let set, let pc = registers.programCounter else {
      instruction = nil
      hasCode = false
      byteBefore = nil
      return
    }
    var bytes = Self.bytes(of: memory, at: pc)
    if bytes.count < set.longest {
      let read = try code(Address(pc))
      if read.count > bytes.count { bytes = read }
    }
    instruction = set.decode(bytes, at: pc)
    hasCode = !bytes.isEmpty
    byteBefore =
      if pc == 0 || Event(reason) != .trap {
        nil
      } else if let byte = memory.number(at: pc - 1, size: 1) {
        UInt8(byte)
      } else { try code(Address(pc - 1)).first }
  }

  private static func bytes(of memory: ProcessMemory, at address: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<UInt64(longestInstruction) {
      guard let byte = memory.number(at: address &+ index, size: 1) else { break }
      bytes.append(UInt8(byte))
    }
    return bytes
  }

  /// The explanation; `nil` where it adds nothing to the system's reason.
  public func fault() -> Fault? {
    if let fault = spokenFault() { return fault }
    // A signal that was sent does not point at a failed instruction, but a handler may have sent it.
    if reason.isSent || Event(reason) == .abort { return handledOverflow() }
    switch Event(reason) {
    case .memory: return memoryFault()
    case .arithmetic: return division()
    case .illegal: return illegalInstruction()
    case .trap: return trap()
    case .abort, .other: return nil
    }
  }

  /// The event reported by the system.
  enum Event {
    case memory, arithmetic, illegal, trap, abort, other

    init(_ reason: CrashReason) {
      let word = reason.type ?? ""
      switch reason.signal {
      case "SIGSEGV", "SIGBUS": self = .memory
      case "SIGFPE": self = .arithmetic
      case "SIGILL": self = .illegal
      case "SIGTRAP": self = .trap
      case "SIGABRT": self = .abort
      default:
        if word.hasPrefix("EXCEPTION_ACCESS_VIOLATION") || word.hasPrefix("EXCEPTION_IN_PAGE_ERROR")
          || [
            "EXCEPTION_GUARD_PAGE", "EXCEPTION_STACK_OVERFLOW", "EXC_BAD_ACCESS",
            "EXCEPTION_DATATYPE_MISALIGNMENT",
          ].contains(word)
        {
          self = .memory
        } else if word == "EXCEPTION_INT_DIVIDE_BY_ZERO" || word == "EXCEPTION_INT_OVERFLOW" {
          self = .arithmetic
        } else if word == "EXCEPTION_ILLEGAL_INSTRUCTION" || word == "EXCEPTION_PRIV_INSTRUCTION" {
          self = .illegal
        } else if word == "EXCEPTION_BREAKPOINT" {
          self = .trap
        } else {
          self = .other
        }
      }
    }
  }

  // MARK: What programs say themselves

  /// The fault for damage detected by the allocator, the compiler's canaries or the system.
  private func spokenFault() -> Fault? {
    let names = frames.prefix(12).compactMap { $0.symbol ?? $0.function }
    let message = reason.message ?? ""
    if let text = AbortText.heap(message) {
      return Fault(
        summary: "The allocator found its own data damaged: \(text)", kind: .heapCorruption)
    }
    if AbortText.isStackSmashing(message)
      || names.contains(where: AbortText.stackCheckers.contains)
      || ["FAST_FAIL_LEGACY_GS_VIOLATION", "FAST_FAIL_STACK_COOKIE_CHECK_FAILURE"].contains(
        reason.code ?? "")
    {
      return Fault(
        summary: "A variable on the stack was written past its end: the canary before the return "
          + "address is damaged" + owner(after: AbortText.stackCheckers), kind: .stackCorruption)
    }
    if reason.type == "STATUS_HEAP_CORRUPTION"
      || reason.code == "FAST_FAIL_HEAP_METADATA_CORRUPTION"
      || reason.code == "FAST_FAIL_CORRUPT_LIST_ENTRY"
        && names.contains(where: { $0.hasPrefix("Rtl") && $0.contains("Heap") })
    {
      return Fault(summary: "The heap of Windows found its own data damaged", kind: .heapCorruption)
    }
    if Event(reason) == .abort, names.contains(where: AbortText.heapCheckers.contains) {
      return Fault(summary: "The allocator found its own data damaged", kind: .heapCorruption)
    }
    return nil
  }

  /// `, in "parse"`: the function whose check failed.
  private func owner(after checkers: Set<String>) -> String {
    guard
      let index = frames.lastIndex(where: { checkers.contains($0.symbol ?? $0.function ?? "") }),
      let owner = frames[(index + 1)...].first(where: { !$0.inlined })?.function
    else { return "" }
    return ", in “\(owner)”"
  }

  // MARK: Processor exceptions

  private func division() -> Fault? {
    guard let instruction, let text = instruction.text else { return nil }
    let words = text.split(separator: " ", maxSplits: 1)
    guard words[0] == "div" || words[0] == "idiv", words.count == 2 else { return nil }
    let divisor: UInt64?
    if let access = instruction.accesses.first, let size = access.size {
      divisor = access.operand.address { registers[$0] }.flatMap {
        space.memory.number(at: $0, size: size)
      }
    } else {
      divisor = registers[String(words[1])]
    }
    let isZero = divisor == 0 || reason.type == "EXCEPTION_INT_DIVIDE_BY_ZERO"
    return Fault(
      summary: (divisor == nil && !isZero
        ? "Division by zero, or with a quotient that is too large"
        : isZero ? "Division by zero" : "Division with a quotient that is too large")
        + remark(instruction.accesses.first?.operand.registers ?? [String(words[1])]),
      kind: isZero ? .divisionByZero : divisor == nil ? nil : .divisionOverflow, instruction: text)
  }

  private func illegalInstruction() -> Fault? {
    if let pc = registers.programCounter, !space.allows(.execute, at: pc),
      case .unknown = space.presence(pc)
    {
      return nil
    }
    guard let instruction else {
      guard hasCode else { return nil }
      return Fault(
        summary: "The processor does not know the instruction", kind: .illegalInstruction)
    }
    if instruction.isTrap { return stop(instruction) }
    if instruction.isPrivileged {
      return Fault(
        summary: "Only the system may use this instruction" + remark([]),
        kind: .privilegedInstruction, instruction: instruction.text)
    }
    return Fault(
      summary: "The processor does not know the instruction" + remark([]),
      kind: .illegalInstruction, instruction: instruction.text)
  }

  private func trap() -> Fault? {
    if let instruction, instruction.isTrap { return stop(instruction) }
    // Intel's processors are past a breakpoint when it is reported.
    guard !space.isARM, byteBefore == 0xcc else { return nil }
    return Fault(summary: "The program stopped itself (int3)", kind: .trap, instruction: "int3")
  }

  private func stop(_ instruction: Instruction) -> Fault {
    let text = instruction.text ?? ""
    let isCheck = text.hasPrefix("ud") || text == "brk #0x1"
    return Fault(
      summary: "The program stopped itself"
        + (isCheck ? ": a check failed, or code was reached that must not be" : "") + " (\(text))",
      kind: .trap, instruction: text)
  }

  /// ` (mov rax, [rdi+0x10]; rdi = 0x0)`: the instruction and registers of interest.
  func remark(_ names: [String]) -> String {
    var seen: Set<String> = []
    let values = names.filter { seen.insert($0).inserted }.compactMap { name in
      registers[name].map { "\(name) = \(Address($0))" }
    }
    let parts = [instruction?.text].compactMap(\.self) + values
    return parts.isEmpty ? "" : " (" + parts.joined(separator: "; ") + ")"
  }
}
