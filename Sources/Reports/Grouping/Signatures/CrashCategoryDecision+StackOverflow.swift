internal import CrashModel
internal import Identifiers

extension CrashCategoryDecision {
  /// Whether the stack overflowed, according to the runtime, the system, or the fault's address.
  mutating func decideStackOverflow(_ report: CrashReport) -> Bool {
    let reason = report.reason
    if let exception = reason.exception, let type = exception.type,
      type == "StackOverflowError" || type.hasSuffix(".StackOverflowError")
        || type.hasSuffix(".StackOverflowException") || type == "RecursionError"
    {
      decide(.stackOverflow, ["stack overflow"], by: "reason.exception", type)
      if !exception.frames.isEmpty {
        isCrashedStack = false
        stack = exception.frames[...]
      }
      return true
    }
    if let type = reason.type, Self.types.contains(type) {
      decide(.stackOverflow, ["stack overflow"], by: "reason.type", type)
      return true
    }
    if let exception = reason.exception, let message = exception.message,
      Self.isSpokenOverflow(message)
    {
      decide(.stackOverflow, ["stack overflow"], by: "reason.exception", message)
      if !exception.frames.isEmpty {
        isCrashedStack = false
        stack = exception.frames[...]
      }
      return true
    }
    if let message = reason.message, Self.isSpokenOverflow(message) {
      decide(.stackOverflow, ["stack overflow"], by: "reason.message", message)
      return true
    }
    if let region = report.tags[.vmRegion], Self.isGuard(region) {
      decide(.stackOverflow, ["stack overflow"], by: ReportTag.vmRegion.description, region)
      return true
    }
    if let fault = reason.fault, fault.kind == .stackOverflow {
      decide(.stackOverflow, ["stack overflow"], by: "reason.fault", fault.summary)
      return true
    }
    if Self.isExecution(report) { return false }
    let isFault =
      reason.signal == "SIGSEGV" || reason.signal == "SIGBUS" || reason.type == "EXC_BAD_ACCESS"
    guard isFault, let address = reason.address?.value, address > SigningLimits.stackBelow,
      isAtStackEnd(address, report) || isDeep
    else { return false }
    decide(.stackOverflow, ["stack overflow"], by: "reason.address", Address(address).description)
    return true
  }

  /// Whether the processor tried to execute data, near the stack pointer or elsewhere: no call did that.
  private static func isExecution(_ report: CrashReport) -> Bool {
    switch report.reason.fault?.kind {
    case .executeData, .executeUnmapped: return true
    default: break
    }
    guard let address = report.reason.address?.value, let index = crashedIndex(of: report) else {
      return false
    }
    return report.threads[index].registers.contains {
      $0.value == address && ["rip", "pc", "eip"].contains($0.name)
    }
  }

  /// Names of a stack overflow, by sanitizers and by Windows (0xC00000FD).
  private static let types: Set<String> = [
    "stack-overflow", "EXCEPTION_STACK_OVERFLOW", "STATUS_STACK_OVERFLOW", "0xc00000fd",
  ]

  /// The messages of the runtimes of Rust and Go before they end the process.
  private static func isSpokenOverflow(_ message: String) -> Bool {
    let bytes = Scrubbing.scrub(message, limit: SigningLimits.messageBytes)
    return bytes.find("has overflowed its stack") != nil
      || bytes.find("goroutine stack exceeds ") != nil
  }

  /// Whether the region of the fault, which an arrow marks among its neighbours, guards a stack.
  private static func isGuard(_ region: String) -> Bool {
    var bytes = NameBytes(region.utf8.prefix(SigningLimits.messageBytes))
    if let arrow = bytes.find("--->") {
      bytes = bytes.from(arrow + 4)
      while bytes.first == 0x20 { bytes.removeFirst() }
      return bytes.has("STACK GUARD") || bytes.has("Stack Guard")
    }
    return bytes.find("STACK GUARD") != nil || bytes.find("Stack Guard") != nil
  }

  /// Whether the fault lies near the stack pointer. Memory there is the stack's own, so it can be missing
  /// only beyond the stack's end. Below the pointer lie a call's return address, saved registers and the red
  /// zone; above it the variables of a frame that was just allocated.
  private func isAtStackEnd(_ address: UInt64, _ report: CrashReport) -> Bool {
    guard let index = Self.crashedIndex(of: report),
      let pointer = report.threads[index].registers.first(where: {
        $0.name == "rsp" || $0.name == "sp" || $0.name == "esp"
      })?.value, pointer > SigningLimits.stackBelow
    else { return false }
    return address < pointer
      ? pointer - address <= SigningLimits.stackBelow
      : address - pointer <= SigningLimits.stackAbove
  }

  /// Whether the stack is a recursion from near the top to the limit of backtracers: the only sign if neither
  /// registers nor regions are known, or if the address is truncated.
  private var isDeep: Bool {
    let telling = frames.filter { $0.frameClass == .app }
    guard telling.count >= SigningLimits.deepRecursion, let run = Recursion.firstRun(telling),
      run.frames.count >= SigningLimits.deepRecursion
    else { return false }
    return telling[run.frames.lowerBound].index <= SigningLimits.framesAboveRecursion
  }
}
