internal import CrashModel
internal import Identifiers
internal import Instructions

/// Failed memory accesses.
extension FaultAnalyzer {
  /// A failed access.
  struct Failure {
    var kind: Fault.Access.Kind?
    var address: UInt64?
    var size: Int?
    /// The registers that formed the address, the base first.
    var registers: [String] = []
    /// The register that contains the start of the address.
    var base: String?
    /// Whether the stack is accessed: by a push, a call, or through the stack pointer.
    var isOfStack = false
    var flow: Instruction.Flow.Kind?
  }

  /// The confidence from which on a flipped bit is mentioned in the summary.
  private static let sayableConfidence = 0.9

  func memoryFault() -> Fault? {
    let accesses = self.accesses
    guard let failure = failure(among: accesses) else { return hiddenFault() }
    let (kind, words) = explanation(of: failure)
    let isExecution = failure.kind == .execute
    let showsInstruction = !(isExecution && failure.flow == nil)
    let what = title(of: failure)
    let summary =
      (words.map { "\(what): \($0)" } ?? what)
      + (showsInstruction ? remark(failure.registers) : "")
    var fault = Fault(
      summary: kind == .stackOverflow
        ? "Stack overflow: " + lowered(what) + remark([registers.stackPointerName])
        : summary,
      kind: kind, address: failure.address.map(Address.init),
      instruction: showsInstruction ? instruction?.text : nil,
      accesses: showsInstruction ? accesses.compactMap(\.shown) : [])
    if isExecution, !showsInstruction, let address = failure.address {
      fault.accesses = [Fault.Access(.execute, at: Address(address))]
    }
    fault.accesses = fault.accesses.map { access in
      var access = access
      if case .guarded = space.presence(access.address.value) { access.isGuardPage = true }
      return access
    }
    fault.bitFlips = bitFlips(of: failure, kind)
    if let best = fault.bitFlips.first, best.confidence >= Self.sayableConfidence {
      fault.summary +=
        "; one bit from \(best.address)" + (best.register.map { " in \($0)" } ?? "")
    }
    return fault
  }

  /// An access of the instruction with its address, if known.
  struct PlacedAccess {
    let access: MemoryAccess
    let address: UInt64?

    var shown: Fault.Access? {
      guard let address, let kind = Fault.Access.Kind(rawValue: access.kind.rawValue) else {
        return nil
      }
      return Fault.Access(
        kind, at: Address(address), size: access.size,
        operand: access.isExplicit ? access.operand.text : nil)
    }
  }

  private var accesses: [PlacedAccess] {
    (instruction?.accesses ?? []).map { access in
      PlacedAccess(access: access, address: access.operand.address { registers[$0] })
    }
  }

  /// Whether the system gives no address, as the processor did not give it one either.
  private var hidesAddress: Bool {
    switch reason.code {
    case "SI_KERNEL", "EXC_I386_GPFLT": return true
    default: break
    }
    guard let address = reason.address?.value else { return true }
    return reason.type == "EXCEPTION_ACCESS_VIOLATION_READ"
      && (address == .max || !space.is64Bit && address == 0xffff_ffff)
  }

