import CrashModel
import FaultAnalysis
import Identifiers
import Testing

@Suite("Explanations of a crash")
struct FaultAnalyzerTests {
  private func expect(
    _ scene: Scene, _ kind: Fault.Kind?, _ summary: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let fault = try #require(scene.fault, sourceLocation: location)
    #expect(fault.summary == summary, sourceLocation: location)
    #expect(fault.kind == kind, sourceLocation: location)
  }

  @Test(
    "Nothing is said of the instruction at which a signal came that was sent",
    arguments: ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"])
  func sent(signal: String) {
    var scene = Scene("48 3d 01 f0 ff ff")
    scene.reason = CrashReason(signal: signal)
    for code in ["SI_USER", "SI_QUEUE", "SI_TKILL"] {
      scene.reason.code = code
      #expect(scene.fault == nil)
    }
  }

  @Test(
    "A stack overflow whose handler ended the process is recognised by the saved registers"
  )
  func handledOverflow() {
    // The handler's stack is the upper half of the drawn one, the guard page of the other is below it.
    let handler = Scene.stack + 0x4000
    func fault(trap: UInt64, address: UInt64, code: String = "SI_TKILL") -> Fault? {
      var scene = Scene("")
      scene.reason = CrashReason(signal: "SIGABRT", code: code)
      scene.words = [0x4000 + 200: trap, 0x4000 + 216: address]
      var report = scene.report
      func frame(_ name: String, _ position: CodePosition, sp: UInt64) -> Frame {
        var frame = Frame(position: position, function: name)
        frame.registers = [Register("rsp", sp), Register("rip", Scene.code)]
        return frame
      }
      report.threads[0].frames = [
        frame("raise", .exact, sp: handler - 64),
        frame("on_signal", .returnAddress, sp: handler - 32),
        frame("__restore_rt", .exact, sp: handler), frame("walk", .exact, sp: Scene.stack),
        frame("walk", .returnAddress, sp: Scene.stack + 64),
      ]
      return FaultAnalyzer(report) { _ in [] }?.fault()
    }
    let below = Scene.stack - 8
    let found = fault(trap: 14, address: below)
    #expect(found?.kind == .stackOverflow && found?.address == Address(below))
    #expect(
      found?.summary
        == "Stack overflow: access at 0x7ffefff8 (rsp = 0x7fff0000), which a handler of the "
        + "signal answered by ending the process")
    #expect(fault(trap: 0, address: below) == nil)
    #expect(fault(trap: 14, address: 0x10) == nil)
    #expect(fault(trap: 14, address: Scene.stack + 0x100) == nil)
  }

  // MARK: Null

  @Test("A null pointer is named with its offset, the instruction and the register")
  func nullPointer() throws {
    try expect(
      Scene("48 8b 47 10", ["rdi": 0], address: 0x10), .nullPointer,
      "Read of 8 bytes at 0x10: null pointer plus 0x10 (mov rax, [rdi+0x10]; rdi = 0x0)")
    try expect(
      Scene("88 07", ["rdi": 0], address: 0), .nullPointer,
      "Write of 1 byte at 0x0: null pointer (mov [rdi], al; rdi = 0x0)")
  }

  @Test("A large offset from a null pointer is still one")
  func largeOffset() throws {
    try expect(
      Scene("8b 87 00 00 10 00", ["rdi": 0], address: 0x10_0000), .nullPointer,
      "Read of 4 bytes at 0x100000: null pointer plus 0x100000 (mov eax, [rdi+0x100000]; rdi = 0x0)"
    )
  }

  @Test("A null function pointer is not data")
  func nullFunction() throws {
    var scene = Scene("90", ["rip": 0], address: 0)
    scene.reason.code = "SEGV_MAPERR"
    scene.words = [0x1000: Scene.code + 5]
    try expect(scene, .nullPointer, "Execution at 0x0: a null function pointer was called")
  }

  @Test("If no call left its return address, no null function pointer was called")
  func nullReturn() throws {
    var scene = Scene("90", ["rip": 0], address: 0)
    scene.words = [0x1000: Scene.stack + 0x2000]
    try expect(
      scene, .nullPointer, "Execution at 0x0: the return address on the stack is damaged")
    scene.words = [0xff8: 0x50_0000, 0x1000: 0x50_0000]
    try expect(scene, .nullPointer, "Execution at 0x0")
  }

