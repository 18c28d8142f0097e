/// The exceptions of Apple's kernel by their numbers, and what their codes mean.
///
/// Sources: `mach/exception_types.h`, `mach/kern_return.h`, `mach/i386/exception.h`, `mach/arm/exception.h`.
enum MachException {
  /// Of dumps of programs that go on.
  static let simulated: UInt32 = 0x4350_7378

  private static let names: [UInt32: String] = [
    1: "EXC_BAD_ACCESS", 2: "EXC_BAD_INSTRUCTION", 3: "EXC_ARITHMETIC", 4: "EXC_EMULATION",
    5: "EXC_SOFTWARE", 6: "EXC_BREAKPOINT", 7: "EXC_SYSCALL", 8: "EXC_MACH_SYSCALL",
    9: "EXC_RPC_ALERT", 10: "EXC_CRASH", 11: "EXC_RESOURCE", 12: "EXC_GUARD",
    simulated: "Simulated Exception",
  ]

  static func name(_ number: UInt32) -> String {
    names[number] ?? "0x" + String(number, radix: 16)
  }

  private static let accessCodes: [UInt32: String] = [
    1: "KERN_INVALID_ADDRESS", 2: "KERN_PROTECTION_FAILURE", 5: "KERN_FAILURE",
    8: "KERN_NO_ACCESS", 9: "KERN_MEMORY_FAILURE", 10: "KERN_MEMORY_ERROR",
    50: "KERN_CODESIGN_ERROR",
  ]
  private static let intelCodes: [UInt32: [UInt32: String]] = [
    1: [13: "EXC_I386_GPFLT"],
    2: [
      1: "EXC_I386_INVOP", 10: "EXC_I386_INVTSSFLT", 11: "EXC_I386_SEGNPFLT",
      12: "EXC_I386_STKFLT", 13: "EXC_I386_GPFLT", 17: "EXC_I386_ALIGNFLT",
    ],
    3: [
      1: "EXC_I386_DIV", 2: "EXC_I386_INTO", 3: "EXC_I386_NOEXT", 4: "EXC_I386_EXTOVR",
      5: "EXC_I386_EXTERR", 6: "EXC_I386_EMERR", 7: "EXC_I386_BOUND", 8: "EXC_I386_SSEEXTERR",
    ],
    6: [1: "EXC_I386_SGL", 2: "EXC_I386_BPT"],
  ]
  private static let armCodes: [UInt32: [UInt32: String]] = [
    1: [
      0x101: "EXC_ARM_DA_ALIGN", 0x102: "EXC_ARM_DA_DEBUG", 0x103: "EXC_ARM_SP_ALIGN",
      0x104: "EXC_ARM_SWP", 0x105: "EXC_ARM_PAC_FAIL",
    ],
    2: [1: "EXC_ARM_UNDEFINED"],
    3: [
      1: "EXC_ARM_FP_IO", 2: "EXC_ARM_FP_DZ", 3: "EXC_ARM_FP_OF", 4: "EXC_ARM_FP_UF",
      5: "EXC_ARM_FP_IX", 6: "EXC_ARM_FP_ID",
    ],
    6: [1: "EXC_ARM_BREAKPOINT"],
  ]

  /// `KERN_INVALID_ADDRESS`; hexadecimal for one without a name.
  static func code(_ code: UInt32, of exception: UInt32, isARM: Bool) -> String {
    if exception == 1, let name = accessCodes[code] { return name }
    let names = isARM ? armCodes : intelCodes
    return names[exception]?[code] ?? "0x" + String(code, radix: 16)
  }

  /// The signal that a program gets for an exception that nobody handles.
  ///
  /// Source: `ux_exception` in `bsd/uxkern/ux_exception.c` of XNU.
  static func signal(_ exception: UInt32, code: UInt32) -> String? {
    switch exception {
    case 1: code == 1 ? "SIGSEGV" : "SIGBUS"
    case 2: "SIGILL"
    case 3: "SIGFPE"
    case 4: "SIGEMT"
    case 5: code == 0x1_0002 ? "SIGABRT" : nil
    case 6: "SIGTRAP"
    default: nil
    }
  }
}
