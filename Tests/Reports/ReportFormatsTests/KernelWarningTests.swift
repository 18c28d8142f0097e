import CrashModel
import ReportFormats
import Testing

/// Kernel warnings whose first line has an address instead of a function.
@Suite("Kernel warnings without a function") struct KernelWarningTests {
  private func title(_ place: String, _ function: String) throws -> String? {
    let text = """
      [  101.000001][ T1001] ------------[ cut here ]------------
      [  101.000002][ T1001] WARNING: \(place), CPU#1: ternd/1001
      [  101.000003][ T1001] Modules linked in:
      [  101.000004][ T1001] CPU: 1 UID: 0 PID: 1001 Comm: ternd Not tainted 6.18.0-rc1 #0 PREEMPT(full)
      [  101.000005][ T1001] RIP: 0010:\(function)+0x11/0x40
      [  101.000006][ T1001] Code: 90 90
      [  101.000007][ T1001] RSP: 0018:ffffc90003b0f8e8 EFLAGS: 00010293
      [  101.000008][ T1001] Call Trace:
      [  101.000009][ T1001]  <TASK>
      [  101.000010][ T1001]  tern_open+0x21/0x80
      [  101.000011][ T1001]  do_syscall_64+0xfa/0x3b0
      [  101.000012][ T1001]  entry_SYSCALL_64_after_hwframe+0x77/0x7f
      [  101.000013][ T1001]  </TASK>

      """
    return try LogReaderChecks.reports(text).first?.tags[.title]
  }

  @Test(
    "The instruction's function is that of the warning",
    arguments: [
      ("drivers/tern/tern.c:615 at 0x0", "tern_read", "WARNING in tern_read"),
      ("drivers/tern/tern.c:615 at 0xffffffff81a3b1c0", "tern_read", "WARNING in tern_read"),
      ("[count < 0] drivers/tern/tern.c:615 at 0x0", "tern_read", "WARNING in tern_read"),
      // For these, the caller is at fault.
      ("lib/refcount.c:28 at 0x0", "refcount_warn_saturate", "WARNING: refcount bug in tern_open"),
      ("lib/debugobjects.c:615 at 0x0", "debug_print_object", "WARNING: ODEBUG bug in tern_open"),
      ("mm/page_alloc.c:99 at 0x0", "__kmalloc_large_node", "WARNING: kmalloc bug in tern_open"),
      (
        "lib/refcount.c:28 at refcount_warn_saturate+0x1/0x2", "refcount_warn_saturate",
        "WARNING: refcount bug in tern_open"
      ),
    ])
  func addresses(place: String, function: String, expected: String) throws {
    #expect(try title(place, function) == expected)
  }
}