  @Test("A breakpoint is recognised by the program's code if the dump has none")
  func breakpointInProgram() {
    var scene = Scene("")
    scene.registers["rip"] = 0x41_0001
    scene.reason = CrashReason(signal: "SIGTRAP", code: "SI_KERNEL")
    let report = scene.report
    let fault = FaultAnalyzer(report) { $0 == Address(0x41_0000) ? [0xcc, 0x90] : [0x90] }?.fault()
    #expect(fault?.summary == "The program stopped itself (int3)" && fault?.kind == .trap)
    #expect(FaultAnalyzer(report) { _ in [0x90] }?.fault() == nil)
  }

  @Test("A pattern is an allocator's only if that allocator can be there")
  func foreignPattern() {
    func kind(_ pattern: UInt64, _ images: [String], _ system: String = "Linux") -> Fault.Kind? {
      var scene = Scene("48 8b 00", ["rax": pattern])
      scene.reason.code = "SI_KERNEL"
      scene.system = system
      var report = scene.report
      report.images = images.map { LoadedImage(name: $0) }
      return FaultAnalyzer(report) { _ in [] }?.fault()?.kind
    }
    let (junk, mozilla) = (0x5a5a_5a5a_5a5a_5a5a as UInt64, 0xe5e5_e5e5_e5e5_e5e5 as UInt64)
    for pattern in [junk, mozilla] {
      #expect(kind(pattern, ["tern", "libc.so.6"]) == .nonCanonical)
      #expect(kind(pattern, ["tern", "libjemalloc.so.2"]) == .freedMemory)
      #expect(kind(pattern, ["firefox-bin", "libc.so.6"]) == .freedMemory)
      #expect(kind(pattern, ["tern", "libc.so.7"], "FreeBSD") == .freedMemory)
    }
    #expect(kind(0xdddd_dddd_dddd_dddd, ["tern"]) == .nonCanonical)
    #expect(kind(0xdddd_dddd_dddd_dddd, ["tern.exe"], "Windows") == .freedMemory)
  }

  @Test("The access of a string operation is the one whose register points there")
  func stringOperation() throws {
    try expect(
      Scene("f3 48 a5", ["rdi": 0x50_0000, "rsi": 0x10], address: 0x10), .nullPointer,
      "Read of 8 bytes at 0x10: null pointer plus 0x10 (rep movsq [rdi], [rsi]; rsi = 0x10)")
  }

  @Test("32-bit programs and 64-bit Arm are read as well")
  func otherProcessors() throws {
    var scene = Scene("8b 40 04", ["eax": 0], address: 4)
    scene.architecture = .i386
    try expect(
      scene, .nullPointer,
      "Read of 4 bytes at 0x4: null pointer plus 0x4 (mov eax, [eax+0x4]; eax = 0x0)")
    scene = Scene("28 08 40 f9", ["x1": 0], address: 0x10)
    scene.architecture = .arm64
    try expect(
      scene, .nullPointer,
      "Read of 8 bytes at 0x10: null pointer plus 0x10 (ldr x8, [x1, #0x10]; x1 = 0x0)")
  }

  // MARK: Addresses

  @Test("The address that a general protection fault hides is found by the instruction")
  func nonCanonical() throws {
    var scene = Scene("48 8b 03", ["rbx": 0x1234_5678_9abc_def0])
    scene.reason.code = "SI_KERNEL"
    try expect(
      scene, .nonCanonical,
      "Read of 8 bytes at 0x123456789abcdef0: not an address that memory can have (non-canonical) "
        + "(mov rax, [rbx]; rbx = 0x123456789abcdef0)")
    #expect(scene.fault?.address == Address(0x1234_5678_9abc_def0))
    scene.reason = CrashReason(type: "EXCEPTION_ACCESS_VIOLATION_READ", address: Address(.max))
    scene.system = "Windows"
    #expect(scene.fault?.kind == .nonCanonical)
    scene.reason = CrashReason(
      type: "EXC_BAD_ACCESS", signal: "SIGSEGV", code: "EXC_I386_GPFLT", address: Address(0))
    #expect(scene.fault?.address == Address(0x1234_5678_9abc_def0))
  }

  @Test("An address that is text is named as such")
  func overwritten() throws {
    var scene = Scene("48 89 03", ["rbx": 0x4141_4141_4141_4141])
    scene.reason.code = "SI_KERNEL"
    try expect(
      scene, .nonCanonical,
      "Write of 8 bytes at 0x4141414141414141: these bytes are the text “AAAAAAAA”: memory was "
        + "overwritten (mov [rbx], rax; rbx = 0x4141414141414141)")
  }

