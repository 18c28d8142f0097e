import Bytes
import CrashModel
import ReportFormats
import TestSupport
import Testing

/// The end of a bug's report in a kernel's log, and the lines that belong to it.
@Suite("Boundaries of reports in kernel logs") struct KernelStoryTests {
  private static let warning = """
    [    5.000001] ------------[ cut here ]------------
    [    5.000002] WARNING: CPU: 1 PID: 300 at drivers/tern.c:12 tern_open+0x11/0x20
    [    5.000003] CPU: 1 UID: 0 PID: 300 Comm: ternd Not tainted 6.12.1 #1
    [    5.000004] Call Trace:
    [    5.000005]  do_one_initcall+0x5c/0x80
    [    5.000006] ---[ end trace 0000000000000000 ]---
    [   20.000001] tern: ready

    """

  private static func panic(_ words: String, at time: String) -> String {
    """
    [\(time)] Kernel panic - not syncing: \(words)
    [\(time)] CPU: 0 UID: 0 PID: 9 Comm: bash Not tainted 6.12.1 #1
    [\(time)] Call Trace:
    [\(time)]  panic+0x101/0x2e3
    [\(time)]  tern_halt+0x11/0x20
    [\(time)] ---[ end Kernel panic - not syncing: \(words) ]---

    """
  }

  @Test(
    "A panic long after another report is one of its own, whatever it says",
    arguments: [
      "sysrq triggered crash", "Fatal machine check on current CPU", "panic_on_warn set ...",
      "Out of memory: system-wide panic_on_oom is enabled", "Fatal exception",
      "Machine check from unknown source", "Asynchronous SError Interrupt",
      "System is deadlocked on memory", "hung_task: blocked tasks", "RCU Stall",
    ])
  func late(words: String) throws {
    let reports = try LogReaderChecks.reports(
      Self.warning + Self.panic(words, at: "90000.000003"))
    #expect(reports.map(\.reason.type?.isEmpty) == [false, false])
    #expect(reports.first?.reason.type == "WARNING" && reports.first?.tags[.panic] == nil)
    #expect(reports.last?.reason.type?.hasPrefix("kernel panic: ") == true)
    #expect(reports.last?.threads.first?.frames.last?.function == "tern_halt")
    let boot = "[    0.000000] Command line: root=/dev/sda1 ro\n[   12.000001] tern: ready\n"
    let alone = try LogReaderChecks.reports(boot + Self.panic(words, at: "30.000003"))
    #expect(alone.map { $0.reason.type?.hasPrefix("kernel panic: ") } == [true])
  }

