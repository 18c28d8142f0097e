/// The exceptions of Apple's kernel by their numbers, and what their codes mean.
///
/// Sources: `mach/exception_types.h`, `mach/kern_return.h`, `mach/i386/exception.h`, `mach/arm/exception.h`.
enum MachException {
  static let crash: UInt32 = 10
  static let resource: UInt32 = 11
  static let guarded: UInt32 = 12
  /// The code of dumps of programs that continue.
  static let simulated: UInt32 = 0x4350_7378
  /// The code of an uncaught Objective-C exception, Crashpad's own.
  static let objectiveC: UInt32 = 0x4350_6e78

  private static let names: [UInt32: String] = [
    1: "EXC_BAD_ACCESS", 2: "EXC_BAD_INSTRUCTION", 3: "EXC_ARITHMETIC", 4: "EXC_EMULATION",
    5: "EXC_SOFTWARE", 6: "EXC_BREAKPOINT", 7: "EXC_SYSCALL", 8: "EXC_MACH_SYSCALL",
    9: "EXC_RPC_ALERT", crash: "EXC_CRASH", resource: "EXC_RESOURCE", guarded: "EXC_GUARD",
    13: "EXC_CORPSE_NOTIFY", objectiveC: "UNCAUGHT_NS_EXCEPTION", simulated: "Simulated Exception",
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
  ///
  /// - Parameter wide: All 64 bits of the code, of which a dump also has the lower or upper half.
  static func code(_ code: UInt32, of exception: UInt32, wide: UInt64?, isARM: Bool) -> String {
    if exception == 1, let name = accessCodes[code] { return name }
    if exception == 5 {
      if code == 0x1_0002 { return "SIGABRT" }
      if code == 0xdead_c0de { return "UNCAUGHT_NS_EXCEPTION" }
    }
    if exception == resource || exception == guarded {
      // The kind is in the highest bits; a dump gives the upper half of the code.
      return flavor(exception, wide ?? UInt64(code) << 32)
    }
    let names = isARM ? armCodes : intelCodes
    return names[exception]?[code] ?? "0x" + String(code, radix: 16)
  }

  /// The signal that a program gets for an unhandled exception.
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
    // The signal that ended the process is in the code.
    case crash: darwinSignals[(code >> 24) & 0xff]
    default: nil
    }
  }

  private static let darwinSignals: [UInt32: String] = [
    3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGEMT", 8: "SIGFPE", 9: "SIGKILL",
    10: "SIGBUS", 11: "SIGSEGV", 12: "SIGSYS", 13: "SIGPIPE", 15: "SIGTERM",
  ]

  private static let resourceTypes: [UInt64: (name: String, flavors: [String])] = [
    1: ("RESOURCE_TYPE_CPU", ["FLAVOR_CPU_MONITOR", "FLAVOR_CPU_MONITOR_FATAL"]),
    2: ("RESOURCE_TYPE_WAKEUPS", ["FLAVOR_WAKEUPS_MONITOR"]),
    3: ("RESOURCE_TYPE_MEMORY", ["FLAVOR_HIGH_WATERMARK", "FLAVOR_DIAG_MEMLIMIT"]),
    4: ("RESOURCE_TYPE_IO", ["FLAVOR_IO_PHYSICAL_WRITES", "FLAVOR_IO_LOGICAL_WRITES"]),
    5: ("RESOURCE_TYPE_THREADS", ["FLAVOR_THREADS_HIGH_WATERMARK"]),
    6: ("RESOURCE_TYPE_PORTS", ["FLAVOR_PORT_SPACE_FULL"]),
  ]
  private static let guardTypes = [
    "GUARD_TYPE_NONE", "GUARD_TYPE_MACH_PORT", "GUARD_TYPE_FD", "GUARD_TYPE_USER", "GUARD_TYPE_VN",
    "GUARD_TYPE_VIRT_MEMORY", "GUARD_TYPE_REJECTED_SC",
  ]
  /// Names of the flavors of guards by type, from the lowest bit on.
  private static let guardFlavors: [UInt64: [String]] = [
    1: [
      "GUARD_EXC_DESTROY", "GUARD_EXC_MOD_REFS", "GUARD_EXC_SET_CONTEXT", "GUARD_EXC_UNGUARDED",
      "GUARD_EXC_INCORRECT_GUARD", "GUARD_EXC_IMMOVABLE", "GUARD_EXC_STRICT_REPLY",
    ],
    2: [
      "GUARD_EXC_CLOSE", "GUARD_EXC_DUP", "GUARD_EXC_NOCLOEXEC", "GUARD_EXC_SOCKET_IPC",
      "GUARD_EXC_FILEPORT", "GUARD_EXC_MISMATCH", "GUARD_EXC_WRITE",
    ],
    4: [
      "GUARD_EXC_RENAME_TO", "GUARD_EXC_RENAME_FROM", "GUARD_EXC_UNLINK", "GUARD_EXC_WRITE_OTHER",
      "GUARD_EXC_TRUNC_OTHER", "GUARD_EXC_LINK", "GUARD_EXC_EXCHDATA",
    ],
    5: ["GUARD_EXC_DEALLOC_GAP"],
    6: ["GUARD_EXC_MACH_TRAP", "GUARD_EXC_UNIX_SYSCALL"],
  ]

  /// `RESOURCE_TYPE_CPU, FLAVOR_CPU_MONITOR`.
  ///
  /// Sources: `kern/exc_resource.h` and `kern/exc_guard.h` of XNU.
  private static func flavor(_ exception: UInt32, _ code: UInt64) -> String {
    let type = code >> 61 & 7
    func number(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }
    if exception == resource {
      guard let (name, flavors) = resourceTypes[type] else { return number(code) }
      let flavor = Int(code >> 58 & 7)
      return flavor > 0 && flavor <= flavors.count ? "\(name), \(flavors[flavor - 1])" : name
    }
    guard type < guardTypes.count else { return number(code) }
    let flavor = code >> 32 & 0x1fff_ffff
    guard flavor != 0 else { return guardTypes[Int(type)] }
    let name = guardFlavors[type].flatMap { names in
      flavor.nonzeroBitCount == 1 && flavor.trailingZeroBitCount < names.count
        ? names[flavor.trailingZeroBitCount] : nil
    }
    return "\(guardTypes[Int(type)]), \(name ?? number(flavor))"
  }

  /// The exceeded limit, as text; `nil` for other exceptions.
  ///
  /// Source: `kern/exc_resource.h` of XNU.
  static func resourceText(_ exception: UInt32, _ codes: (UInt64, UInt64)?) -> String? {
    guard exception == resource, let (code, subcode) = codes else { return nil }
    switch code >> 61 & 7 {
    case 1:
      let seconds = code >> 7 & 0x1ff_ffff
      return "\(subcode & 0x7f) % of a processor over \(seconds) s; \(code & 0x7f) % are allowed"
    case 2:
      let seconds = code >> 20 & 0xf_ffff
      return "\(subcode & 0xfff) wakeups a second over \(seconds) s; \(code & 0xfff) are allowed"
    case 3: return "more than \(code & 0x1fff) MiB of memory"
    case 4:
      let seconds = code >> 15 & 0x1_ffff
      return "\(subcode & 0x7fff) MiB written in \(seconds) s; \(code & 0x7fff) are allowed"
    case 5: return "more than \(code & 0x7fff) threads"
    default: return nil
    }
  }
}