  @Test("A call, a jump or a return to an impossible address is recognised")
  func badTargets() throws {
    var scene = Scene("ff d0", ["rax": 0x8000_0000_0000_1000])
    scene.reason.code = "SI_KERNEL"
    try expect(
      scene, .nonCanonical,
      "Call of 0x8000000000001000: not an address that memory can have (non-canonical) "
        + "(call rax; rax = 0x8000000000001000)")
    scene = Scene("c3")
    scene.words = [0x1000: 0x4242_4242_4242_4242]
    scene.reason.code = "SI_KERNEL"
    try expect(
      scene, .nonCanonical,
      "Return to 0x4242424242424242: these bytes are the text “BBBBBBBB”: memory was overwritten "
        + "(ret; rsp = 0x7fff1000)")
  }

  @Test("An SSE instruction that is refused at a canonical address is misaligned")
  func misaligned() throws {
    var scene = Scene("0f 29 03", ["rbx": 0x50_0008])
    scene.reason.code = "SI_KERNEL"
    try expect(
      scene, .misaligned,
      "Write of 16 bytes at 0x500008: the address is not a multiple of 16, as this instruction needs "
        + "(movaps [rbx], xmm0; rbx = 0x500008)")
  }

  @Test("A pattern of freed memory in a register is named")
  func freed() throws {
    var scene = Scene("48 8b 43 08", ["rbx": 0xe5e5_e5e5_e5e5_e5e5])
    scene.reason.code = "SI_KERNEL"
    try expect(
      scene, .freedMemory,
      "Read of 8 bytes at 0xe5e5e5e5e5e5e5ed: rbx holds the pattern of memory that jemalloc freed "
        + "(mov rax, [rbx+0x8]; rbx = 0xe5e5e5e5e5e5e5e5)")
    scene = Scene("8b 00", ["eax": 0xfeee_feee], address: 0xfeee_feee)
    scene.architecture = .i386
    scene.system = "Windows"
    scene.reason = CrashReason(
      type: "EXCEPTION_ACCESS_VIOLATION_READ", address: Address(0xfeee_feee))
    #expect(scene.fault?.kind == .freedMemory)
    scene = Scene("48 8b 00", ["rax": 0xcdcd_cdcd_cdcd_cdcd])
    scene.reason.code = "SI_KERNEL"
    #expect(scene.fault?.kind == .uninitializedMemory)
  }

