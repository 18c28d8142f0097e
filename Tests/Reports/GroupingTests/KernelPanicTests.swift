import CrashModel
import Grouping
import Testing

@Suite("Kernel panics of Apple's systems")
struct KernelPanicTests {
  private static func signature(_ functions: [String]) -> Signature {
    var report = ReportBuilder(
      functions.map { $0.hasPrefix("@") ? "@ kernel\($0.dropFirst())" : "\($0) @ kernel" }
        .joined(separator: "\n"), signal: nil
    ).report
    report.kind = .other
    report.process.name = "kernel"
    report.process.path = nil
    report.app = AppIdentity(name: "kernel")
    return ReportBuilder.signer.signature(of: report, app: "kernel")
  }

  @Test(
    "The path to every panic is not part of the signature",
    arguments: [
      // A trap in the kernel, on Intel and on ARM.
      [
        "handle_debugger_trap", "kdp_i386_trap", "kernel_trap", "return_from_trap",
        "DebuggerTrapWithState", "panic_trap_to_debugger", "panic", "kernel_trap",
        "return_from_trap", "nest_lay", "nest_fly", "call_continuation",
      ],
      [
        "handle_debugger_trap", "handle_kernel_breakpoint", "sleh_synchronous", "fleh_synchronous",
        "DebuggerTrapWithState", "panic_trap_to_debugger", "panic_with_thread_kernel_state",
        "sleh_synchronous", "fleh_synchronous", "nest_lay", "nest_fly",
      ],
      // The kernel's own call of `panic`, from a call into the kernel.
      [
        "panic_trap_to_debugger", "panic", "nest_lay", "unix_syscall", "handle_svc",
        "sleh_synchronous", "fleh_synchronous",
      ],
      // No names except those in the panic's first line.
      ["@ +0x11a65d", "@ +0x254a75", "panic", "nest_lay"],
    ])
  func machinery(functions: [String]) {
    #expect(Self.signature(functions).text == "nest_lay")
  }

  @Test("Panics without symbols differ by the caller of panic")
  func nameless() {
    let one = Self.signature(["@ +0x10", "panic", "@ +0x200", "@ +0x300"])
    let other = Self.signature(["@ +0x10", "panic", "@ +0x400", "@ +0x300"])
    #expect(one.text.contains("+0x200") && other.text.contains("+0x400"))
    #expect(one.key != other.key)
  }

  @Test("An app's own function of that name is its own")
  func others() {
    #expect(ReportBuilder("Assert @ /opt/shop/bin/shop\nmain").signature.text == "Assert")
  }
}
