import CrashModel
import Grouping
import Identifiers
import Testing

@Suite("Stack overflows")
struct StackOverflowTests {
  private typealias Build = ReportBuilder

  @Test("Stack overflow: one cycle, from the smallest name, wherever it ended")
  func stackOverflow() {
    func text(_ stack: String) -> String {
      Build(stack).with { $0.reason.type = "stack-overflow" }.text
    }
    let turns = String(repeating: "shop::a()\nshop::b()\n", count: 100)
    #expect(text(turns + "main") == "stack overflow | shop::a > shop::b > shop::a")
    #expect(text("shop::b()\n" + turns + "main") == text(turns + "main"))
    #expect(text("shop::leaf()\n" + turns + "main") == text(turns + "main"))
    #expect(text("malloc\nstd::f()\n" + turns) == text(turns + "main"))
    #expect(
      text(String(repeating: "shop::a()\n", count: 64)) == "stack overflow | shop::a > shop::a")
  }

  @Test("A fault at the stack pointer is a stack overflow, a null read is not")
  func stackPointer() {
    var build = Build(String(repeating: "shop::a()\n", count: 64))
    build.report.threads[0].registers = [Register("rsp", 0x7FFE_0000_1000)]
    build.report.reason.address = Address(0x7FFE_0000_0FF8)
    #expect(build.signature.category == .stackOverflow)
    build.report.reason.address = Address(0)
    #expect(build.signature.category == .signal)
  }

  @Test("Executing the stack, or memory near it, is not a stack overflow")
  func executedStack() {
    let stack: UInt64 = 0x7FFE_0000_1000
    var build = Build("shop::a()\nmain")
    build.report.threads[0].registers = [Register("rsp", stack), Register("rip", stack + 0x10)]
    build.report.reason.address = Address(stack + 0x10)
    build.report.reason.code = "SEGV_ACCERR"
    #expect(build.signature.category == .signal)
    build.report.threads[0].registers = [Register("rsp", stack)]
    #expect(build.signature.category == .stackOverflow)
    build.report.reason.fault = Fault(summary: "this is the stack, not code", kind: .executeData)
    #expect(build.signature.category == .signal)
  }

  @Test("A stack overflow whose handler ended the process is one")
  func handledOverflow() {
    var build = Build(
      "raise\nabort\nshop::on_signal\n__restore_rt\nshop::a()\nshop::a()\nshop::a()\nmain")
    build.report.reason = CrashReason(signal: "SIGABRT", code: "SI_TKILL")
    #expect(build.signature.category == .abort)
    build.report.reason.fault = Fault(summary: "Stack overflow", kind: .stackOverflow)
    #expect(build.signature.category == .stackOverflow)
    #expect(build.text == "stack overflow | shop::a > shop::a")
  }

  @Test("A fault within a signal handler is the handler's; a fault for which it exits is not")
  func faultInHandler() {
    var build = Build(
      "shop::on_signal\n__restore_rt\n__pthread_kill_implementation\nraise\nshop::a()\nmain")
    for index in build.report.threads[0].frames.indices {
      build.report.threads[0].frames[index].position = index < 3 ? .exact : .returnAddress
    }
    build.report.threads[0].frames[0].trust = .context
    build.report.reason = CrashReason(
      signal: "SIGSEGV", code: "SEGV_MAPERR", address: Address(0x10))
    #expect(build.text == "shop::on_signal")
    build.report.reason.code = "SI_TKILL"
    #expect(build.text == "shop::a")
  }

  @Test(
    "The function counts that a signal interrupted whose handler ended the process, without names of a C library"
  )
  func endedByHandler() {
    var build = Build(
      "@ /usr/lib/libc.so.6 +0x100\nshop::on_signal\n@ /usr/lib/libc.so.6 +0x200\nshop::a()\nmain")
    for index in build.report.threads[0].frames.indices {
      build.report.threads[0].frames[index].position =
        [0, 2, 3].contains(index) ? .exact : .returnAddress
    }
    build.report.threads[0].frames[0].trust = .context
    build.report.reason = CrashReason(signal: "SIGABRT", code: "SI_TKILL")
    #expect(build.text == "shop::a")
    // Nothing was interrupted: the function itself ended the process.
    for index in 1...3 { build.report.threads[0].frames[index].position = .returnAddress }
    #expect(build.text == "shop::on_signal")
  }

  static let faults: [(pointer: UInt64?, address: UInt64, depth: Int, isOverflow: Bool)] = [
    // Below the pointer: a call; above it: the variables of a frame.
    (0x7FFE_0000_1000, 0x7FFE_0000_0FF8, 1, true),
    (0x7FFE_0001_1000, 0x7FFE_0000_1000, 1, true),
    (0x7FFE_0001_1001, 0x7FFE_0000_1000, 1, false),
    (0x7FFE_0000_1000, 0x7FFE_0008_0000, 1, true),
    (0x7FFE_0000_1000, 0x7FFE_0020_0000, 1, false),
    // A lost pointer is not evidence.
    (0x10, 0x18, 1, false), (0x10, 0x18, 500, false),
    // Registers missing, or the address truncated: the depth decides.
    (nil, 0x7FFE_0000_0FF8, 500, true), (0x7FF7_B001_7F80, 0x7_FF7B_EFE0, 500, true),
    (nil, 0x7FFE_0000_0FF8, 20, false), (nil, 0x40, 500, false),
  ]

  @Test("Stack overflow by registers and depth", arguments: faults)
  func stackFault(pointer: UInt64?, address: UInt64, depth: Int, isOverflow: Bool) {
    let turns = String(repeating: "shop::a()\n", count: depth)
    for name in ["rsp", "sp", "esp"] {
      for leaf in ["", "malloc\n", "shop::leaf()\n"] {
        let build = Build(leaf + turns + "main").with {
          $0.threads[0].registers = pointer.map { [Register(name, $0)] } ?? []
          $0.reason.address = Address(address)
        }
        #expect((build.signature.category == .stackOverflow) == isOverflow)
        if isOverflow && depth > 2 { #expect(build.text == "stack overflow | shop::a > shop::a") }
      }
    }
    // A call chain above the recursion does not overflow with it.
    let chain = (0..<20).map { "shop::f\($0)()\n" }.joined()
    let build = Build(chain + turns).with { $0.reason.address = Address(address) }
    #expect(build.signature.category == .signal)
  }

  @Test("Stack overflow according to the system and to runtimes")
  func stackWords() {
    let build = Build("shop::a()\nmain")
    func category(_ change: (inout CrashReport) -> Void) -> SignatureCategory {
      build.with(change).signature.category
    }
    #expect(category { $0.tags[.vmRegion] = "STACK GUARD 16bd58000-16f55c000" } == .stackOverflow)
    #expect(
      category { $0.tags[.vmRegion] = "MALLOC 1-2\n--->  STACK GUARD 2-3\n Stack 3-4" }
        == .stackOverflow)
    #expect(
      category { $0.tags[.vmRegion] = "STACK GUARD 1-2\n--->  GAP OF 0x10 BYTES\n __TEXT" }
        == .signal)
    #expect(category { $0.reason.type = "EXCEPTION_STACK_OVERFLOW" } == .stackOverflow)
    #expect(
      category { $0.reason.message = "thread 'main' has overflowed its stack" } == .stackOverflow)
    #expect(
      category { $0.reason.message = "runtime: goroutine stack exceeds 1000000000-byte limit" }
        == .stackOverflow)
  }
}
