import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Logs of invented drivers in the formats that kernels of several architectures print.
@Suite("Linux kernel logs") struct LinuxKernelReaderTests {
  private static func sample(_ name: String) throws -> ByteView {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return try ByteView(
      reading: root.joined(separator: "/") + "/Samples/linux-kernel/" + name, limit: 1 << 20)
  }

  private func title(_ text: String) throws -> String? {
    try LogReaderChecks.reports(text).first?.tags[.title]
  }

  @Test("An oops of x86 is read completely")
  func oops() throws {
    let reports = try LogReaderChecks.reports(Self.sample("null-read-tern-6.1.0.txt").text)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format == .linuxKernel && report.kind == .crash && report.notes.isEmpty)
    #expect(report.reason.type == "BUG: unable to handle kernel NULL pointer dereference")
    #expect(
      report.tags[.title] == "BUG: unable to handle kernel NULL pointer dereference in tern_price")
    #expect(report.reason.address == Address(0x18))
    #expect(report.app.name == "Linux" && report.app.version == "6.1.0-18-amd64")
    #expect(report.process.pid == 2217 && report.tags[.panicTask] == "ternd")
    #expect(report.process.uptime == 431.770021)
    #expect(report.device.model?.hasPrefix("QEMU Standard PC") == true)
    #expect(report.device.architecture == .x86_64)
    #expect(report.tags[.kernelTainted] == "G O")
    #expect(report.tags[.kernelModules] == "tern(O) snd_hda_intel virtio_net")
    #expect(report.tags[.code]?.contains("<48> 8b 43 18") == true)
    let thread = try #require(report.threads.first)
    #expect(report.threads.count == 1 && thread.crashed && thread.name == "ternd")
    #expect(thread.frames.count == 9)
    #expect(thread.frames[0].function == "tern_price" && thread.frames[0].position == .exact)
    #expect(thread.frames[0].symbolOffset == 0x1f && thread.frames[0].symbolSize == 0x60)
    #expect(thread.frames[1].trust == .scan && thread.frames[4].trust == .given)
    #expect(
      thread.frames[4].function == "tern_total" && thread.frames[4].position == .returnAddress)
    #expect(report.images.map(\.name) == ["tern.ko", "vmlinux"])
    #expect(thread.frames[8].image == 1)
    #expect(thread.registers.first { $0.name == "rdx" }?.value == 0xffff_9b1b_85a6_c0c0)
    #expect(thread.registers.first { $0.name == "rsp" }?.value == 0xffff_a8c1_c0a4_fdb8)
  }

  @Test("A report of KASAN has the stacks of allocation and free, and no other task's lines")
  func kasan() throws {
    let reports = try LogReaderChecks.reports(Self.sample("use-after-free-kasan-arm64.txt").text)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.tags[.title] == "KASAN: slab-use-after-free Read in tern_close")
    #expect(report.tags[.access] == "Read of size 8")
    #expect(report.reason.address == Address(0xffff_0000_c7a1_f418))
    #expect(report.threads.map(\.frames.count) == [11])
    #expect(report.otherStacks.map(\.title) == ["Allocated by task 411:", "Freed by task 388:"])
    #expect(report.otherStacks.map { $0.frames.last?.function } == ["tern_open", "tern_release"])
  }

  // As in ClusterFuzz's state of such a report, the function is the first with a name.
  @Test("The Linux Kernel Library numbers its frames, and may have few symbols")
  func library() throws {
    let report = try LogReaderChecks.only(
      """
      [    0.070933] BUG: KASAN: slab-out-of-bounds in _etext+0x26f10/0x31286a
      [    0.070941] Write of size 4 at addr 00007f58af2ac9ec by task kworker/0:1/11
      [    0.070949] Linux Kernel Library Stack Trace:
      [    0.070978] #2 [<0x000000000063afe9>] kasan_report+0x9/0x10
      [    0.070992] #4 [<0x0000000000ab4a86>] _etext+0x26f10/0x31286a
      [    0.071027] #8 [<0x0000000000811511>] tern_probe+0xa1/0xd0
      [    0.071042] #10 [<0x00000000007a8e35>] really_probe+0x335/0x780
      [    0.071134] #23 [<0x00000000005697d5>] 0x5697d5
      [    0.071138]

      """)
    #expect(report.tags[.title] == "KASAN: slab-out-of-bounds Write in tern_probe")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == ["kasan_report", "_etext", "tern_probe", "really_probe"])
    #expect(frames[2].symbolOffset == 0xa1)
  }

  @Test("Kernels may print build ids of themselves and of modules")
  func buildIDs() throws {
    let id = "0123456789abcdef0123456789abcdef01234567"
    let report = try #require(
      try LogReaderChecks.reports(
        """
        [    9.000001] WARNING: CPU: 0 PID: 7 at drivers/tern.c:9 tern_open+0x9/0x20 [tern \(id)]
        [    9.000002] CPU: 0 PID: 7 Comm: init Not tainted 5.14.0 #1 89abcdef0123456789abcdef0123456701234567
        [    9.000003] RIP: 0010:tern_open+0x9/0x20 [tern \(id)]
        [    9.000004] Call Trace:
        [    9.000005]  chrdev_open+0xca/0x240
        """
      ).first)
    #expect(report.images.map(\.name) == ["vmlinux", "tern.ko"])
    #expect(
      report.images.map(\.codeID?.description) == ["89abcdef0123456789abcdef0123456701234567", id])
  }

  @Test(
    "Titles read as syzkaller's do",
    arguments: [
      ("general protection fault: 0000 [#1] SMP KASAN", "general protection fault in tern_read"),
      (
        "general protection fault, probably for non-canonical address 0xdffffc0000000003: 0000 [#1] SMP",
        "general protection fault in tern_read"
      ),
      (
        "Oops: general protection fault, probably for non-canonical address 0xdff: 0000 [#1] SMP",
        "general protection fault in tern_read"
      ),
      ("divide error: 0000 [#1] PREEMPT SMP", "divide error in tern_read"),
      ("kernel BUG at drivers/tern.c:12!", "kernel BUG in tern_read"),
      ("kernel BUG at lib/list_debug.c:56!", "BUG: corrupted list in tern_read"),
      (
        "BUG: unable to handle page fault for address: ffffed1003b8d246",
        "BUG: unable to handle kernel paging request in tern_read"
      ),
      (
        "watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [tern:7]",
        "BUG: soft lockup in tern_read"
      ),
      (
        "BUG: sleeping function called from invalid context at mm/slab.h:1",
        "BUG: sleeping function called from invalid context in tern_read"
      ),
      (
        "BUG: using smp_processor_id() in preemptible [00000000] code: tern/1",
        "BUG: using smp_processor_id() in preemptible code in tern_read"
      ),
      (
        "BUG: scheduling while atomic: tern/7/0x00000002",
        "BUG: scheduling while atomic in tern_read"
      ),
      ("BUG: KMSAN: uninit-value in tern_read+0x1/0x2", "KMSAN: uninit-value in tern_read"),
      (
        "BUG: KCSAN: data-race in tern_read / tern_write",
        "KCSAN: data-race in tern_read / tern_write"
      ),
      (
        "BUG: KFENCE: out-of-bounds read in tern_read+0x1/0x2", "KFENCE: out-of-bounds in tern_read"
      ),
      (
        "UBSAN: array-index-out-of-bounds in drivers/tern.c:8:2",
        "UBSAN: array-index-out-of-bounds in tern_read"
      ),
      (
        "UBSAN: Undefined behaviour in drivers/tern.c:8:2",
        "UBSAN: undefined-behaviour in tern_read"
      ),
      (
        "WARNING: CPU: 1 PID: 7 at lib/refcount.c:28 refcount_warn_saturate+0x1/0x2",
        "WARNING: refcount bug in tern_read"
      ),
      ("WARNING: CPU: 1 PID: 7 at drivers/tern.c:28 tern_read+0x1/0x2", "WARNING in tern_read"),
      ("WARNING: at drivers/tern.c:28 tern_read+0x1/0x2()", "WARNING in tern_read"),
      (
        "WARNING: [open] drivers/tern.c:28 at tern_read+0x1/0x2, CPU#0: tern/7",
        "WARNING in tern_read"
      ),
      ("INFO: task tern:7 blocked for more than 120 seconds.", "INFO: task hung in tern_read"),
      (
        "Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(8,1)",
        "kernel panic: VFS: Unable to mount root fs on unknown-block(NUM,NUM)"
      ),
      ("Kernel panic - not syncing: Fatal exception", "kernel panic: Fatal exception"),
    ])
  func titles(headline: String, title: String) throws {
    let text = """
      [   10.000001] tern: ready
      [   10.100002] \(headline)
      [   10.100003] CPU: 1 PID: 7 Comm: tern Not tainted 6.1.0 #1
      [   10.100004] Call Trace:
      [   10.100005]  dump_stack+0x1/0x20
      [   10.100006]  ? tern_guess+0x1/0x20
      [   10.100007]  __mutex_lock+0x1/0x20
      [   10.100008]  tern_read+0x11/0x20
      [   10.100009]  __x64_sys_ioctl+0x11/0x20
      [   10.100010]  do_syscall_64+0x11/0x20
      [   10.100011] ---[ end trace 0000000000000000 ]---
      """
    let reports = try LogReaderChecks.reports(text)
    #expect(reports.map { $0.tags[.title] } == [title])
    #expect(reports.first?.threads.first?.frames.contains { $0.function == "tern_read" } == true)
  }

  @Test(
    "The frames of each architecture",
    arguments: [
      " [<ffffffff8100c291>] tern_read+0x1b1/0x800 [tern]", " tern_read+0x1b1/0x800 [tern]",
      "[<c0014558>] (tern_read) from [<c059798c>] (tern_read+0x1b1/0x800 [tern])",
      " tern_open from tern_read+0x1b1/0x800 [tern]",
      "[c000000010f930b0] [c000000008068df8] .tern_read+0x1b1/0x800 [tern]",
      "([<000003ff8086d036>] tern_read+0x1b1/0x800 [tern])",
      "[<ffffffff8100c291>] :tern:tern_read+0x1b1/0x800",
      "[0000000000456c44] tern_read+0x1b1/0x800 [tern]",
      " <IRQ>  [<ffffffff8100c291>] tern_read+0x1b1/0x800 [tern]",
    ])
  func frames(line: String) throws {
    let text = """
      [   10.100002] WARNING: CPU: 1 PID: 7 at drivers/tern.c:28 tern_warn+0x1/0x2
      [   10.100004] Call Trace:
      [   10.100005] \(line)
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    let frame = try #require(report.threads.first?.frames.last)
    #expect(frame.function == "tern_read")
    #expect(frame.symbolOffset == 0x1b1 && frame.symbolSize == 0x800)
    #expect(frame.image.map { report.images[$0].name } == "tern.ko")
    #expect(frame.position == .returnAddress && frame.trust == .given)
  }

  @Test(
    "Frames with lines",
    arguments: [
      (" tern_read+0x1/0x8 drivers/tern.c:12", false),
      (" tern_read (drivers/tern.c:12 (discriminator 3))", false),
      (" __tern_read drivers/tern.c:12 [inline]\n tern_read+0x1/0x8 drivers/tern.c:90", true),
      (
        " [<     inline     >] __tern_read drivers/tern.c:12\n [<ffffffff8100c291>] tern_read+0x1/0x8",
        true
      ),
    ])
  func lines(frame: String, isInlined: Bool) throws {
    let text = """
      WARNING: CPU: 1 PID: 7 at drivers/tern.c:28 tern_warn+0x1/0x2
      Call Trace:
      \(frame)
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    let first = try #require(report.threads.first?.frames.first)
    #expect(first.file == "drivers/tern.c" && first.line == 12 && first.inlined == isInlined)
    #expect(report.threads[0].frames.count == (isInlined ? 2 : 1))
  }

  @Test("The instruction that failed, on other architectures")
  func instructions() throws {
    let logs = [
      (
        "Unable to handle kernel NULL pointer dereference at virtual address 00000004",
        "PC is at tern_read+0xf4/0x400\nLR is at tern_read+0xf0/0x400\npc : [<c0123456>]    lr : [<c0123456>]    psr: 60000093",
        Architecture.arm
      ),
      (
        "Unable to handle kernel paging request at virtual address 0000000000000004",
        "pstate: 60400005 (nZCv daif +PAN -UAO)\npc : tern_read+0xf4/0x400\nlr : tern_open+0xf4/0x400\nx29: ffffffc0805a3cc0 x28: ffffffc0805a0000",
        .arm64
      ),
      (
        "BUG: Unable to handle kernel data access at 0x8000000041a25f20",
        "NIP:  c00000000022d79c LR: c00000000022d784 CTR: 0000000000000000\nGPR00: c00000000022d784 c00000007a3ef970\nNIP [c00000000022d79c] tern_read+0xf4/0x400",
        .ppc64
      ),
      (
        "Unable to handle kernel pointer dereference in virtual kernel address space",
        "Krnl PSW : 0704f00180000000 000003ff8086d03a (tern_read+0xf4/0x400)", .s390x
      ),
      (
        "Unable to handle kernel access to user memory without uaccess routines at virtual address 000000000cc6b0d0",
        "epc : tern_read+0xf4/0x400\n ra : tern_open+0x70/0xb2\nepc : ffffffe00008c762 ra : ffffffe00008c760 sp : ffffffe00853fec0",
        .riscv64
      ),
    ]
    for (headline, state, architecture) in logs {
      let report = try #require(
        try LogReaderChecks.reports("\(headline)\nOops [#1]\n\(state)\n").first)
      #expect(report.device.architecture == architecture)
      let frame = try #require(report.threads.first?.frames.first)
      #expect(
        frame.function == "tern_read" && frame.symbolOffset == 0xf4 && frame.position == .exact)
      #expect(report.tags[.kernelFunction] == "tern_read")
    }
  }

  @Test("Deadlocks are about the function that takes the lock")
  func deadlock() throws {
    let text = """
      ======================================================
      WARNING: possible circular locking dependency detected
      6.1.0 #1 Not tainted
      ------------------------------------------------------
      tern/7 is trying to acquire lock:
      ffff8880 (&desk->lock){+.+.}-{3:3}, at: tern_lock_desk+0x1/0x20

      but task is already holding lock:
      ffff8881 (&till->lock){+.+.}-{3:3}, at: tern_open_till+0x1/0x20

      the existing dependency chain (in reverse order) is:

      -> #1 (&till->lock){+.+.}-{3:3}:
             lock_acquire+0x1/0x20
             tern_open_till+0x1/0x20

      stack backtrace:
      CPU: 0 PID: 7 Comm: tern Not tainted 6.1.0 #1
      Call Trace:
       dump_stack_lvl+0x1/0x20
       __lock_acquire+0x1/0x20
       tern_lock_desk+0x1/0x20
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.tags[.title] == "possible deadlock in tern_lock_desk")
    #expect(report.kind == .handled)
    #expect(report.otherStacks.map(\.title) == ["-> #1 (&till->lock){+.+.}-{3:3}:"])
    #expect(report.threads.first?.frames.count == 3)
  }

  @Test("Several reports, and a continuation of one of them")
  func several() throws {
    let oops = try Self.sample("null-read-tern-6.1.0.txt").text
    let panic = "[  432.000000] Kernel panic - not syncing: Fatal exception\n"
    let reports = try LogReaderChecks.reports(oops + panic + "[  500.000000] tern: ready\n" + oops)
    #expect(reports.count == 2)
    #expect(reports.map { $0.tags[.panic] } == ["Fatal exception", nil])
    #expect(reports.map(\.threads.count) == [1, 1])
  }

  @Test("A panic with more than a continuation is a separate report")
  func panicAlone() throws {
    let oops = try Self.sample("null-read-tern-6.1.0.txt").text
    let panic =
      "[  432.000000] Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b\n"
    #expect(
      try LogReaderChecks.reports(oops + panic).map { $0.reason.type } == [
        "BUG: unable to handle kernel NULL pointer dereference",
        "kernel panic: Attempted to kill init!",
      ])
  }

  @Test("Out of memory")
  func memory() throws {
    let report = try #require(
      try LogReaderChecks.reports(
        """
        [ 10.000001] ternd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
        [ 10.000002] CPU: 0 PID: 8 Comm: ternd Not tainted 6.1.0 #1
        [ 10.000003] Call Trace:
        [ 10.000004]  dump_stack_lvl+0x1/0x20
        [ 10.000005]  oom_kill_process.cold+0x1/0x20
        [ 10.000006] Out of memory: Killed process 99 (tern-desk) total-vm:1kB, anon-rss:1kB
        """
      ).first)
    #expect(report.kind == .oom && report.process.pid == 99)
    #expect(report.tags[.panicTask] == "tern-desk")
  }

  @Test(
    "Words of the kernel in other programs' output are not a report",
    arguments: [
      "Subject: BUG: soft lockup - CPU#0 stuck for 22s!",
      "ODEBUG: 213 of 213 active objects replaced",
      "tern: BUG: the till is open", "INFO: task done", "WARNING: at last", "Oops: sorry",
      "[   63.636690] EDAC DEBUG: edac_mc_sysfs_init: device mc created",
    ])
  func others(line: String) throws {
    #expect(try LogReaderChecks.reports("\(line)\nall is well\n").isEmpty)
  }

  @Test("A log without a report is named")
  func refusal() throws {
    let error = #expect(throws: ParseError.self) {
      _ = try FormatRegistry.builtIn.reports(
        in: ByteView("[    0.000000] Linux version 6.1.0 (tern@desk)\n".utf8))
    }
    #expect(error?.refusal.contains("Linux kernel") == true)
  }

  @Test("Truncated anywhere, it is read or refused")
  func prefixes() throws {
    for name in ["null-read-tern-6.1.0.txt", "use-after-free-kasan-arm64.txt"] {
      let bytes = try Self.sample(name).array
      for count in stride(from: 0, to: bytes.count, by: 7) {
        #expect(
          try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self)).count <= 1)
      }
    }
  }

  @Test("Damaged anywhere, it is read or refused")
  func mutations() throws {
    let bytes = try Self.sample("null-read-tern-6.1.0.txt").array
    var mutator = Mutator(seed: 17)
    for _ in 0..<300 {
      for report in try LogReaderChecks.reports(
        String(decoding: mutator.mutated(bytes), as: UTF8.self))
      {
        #expect(report.threads.flatMap(\.frames).count < 1000)
      }
    }
  }
}