  private func failure(among accesses: [PlacedAccess]) -> Failure? {
    guard let pc = registers.programCounter else {
      return reason.address.map { Failure(kind: spokenKind, address: $0.value) }
    }
    let reported = hidesAddress || isReportedByInstruction ? nil : reason.address?.value
    if spokenKind == .execute || reported == pc || !space.isCanonical(pc)
      || instruction == nil && !isReportedByInstruction && !space.allows(.execute, at: pc)
    {
      let address = spokenKind == .execute ? reported ?? pc : pc
      // A page that ends within an instruction is a different case.
      if reported == nil || reported == address { return Failure(kind: .execute, address: address) }
    }
    if let reported {
      let match = accesses.first { placed in
        guard let address = placed.address else { return false }
        // An access that crosses pages fails on the second one; a string operation may be anywhere.
        return reported >= address && reported - address < UInt64(placed.access.size ?? 4096)
      }
      if let match { return failure(match, address: reported) }
      if let flow = instruction?.flow, let target = target(of: flow), target == reported {
        return Failure(kind: .execute, address: reported, registers: names(flow), flow: flow.kind)
      }
      // The only access must be the one, whatever is known of its registers.
      let explicit = accesses.filter(\.access.isExplicit)
      var failure = Failure(kind: spokenKind, address: reported)
      if explicit.count == 1, explicit[0].address == nil {
        failure.size = explicit[0].access.size
        failure.kind = Fault.Access.Kind(rawValue: explicit[0].access.kind.rawValue)
        failure.registers = explicit[0].access.operand.registers
      }
      return failure
    }
    if let failure = hiddenFailure(accesses) { return failure }
    guard isReportedByInstruction else { return nil }
    let placed = accesses.first { $0.address != nil }
    return placed.flatMap { placed in placed.address.map { failure(placed, address: $0) } }
      ?? Failure(kind: nil, address: nil)
  }

  /// Exceptions of Windows whose address is that of the instruction.
  private var isReportedByInstruction: Bool {
    ["EXCEPTION_STACK_OVERFLOW", "EXCEPTION_GUARD_PAGE", "EXCEPTION_DATATYPE_MISALIGNMENT"]
      .contains(
        reason.type ?? "")
  }

  private var spokenKind: Fault.Access.Kind? {
    guard let type = reason.type else { return nil }
    return type.hasSuffix("_READ")
      ? .read : type.hasSuffix("_WRITE") ? .write : type.hasSuffix("_EXEC") ? .execute : nil
  }

  private func failure(_ placed: PlacedAccess, address: UInt64) -> Failure {
    let operand = placed.access.operand
    return Failure(
      kind: Fault.Access.Kind(rawValue: placed.access.kind.rawValue), address: address,
      size: placed.access.size, registers: operand.registers, base: operand.base,
      isOfStack: operand.base.map { ["rsp", "esp", "sp", "rbp", "ebp", "x29"].contains($0) }
        ?? false)
  }

  /// The access that the processor rejects, where the system does not name it: the one that is impossible.
  private func hiddenFailure(_ accesses: [PlacedAccess]) -> Failure? {
    let known = accesses.filter { $0.address != nil }
    if let flow = instruction?.flow, let target = target(of: flow), !space.isCanonical(target) {
      return Failure(kind: .execute, address: target, registers: names(flow), flow: flow.kind)
    }
    func first(_ isIt: (PlacedAccess, UInt64) -> Bool) -> Failure? {
      known.first { placed in placed.address.map { isIt(placed, $0) } ?? false }
        .flatMap { placed in placed.address.map { failure(placed, address: $0) } }
    }
    if let failure = first({ !space.isCanonical($1) }) { return failure }
    if instruction?.needsAlignment == true,
      let failure = first({ $1 % UInt64(max($0.access.size ?? 1, 1)) != 0 })
    {
      return failure
    }
    // A system that reports nothing at all may mean any address.
    guard reason.code != "SI_KERNEL", reason.code != "EXC_I386_GPFLT" else { return nil }
    if let failure = first({ _, address in address < space.nullEnd }) { return failure }
    return first({ placed, address in
      guard let kind = Fault.Access.Kind(rawValue: placed.access.kind.rawValue) else {
        return false
      }
      return !space.allows(kind, at: address)
    })
  }

  private func names(_ flow: Instruction.Flow) -> [String] {
    switch flow.target {
    case .register(let name): [name]
    case .memory(let operand): operand.registers
    case .address, nil: []
    }
  }

  private func target(of flow: Instruction.Flow) -> UInt64? {
    switch flow.target {
    case .address(let address): address
    case .register(let name): registers[name]
    case .memory(let operand):
      operand.address { registers[$0] }.flatMap { space.memory.word(at: $0) }
    case nil: nil
    }
  }