  @Test("A panic that ends a report is part of it; one of another kind is not")
  func near() throws {
    let ends = try LogReaderChecks.reports(
      Self.warning + Self.panic("kernel: panic_on_warn set ...", at: "5.000100"))
    #expect(ends.map { $0.tags[.panic] } == ["kernel: panic_on_warn set ..."])
    for words in ["Fatal machine check", "Out of memory: panic", "sysrq triggered crash"] {
      #expect(
        try LogReaderChecks.reports(Self.warning + Self.panic(words, at: "21.000100")).count == 2)
    }
    let memory = """
      [   10.000001] ternd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0
      [   10.000002] CPU: 0 PID: 8 Comm: ternd Not tainted 6.1.0 #1

      """
    #expect(
      try LogReaderChecks.reports(
        memory + Self.panic("System is deadlocked on memory", at: "10.000100")
      ).count == 1)
  }

  @Test("An oops of ARM long after a warning is a separate report")
  func oops() throws {
    let oops = """
      [  900.000001] Internal error: Oops - Undefined instruction: 0 [#1] SMP ARM
      [  900.000002] PC is at tern_read+0xf4/0x400

      """
    #expect(try LogReaderChecks.reports(Self.warning + oops).count == 2)
  }

  @Test("The last line of a panic is not a second one")
  func endLine() throws {
    let reports = try LogReaderChecks.reports(
      Self.panic("Attempted to kill init! exitcode=0x0000000b", at: "2.000001"))
    #expect(reports.count == 1)
    #expect(reports.first?.app.version == "6.12.1")
  }

  @Test("Lines that happen to precede a report are not part of its message")
  func linesBefore() throws {
    let report = try #require(
      try LogReaderChecks.reports(
        """
        [   99.100000] usb 1-1: new high-speed USB device number 7
        [  100.000001] BUG: kernel NULL pointer dereference, address: 0000000000000018
        [  100.000002] RIP: 0010:tern_read+0x4c/0x130
        """
      ).first)
    #expect(
      report.reason.message == "BUG: kernel NULL pointer dereference, address: 0000000000000018")
  }

  @Test(
    "What the kernel found is, before the mark and after it",
    arguments: [
      "usercopy: Kernel memory exposure attempt detected from SLUB object 'tern'!",
      "list_add corruption. prev->next should be next.",
      "rust_kernel: panicked at drivers/tern/desk.rs:60:5:\n[   60.000001] attempt to add with overflow",
      "memcpy: detected field-spanning write (size 9) of single field",
    ])
  func wordsBefore(words: String) throws {
    let report = try #require(
      try LogReaderChecks.reports(
        """
        [   50.000001] tern: ready
        [   60.000001] \(words)
        [   60.000002] ------------[ cut here ]------------
        [   60.000003] kernel BUG at rust/helpers/bug.c:7!
        [   60.000004] RIP: 0010:rust_helper_BUG+0x8/0x10
        [   60.000005] Call Trace:
        [   60.000006]  _RNvCscSpY9Juk0HT_7___rustc17rust_begin_unwind+0x15b/0x160
        [   60.000007]  _RNvNtCs9jEwPDbx20M_4core9panicking9panic_fmt+0x84/0x90
        [   60.000008]  tern_mmap+0xe44/0x1b50
        """
      ).first)
    let last = words.split(separator: "] ").last.map(String.init) ?? words
    #expect(report.reason.message?.contains(last) == true)
    #expect(report.reason.message?.contains("ready") == false)
    #expect(report.tags[.kernelFunction] == "tern_mmap")
  }

  @Test(
    "The release is not taken from a task's name",
    arguments: ["pool #3", "a Tainted: G #1", "x #2 #3", "Not tainted"])
  func release(task: String) throws {
    let report = try #require(
      try LogReaderChecks.reports(
        """
        [  100.000001] BUG: kernel NULL pointer dereference, address: 0000000000000018
        [  100.000005] CPU: 6 UID: 1000 PID: 5120 Comm: \(task) Tainted: G           OE      6.12.9-200 #1
        [  100.000006] RIP: 0010:tern_read+0x4c/0x130
        """
      ).first)
    #expect(report.app.version == "6.12.9-200" && report.app.build == "#1")
    #expect(report.tags[.panicTask] == task)
  }

  @Test("A function's preamble is not the function that a report is about")
  func preambles() throws {
    let report = try #require(
      try LogReaderChecks.reports(
        """
        [  100.000001] WARNING: CPU: 0 PID: 7 at drivers/tern.c:28
        [  100.000002] Call Trace:
        [  100.000003]  __pfx_tern_guess+0x10/0x10
        [  100.000004]  __cfi_tern_guess+0x10/0x10
        [  100.000005]  tern_read+0x4c/0x130
        """
      ).first)
    #expect(report.tags[.kernelFunction] == "tern_read")
  }

  @Test("Leaks are distinguished by their stacks, with or without a tool's message before them")
  func leaks() throws {
    func leak(_ function: String, _ heading: String) -> String {
      """
      unreferenced object 0xffff888109ce2a00 (size 192):
        comm "ternd", pid 771, jiffies 4294950000
        hex dump (first 32 bytes):
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
        \(heading)
          kmemleak_alloc_recursive include/linux/kmemleak.h:44 [inline]
          __kmalloc_cache_noprof+0x2a/0xa0 mm/slub.c:4298
          \(function)+0x5b/0x1a0 drivers/tern.c:171

      """
    }
    let names = ["tern_new", "tern_paint"]
    for heading in ["backtrace (crc 1a2b3c4d):", "backtrace:"] {
      for before in ["BUG: memory leak\n", ""] {
        let text = names.map { before + leak($0, heading) }.joined()
        let reports = try LogReaderChecks.reports(text)
        #expect(reports.map { $0.tags[.title] } == names.map { "memory leak in \($0)" })
        #expect(reports.map { $0.process.pid } == [771, 771])
        #expect(reports.map { $0.threads.first?.name } == ["ternd", "ternd"])
      }
    }
  }
}
