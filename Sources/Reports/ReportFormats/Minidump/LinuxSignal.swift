/// The signals of Linux on most processors, and what their codes mean.
///
/// Source: `asm-generic/siginfo.h` and `asm/signal.h` of Linux.
enum LinuxSignal {
  private static let names = [
    "", "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE",
    "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT",
    "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU",
    "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR", "SIGSYS",
  ]

  /// `SIGSEGV`; `nil` for a number that has no name.
  static func name(_ number: UInt32) -> String? {
    number > 0 && number < 32 ? names[Int(number)] : nil
  }

  /// Signals that do not end a process, and the one that stops a program in a debugger: a core with one of
  /// them was written by a tool.
  static let stops: Set<String> = [
    "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGCONT", "SIGCHLD", "SIGURG", "SIGWINCH",
    "SIGINT",
  ]

  /// The signals of BSD systems whose numbers differ from Linux's.
  ///
  /// Source: `sys/signal.h` of FreeBSD, NetBSD and OpenBSD.
  private static let namesOnBSD: [UInt32: String] = [
    7: "SIGEMT", 10: "SIGBUS", 12: "SIGSYS", 16: "SIGURG", 17: "SIGSTOP", 18: "SIGTSTP",
    19: "SIGCONT", 20: "SIGCHLD", 23: "SIGIO", 29: "SIGINFO", 30: "SIGUSR1", 31: "SIGUSR2",
  ]

  /// The name of a signal on BSD systems.
  static func nameOnBSD(_ number: UInt32) -> String? { namesOnBSD[number] ?? name(number) }

  /// Codes that only one signal has, from 1 on.
  private static let codes: [UInt32: [String]] = [
    4: [
      "ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_PRVREG",
      "ILL_COPROC", "ILL_BADSTK", "ILL_BADIADDR",
    ],
    5: ["TRAP_BRKPT", "TRAP_TRACE", "TRAP_BRANCH", "TRAP_HWBKPT", "TRAP_UNK", "TRAP_PERF"],
    7: ["BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"],
    8: [
      "FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES",
      "FPE_FLTINV", "FPE_FLTSUB",
    ],
    11: ["SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR"],
    31: ["SYS_SECCOMP", "SYS_USER_DISPATCH"],
  ]

  /// Codes of any signal.
  private static let commonCodes: [Int32: String] = [
    0: "SI_USER", 0x80: "SI_KERNEL", -1: "SI_QUEUE", -2: "SI_TIMER", -3: "SI_MESGQ",
    -4: "SI_ASYNCIO", -5: "SI_SIGIO", -6: "SI_TKILL", -7: "SI_DETHREAD", -60: "SI_ASYNCNL",
  ]

  /// `SEGV_MAPERR`; hexadecimal for one without a name.
  static func code(_ code: Int32, of signal: UInt32) -> String {
    if code > 0, let names = codes[signal], names.indices.contains(Int(code) - 1) {
      return names[Int(code) - 1]
    }
    return commonCodes[code] ?? "0x" + String(UInt32(bitPattern: code), radix: 16)
  }

  /// The signals of faults, which have an address: `SIGILL`, `SIGTRAP`, `SIGBUS`, `SIGFPE` and `SIGSEGV`.
  static let faults: Set<UInt32> = [4, 5, 7, 8, 11]

  /// Whether the kernel gives the address of the fault.
  static func hasAddress(_ signal: UInt32, code: Int32) -> Bool {
    faults.contains(signal) && code > 0 && code != 0x80
  }
}