  /// The summary where the processor rejected an access and none of the known ones explains it.
  private func hiddenFault() -> Fault? {
    if let instruction, instruction.isPrivileged {
      return Fault(
        summary: "Only the system may use this instruction" + remark([]),
        kind: .privilegedInstruction, instruction: instruction.text)
    }
    guard reason.code == "SI_KERNEL" || reason.code == "EXC_I386_GPFLT" else {
      return instruction?.text.map { text in
        Fault(
          summary: "The instruction that failed is " + text, instruction: text,
          accesses: accesses.compactMap(\.shown))
      }
    }
    return Fault(
      summary:
        "The processor refused an access without an address: one that is not canonical, or not "
        + "aligned" + remark(instruction?.accesses.flatMap(\.operand.registers) ?? []),
      instruction: instruction?.text, accesses: accesses.compactMap(\.shown))
  }

  // MARK: Words

  private func title(of failure: Failure) -> String {
    let location = failure.address.map { " at \(Address($0))" } ?? ""
    let size = failure.size.map { $0 == 1 ? " of 1 byte" : " of \($0) bytes" } ?? ""
    switch failure.kind {
    case .read: return "Read" + size + location
    case .write: return "Write" + size + location
    case .update: return "Read and write" + size + location
    case .execute:
      switch failure.flow {
      case .call: return "Call of" + location.dropFirst(3)
      case .jump: return "Jump to" + location.dropFirst(3)
      case .return: return "Return to" + location.dropFirst(3)
      case nil: return "Execution" + location
      }
    case nil: return "Access" + location
    }
  }