  @Test("The addresses of programs are not patterns")
  func notFreed() throws {
    let fault = try #require(
      Scene("48 8b 00", ["rax": 0x5555_5555_4000], address: 0x5555_5555_4000).fault)
    #expect(fault.kind == .unmapped)
  }

  @Test("The dump's facts about the memory there are shown")
  func protections() throws {
    var scene = Scene("c6 00 01", ["rax": 0x51_0004], address: 0x51_0004)
    scene.reason.code = "SEGV_ACCERR"
    try expect(
      scene, .protected,
      "Write of 1 byte at 0x510004: the memory there is read-only (/usr/lib/libtern.so) "
        + "(mov byte [rax], 0x1; rax = 0x510004)")
    try expect(
      Scene("8b 00", ["rax": 0x52_0004], address: 0x52_0004), .guardPage,
      "Read of 4 bytes at 0x520004: a guard page, which no code may access "
        + "(mov eax, [rax]; rax = 0x520004)")
    #expect(
      Scene("8b 00", ["rax": 0x52_0004], address: 0x52_0004).fault?.accesses.first?.isGuardPage
        == true)
    try expect(
      Scene("8b 00", ["rax": 0x60_0000], address: 0x60_0000), .unmapped,
      "Read of 4 bytes at 0x600000: nothing is mapped there (mov eax, [rax]; rax = 0x600000)")
  }

  @Test("A truncated file is a missing page")
  func missingPage() throws {
    var scene = Scene("8b 00", ["rax": 0x51_0004], address: 0x51_0004)
    scene.reason = CrashReason(signal: "SIGBUS", code: "BUS_ADRERR", address: Address(0x51_0004))
    #expect(scene.fault?.kind == .missingPage)
  }

  // MARK: Execution

  @Test("Data and the stack are not code")
  func executedData() throws {
    var scene = Scene("90", ["rip": 0x50_0010], address: 0x50_0010)
    scene.reason.code = "SEGV_ACCERR"
    try expect(scene, .executeData, "Execution at 0x500010: this is data, not code")
    scene = Scene("90", ["rip": Scene.stack + 0x1100], address: Scene.stack + 0x1100)
    try expect(scene, .executeData, "Execution at 0x7fff1100: this is the stack, not code")
    scene = Scene("90", ["rip": 0x60_0010], address: 0x60_0010)
    try expect(scene, .executeUnmapped, "Execution at 0x600010: nothing is mapped there")
    scene.words = [0xff8: 0x60_0010]
    try expect(
      scene, .executeUnmapped, "Execution at 0x600010: the return address on the stack is damaged")
  }

  // MARK: The stack

  @Test("An access below the end of the stack is a stack overflow")
  func stackOverflow() throws {
    let scene = Scene("55", ["rsp": Scene.stack + 4], address: Scene.stack - 4)
    try expect(
      scene, .stackOverflow,
      "Stack overflow: write of 8 bytes at 0x7ffefffc (push rbp; rsp = 0x7fff0004)")
    var windows = Scene("e8 00 00 00 00", ["rsp": Scene.stack])
    windows.system = "Windows"
    windows.reason = CrashReason(
      type: "EXCEPTION_STACK_OVERFLOW", address: Address(Scene.stack - 8))
    #expect(windows.fault?.kind == .stackOverflow)
    #expect(windows.fault?.bitFlips == [])
  }

  @Test("A variable far below the stack pointer overflows the stack, too")
  func largeFrame() {
    let scene = Scene(
      "48 89 bd f8 ff fe ff", ["rbp": Scene.stack + 0x8, "rsp": Scene.stack - 0x2_0000],
      address: Scene.stack - 0x1_0000)
    #expect(scene.fault?.kind == .stackOverflow)
  }

  @Test("A stack pointer to nowhere is not a stack overflow")
  func badStackPointer() {
    let scene = Scene("55", ["rsp": 0x1234_5678], address: 0x1234_5670)
    #expect(scene.fault?.kind == .badStackPointer)
  }

  @Test("A damaged canary names the function, damaged heaps their message")
  func spoken() throws {
    var scene = Scene("90")
    scene.reason = CrashReason(signal: "SIGABRT")
    scene.functions = ["raise", "abort", "__stack_chk_fail", "parse"]
    try expect(
      scene, .stackCorruption,
      "A variable on the stack was written past its end: the canary before the return address is "
        + "damaged, in “parse”")
    scene.functions = ["raise", "abort"]
    #expect(scene.fault == nil)
    scene.reason.message = "free(): invalid pointer\n"
    try expect(
      scene, .heapCorruption,
      "The allocator found its own data damaged: free(): invalid pointer")
    scene.reason = CrashReason(type: "STATUS_HEAP_CORRUPTION")
    #expect(scene.fault?.kind == .heapCorruption)
  }

  @Test("The address of a stack overflow of Windows is that of the instruction")
  func exhausted() throws {
    var scene = Scene("85 00", ["rax": Scene.stack - 0x1000], address: Scene.code)
    scene.system = "Windows"
    scene.reason.signal = nil
    scene.reason.code = nil
    scene.reason.type = "EXCEPTION_STACK_OVERFLOW"
    try expect(
      scene, .stackOverflow,
      "Stack overflow: read of 4 bytes at 0x7ffef000 (test [rax], eax; rsp = 0x7fff1000)")
  }

  @Test("A short address that is text is named as such")
  func shortText() throws {
    var scene = Scene("8b 00", ["eax": 0x4141_4141], address: 0x4141_4141)
    scene.architecture = .i386
    try expect(
      scene, .unmapped,
      "Read of 4 bytes at 0x41414141: nothing is mapped there; its bytes are the text “AAAA” "
        + "(mov eax, [eax]; eax = 0x41414141)")
    #expect(
      try #require(Scene("8b 00", ["rax": 0x4141_4141], address: 0x4141_4141).fault).summary
        .contains("text") == false)
  }

  // MARK: Other exceptions

  @Test("A division shows whether its divisor is zero")
  func division() throws {
    var scene = Scene("f7 f9", ["rcx": 0])
    scene.reason = CrashReason(signal: "SIGFPE", code: "FPE_INTDIV")
    try expect(scene, .divisionByZero, "Division by zero (idiv ecx; ecx = 0x0)")
    scene.registers["rcx"] = .max
    try expect(
      scene, .divisionOverflow,
      "Division with a quotient that is too large (idiv ecx; ecx = 0xffffffff)")
  }

  @Test("Instructions that stop a program are not illegal ones")
  func traps() throws {
    var scene = Scene("0f 0b")
    scene.reason = CrashReason(signal: "SIGILL", code: "ILL_ILLOPN")
    try expect(
      scene, .trap,
      "The program stopped itself: a check failed, or code was reached that must not be (ud2)")
    scene = Scene("f4")
    scene.reason.code = "SI_KERNEL"
    try expect(scene, .privilegedInstruction, "Only the system may use this instruction (hlt)")
    scene = Scene("06")
    scene.reason = CrashReason(signal: "SIGILL", code: "ILL_ILLOPN")
    try expect(scene, .illegalInstruction, "The processor does not know the instruction")
    scene.registers["rip"] = 0x40_4000
    #expect(scene.fault == nil)
    scene = Scene("20 00 20 d4")
    scene.architecture = .arm64
    scene.reason = CrashReason(signal: "SIGTRAP", code: "TRAP_BRKPT")
    #expect(scene.fault?.kind == .trap)
  }

  // MARK: Broken bits

  @Test("An address that is valid except for one bit is a possible bit flip")
  func bitFlips() throws {
    var scene = Scene("48 8b 03", ["rbx": 0x50_0008 | 1 << 50, "rdi": 0x50_0000])
    scene.reason.code = "SI_KERNEL"
    let fault = try #require(scene.fault)
    let flip = try #require(fault.bitFlips.first { $0.register == "rbx" })
    #expect(flip.address == Address(0x50_0008))
    #expect(flip.wasNonCanonical)
    #expect(flip.nearbyRegisters == 1)
    // 1 - 0.75 * 0.1 * 0.5
    #expect(flip.confidence == 0.963)
    #expect(fault.summary.contains("one bit from 0x500008"))
  }

  @Test("Poison in a register makes a broken bit less likely; a null pointer excludes it")
  func doubt() throws {
    var scene = Scene("48 8b 03", ["rbx": 0x50_0008 | 1 << 50, "rdi": 0xe5e5_e5e5_e5e5_e5e5])
    scene.reason.code = "SI_KERNEL"
    #expect(scene.fault?.bitFlips.first?.hasPoison == true)
    #expect(scene.fault?.bitFlips.first?.confidence == 0.463)
    #expect(Scene("48 8b 47 10", ["rdi": 0], address: 0x10).fault?.bitFlips == [])
  }

  @Test("A low address without a register may be one that lost a bit, as rust-minidump says")
  func lowAddress() throws {
    let scene = Scene("c7 04 25 45 00 00 00 05 00 00 00", address: 0x45)
    let flip = try #require(scene.fault?.bitFlips.first { $0.address == Address(0x40_0045) })
    #expect(flip.register == nil)
    #expect(flip.wasNonCanonical == false)
  }

  // MARK: Few facts

  @Test("Without code, the system's description and the registers are all there is")
  func withoutCode() throws {
    var scene = Scene("", ["rip": 0x70_0000], address: 0x18)
    scene.hasMappings = false
    scene.reason = CrashReason(
      type: "EXCEPTION_ACCESS_VIOLATION_WRITE", address: Address(0x18))
    scene.system = "Windows"
    try expect(scene, .nullPointer, "Write at 0x18: null pointer plus 0x18")
  }

  @Test("A report without memory or without a crashed thread has no fault")
  func none() {
    var report = Scene("48 8b 47 10", ["rdi": 0], address: 0x10).report
    report.crashedThread = nil
    #expect(FaultAnalyzer(report) { _ in [] } == nil)
    report = Scene("48 8b 47 10", ["rdi": 0], address: 0x10).report
    report.memory = nil
    #expect(FaultAnalyzer(report) { _ in [] } == nil)
  }

  @Test("Registers of any value cause no crash", arguments: [UInt64](0..<8))
  func anything(_ seed: UInt64) {
    var state = seed
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return [state, state >> 40, .max, 0, 1 << 63, .max - 7][Int(state >> 60) % 6]
    }
    var found = 0
    for _ in 0..<2_000 {
      var scene = Scene("")
      scene.code = (0..<16).map { _ in UInt8(truncatingIfNeeded: next() >> 13) }
      for name in ["rax", "rbx", "rcx", "rdi", "rsi", "rsp", "rbp"] {
        scene.registers[name] = next()
      }
      if next() & 1 == 0 { scene.registers["rip"] = next() }
      scene.architecture = [.x86_64, .i386, .arm64][Int(next() % 3)]
      scene.hasMappings = next() & 1 == 0
      scene.reason.code = next() & 1 == 0 ? "SI_KERNEL" : "SEGV_MAPERR"
      scene.reason.address = next() & 1 == 0 ? nil : Address(next())
      if scene.fault != nil { found += 1 }
    }
    #expect(found > 1_000)
  }
}
