internal import Identifiers

/// The code through which an operating system calls a signal's or an exception's handler, and returns from it.
///
/// The frame below it on a stack was not making a call: the signal interrupted it, so that its address is
/// that of an instruction, not a return address.
public enum SignalTrampoline {
  /// gdb's name for such a frame, used where a report leaves it without a name.
  public static let placeholder = "<signal handler called>"

  /// The functions at whose start the handler's return address points: they were not called.
  ///
  /// Source: `sigaction.c` and the vdso's linker scripts of glibc, musl, bionic and Linux;
  /// `runtime/sys_linux_amd64.s` of Go.
  private static let restorers: Set<String> = [
    "__restore_rt", "__restore", "__sigaction_sa_restorer", "__default_sa_restorer",
    "__default_rt_sa_restorer", "__default_sa_restorer_v1", "__default_sa_restorer_v2",
    "__default_rt_sa_restorer_v1", "__default_rt_sa_restorer_v2", "__rt_sigreturn_stub",
    "__sigreturn_stub", "__kernel_rt_sigreturn", "__kernel_sigreturn", "__vdso_rt_sigreturn",
    "__vdso_sigreturn", "__kernel_sigtramp_rt64", "__kernel_sigtramp_rt32", "__kernel_sigtramp32",
    "__kernel_start_sigtramp_rt64", "runtime.sigreturn", "runtime.sigreturn.abi0",
    "runtime.sigreturn__sigaction", "runtime.sigreturn__sigaction.abi0",
  ]

  /// The functions that call the handler.
  ///
  /// Source: `_sigtramp.c` of Apple's libplatform; `sigtramp.S` of the BSDs; `sigacthandler` of
  /// illumos; `KiUserExceptionDispatcher` and its relatives of ntdll, with WinDbg's spelling.
  private static let callers: Set<String> = [
    placeholder, "_sigtramp", "__sigtramp", "sigtramp", "__sigtramp_siginfo_2",
    "sigacthandler", "_signalstub", "__signalstub", "commpage_signal_handler",
    "KiUserExceptionDispatcher", "KiUserExceptionDispatch", "KiUserApcDispatcher",
    "KiUserApcDispatch",
  ]

  /// The lengths of the names, as bits: most function names have another length or first letter, and there
  /// are hundreds in a report.
  private static let lengths = restorers.union(callers).reduce(UInt64(0)) {
    $0 | 1 << UInt64($1.utf8.count)
  }

  /// Whether it is the name of a trampoline.
  public static func isName(_ name: String) -> Bool {
    mayBe(name) && (callers.contains(name) || restorers.contains(name))
  }

  /// Whether it is a trampoline whose start is on the stack, as if it had called the handler.
  static func isRestorer(_ name: String) -> Bool { mayBe(name) && restorers.contains(name) }

  private static func mayBe(_ name: String) -> Bool {
    let count = name.utf8.count
    guard count < 64, lengths & 1 << UInt64(count) != 0, let first = name.utf8.first else {
      return false
    }
    return "_<Krsc".utf8.contains(first)
  }
}

/// A library that contains a trampoline, which reports mostly leave without a name.
enum TrampolineLibrary {
  /// Linux's vdso. None of its other functions calls anything.
  case vdso
  /// glibc, which exports no symbol for its trampoline on x86_64.
  case glibc
  /// Apple's libsystem_platform.
  case platform
  /// A library whose other functions call back.
  case pthread

  /// - Returns: `nil` for any other image.
  init?(_ image: LoadedImage) {
    let name = image.name
    switch name {
    case "[vdso]", "[vdso32]", "linux-vdso.so.1", "linux-vdso64.so.1", "linux-vdso32.so.1",
      "linux-gate.so.1", "vdso":
      self = .vdso
    case "libsystem_platform.dylib", "libsystem_sim_platform.dylib": self = .platform
    case "libsystem_pthread.dylib", "libsystem_sim_pthread.dylib": self = .pthread
    case "libc.so.6", "libpthread.so.0": self = .glibc
    default:
      guard name.hasPrefix("libc-2.") || name.hasPrefix("libpthread-2."), name.hasSuffix(".so")
      else { return nil }
      self = .glibc
    }
    if self == .glibc, let architecture = image.architecture, architecture != .x86_64 {
      return nil
    }
  }
}