  private func lowered(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The reason why an access failed; the text is `nil` where nothing is known.
  private func explanation(of failure: Failure) -> (Fault.Kind?, String?) {
    if reason.type == "EXCEPTION_STACK_OVERFLOW" { return (.stackOverflow, nil) }
    if reason.type == "EXCEPTION_GUARD_PAGE" { return (.guardPage, "a guard page") }
    guard let address = failure.address else { return (nil, nil) }
    if failure.kind == .execute { return execution(of: failure, address) }
    if isStackOverflow(failure, address) { return (.stackOverflow, nil) }
    let base = failure.base.flatMap { registers[$0] }
    if address < space.nullEnd || base == 0 && failure.registers.count == 1 && address < 1 << 31 {
      return (.nullPointer, address == 0 ? "null pointer" : "null pointer plus \(Address(address))")
    }
    if failure.isOfStack, failure.base != "rbp", failure.base != "ebp", failure.base != "x29",
      !hasStack
    {
      return (.badStackPointer, "the stack pointer leads to no stack")
    }
    if let found = pattern(of: failure, address) { return found }
    if !space.isCanonical(address) { return (.nonCanonical, nonCanonical(address)) }
    if reason.code == "BUS_ADRALN" || reason.type == "EXCEPTION_DATATYPE_MISALIGNMENT"
      || reason.code == "EXC_ARM_DA_ALIGN"
      || hidesAddress && instruction?.needsAlignment == true
    {
      let size = failure.size.map { " of \($0)" } ?? ""
      return (.misaligned, "the address is not a multiple\(size), as this instruction needs")
    }
    if reason.code == "BUS_ADRERR" || reason.type?.hasPrefix("EXCEPTION_IN_PAGE_ERROR") == true {
      return (.missingPage, "the file behind this memory has become shorter, or cannot be read")
    }
    return presence(of: failure, address)
  }

  private func presence(of failure: Failure, _ address: UInt64) -> (Fault.Kind?, String?) {
    let (kind, words) = plainPresence(of: failure, address)
    let text = FillPattern.text(within: address, size: space.memory.addressSize).map {
      "its bytes are the text “\($0)”"
    }
    let parts = [words, kind == .protected || kind == .guardPage ? nil : text].compactMap(\.self)
    return (kind, parts.isEmpty ? nil : parts.joined(separator: "; "))
  }

  private func plainPresence(of failure: Failure, _ address: UInt64) -> (Fault.Kind?, String?) {
    let name = space.name(at: address).map { " (\($0))" } ?? ""
    switch space.presence(address) {
    case .guarded: return (.guardPage, "a guard page, which no code may access")
    case .absent: return (.unmapped, "nothing is mapped there")
    case .present(let protection?):
      if let kind = failure.kind, !space.allows(kind, at: address) {
        let words =
          protection.contains(.read)
          ? "the memory there is read-only" : "the memory there may not be read"
        return (.protected, words + name)
      }
      return (nil, nil)
    case .present(nil), .unknown: break
    }
    if space.isKernel(address) { return (.unmapped, "an address of the system's kernel") }
    switch reason.code {
    case "SEGV_MAPERR", "KERN_INVALID_ADDRESS": return (.unmapped, "nothing is mapped there")
    case "SEGV_ACCERR", "KERN_PROTECTION_FAILURE":
      return (.protected, "the memory there is protected against it" + name)
    default: return (nil, nil)
    }
  }

  private func nonCanonical(_ address: UInt64) -> String {
    FillPattern.text(address, size: 8).map {
      "these bytes are the text “\($0)”: memory was overwritten"
    } ?? "not an address that memory can have (non-canonical)"
  }

  /// A fault pattern: an address made of bytes that allocators leave behind.
  private func pattern(of failure: Failure, _ address: UInt64) -> (Fault.Kind?, String?)? {
    let bits = space.memory.addressSize * 8
    for name in failure.registers {
      if let value = registers[name], let pattern = FillPattern(value, bits: bits),
        isPossible(pattern)
      {
        return (pattern.kind, "\(name) holds the pattern of \(pattern.words)")
      }
    }
    guard failure.registers.isEmpty, let pattern = FillPattern(address, bits: bits),
      isPossible(pattern)
    else { return nil }
    return (pattern.kind, "the pattern of \(pattern.words)")
  }

  /// Whether the filler of this pattern can be in the process; any can where the images are unknown.
  private func isPossible(_ pattern: FillPattern) -> Bool {
    guard let filler = pattern.filler, !report.images.isEmpty else { return true }
    return filler.isIn(report)
  }

  private func execution(of failure: Failure, _ address: UInt64) -> (Fault.Kind?, String?) {
    let way = wayThere(failure, address)
    let text = FillPattern.text(within: address, size: space.memory.addressSize).map {
      "nothing is mapped there; its bytes are the text “\($0)”"
    }
    if address < space.nullEnd {
      return (.nullPointer, way ?? (isCalled ? "a null function pointer was called" : nil))
    }
    if let pattern = FillPattern(address, bits: space.memory.addressSize * 8), isPossible(pattern) {
      return (pattern.kind, "the pattern of \(pattern.words)")
    }
    if !space.isCanonical(address) { return (.nonCanonical, nonCanonical(address)) }
    switch space.presence(address) {
    case .present(let protection?) where !protection.contains(.execute):
      let isStack = space.memory.mapping(at: address)?.name == "[stack]" || isNearStack(address)
      let name = isStack ? "the stack" : space.name(at: address).map { "data (\($0))" } ?? "data"
      return (.executeData, "this is \(name), not code" + (way.map { "; " + $0 } ?? ""))
    case .present(nil) where isNearStack(address):
      return (.executeData, "this is the stack, not code" + (way.map { "; " + $0 } ?? ""))
    case .guarded: return (.guardPage, "a guard page, which no code may access")
    case .absent: return (.executeUnmapped, way ?? text ?? "nothing is mapped there")
    case .present, .unknown: break
    }
    if space.image(at: address) == nil {
      let words =
        reason.code == "SEGV_ACCERR" ? "this is data, not code" : "nothing is mapped there"
      return (reason.code == "SEGV_ACCERR" ? .executeData : .executeUnmapped, way ?? text ?? words)
    }
    return (nil, nil)
  }

  /// Whether a call may have led to an address without code: it leaves its return address on top of the
  /// stack, or in the link register.
  private var isCalled: Bool {
    let pointer =
      space.isARM
      ? registers["lr"] ?? registers["x30"] : registers.stackPointer.flatMap(space.memory.word)
    guard let pointer else { return true }
    return space.mayBeCode(pointer)
  }

  /// How the program came to an address without code: the word popped by a `ret` is right below the stack
  /// pointer.
  private func wayThere(_ failure: Failure, _ address: UInt64) -> String? {
    if failure.flow == .return { return "the return address on the stack is damaged" }
    guard failure.flow == nil, !space.isARM, let sp = registers.stackPointer else { return nil }
    let word = UInt64(space.memory.addressSize)
    // Zeros are common, but a call would have left its return address.
    if address != 0 || !isCalled, space.memory.word(at: sp &- word) == address {
      return "the return address on the stack is damaged"
    }
    return nil
  }

  // MARK: The stack

  private func isNearStack(_ address: UInt64) -> Bool {
    guard let sp = registers.stackPointer else { return false }
    return max(address, sp) - min(address, sp) < 1 << 20
  }

  /// Whether the dump has a stack at the stack pointer, or a page above it.
  private var hasStack: Bool {
    guard let sp = registers.stackPointer, sp >= space.nullEnd, space.isCanonical(sp) else {
      return false
    }
    return stackStart(from: sp) != nil
  }

  /// The lowest stack address from `sp` on, within a mebibyte.
  private func stackStart(from sp: UInt64) -> UInt64? {
    let (end, overflow) = sp.addingReportingOverflow(1 << 20)
    let range = sp...(overflow ? .max : end)
    let mapped = space.memory.mappings.first { $0.end > sp && $0.protection.contains(.write) }
    if let mapped, range.contains(max(mapped.start, sp)) { return max(mapped.start, sp) }
    let region = space.memory.regions.first { $0.end > sp }
    if let region, range.contains(max(region.start, sp)) { return max(region.start, sp) }
    return nil
  }

  /// Whether the stack overflowed: the access is near the stack pointer, and the stack begins above it.
  ///
  /// The arguments of the next call are below the pointer and, where a function reserves its variables at
  /// once, as many bytes as these take.
  func isStackOverflow(_ failure: Failure, _ address: UInt64) -> Bool {
    guard let sp = registers.stackPointer, sp >= space.nullEnd, address >= space.nullEnd,
      space.isCanonical(address), failure.kind != .execute,
      address < sp
        ? sp - address <= (isByStack(failure) ? 1 << 20 : 1 << 16)
        : isByStack(failure) && address - sp <= 1 << 16
    else { return false }
    switch space.presence(address) {
    case .present(nil): return false
    case .present(let protection?) where protection.contains(.write): return false
    default: break
    }
    return stackStart(from: address) != nil
  }

  private func isByStack(_ failure: Failure) -> Bool {
    failure.isOfStack || failure.registers.isEmpty
  }

  // MARK: Broken bits

  private func bitFlips(of failure: Failure, _ kind: Fault.Kind?) -> [Fault.BitFlip] {
    guard let address = failure.address, kind != .stackOverflow else { return [] }
    // A null pointer is more likely than any flipped bit.
    if kind == .nullPointer, failure.registers.contains(where: { registers[$0] == 0 }) { return [] }
    var values: [(register: String?, value: UInt64)] = [(nil, address)]
    for name in failure.registers {
      if let value = registers[name] { values.append((name, value)) }
    }
    return BitFlips(space: space, registers: registers).candidates(
      values, isNonCanonical: !space.isCanonical(address))
  }
}
