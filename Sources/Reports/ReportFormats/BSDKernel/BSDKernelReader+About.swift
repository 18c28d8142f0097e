extension BSDKernelReader {
  static let about = FormatDescription(
    title: "Logs of BSD kernels", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Panics, traps and reversed locks of FreeBSD, DragonFly, NetBSD and OpenBSD, from the \
      console or the log, with what their debuggers print.
      """,
    facts: [
      (
        "recognised by",
        """
        `panic: ` before what only these kernels print (`cpuid = `, `KDB: `, `Stopped at `, \
        `Begin traceback`, `Starting stack trace`); `Fatal trap N: ` before `instruction \
        pointer`; `kernel: page fault trap, code=` and the other traps of OpenBSD; `fatal page \
        fault in supervisor mode` before `Stopped in pid`; `lock order reversal:`
        """
      ),
      (
        "identity",
        """
        app and system by the lines that only one of them prints, with the release where the \
        system's start is in the log; the process (tag `panic.task`, pid) and thread, the time, \
        the time since the start
        """
      ),
      (
        "reason",
        """
        the trap or the panic's words, the address of the fault; a panic after a trap is the tag \
        `panic`; the tag `title` reads as syzkaller's titles do
        """
      ),
      (
        "stacks",
        """
        the first trace, registers; `Tracing command` and `trace: pid` as threads; locks seen \
        before as further stacks. Lines that the console broke are joined. Files, lines and \
        inlined calls that a tool added are kept
        """
      ),
      ("images", "`kernel`, `netbsd`, `bsd`, and the modules that NetBSD names"),
      ("tags", "`kernel.function` (the one that the report is about), `panic`"),
      (
        "positions",
        """
        after `--- trap`, and where the debugger stopped, `exact`, all others `return`
        """
      ),
      ("kinds", "a reversed order of locks is `handled`: the kernel goes on"),
      ("not read", "the debugger's lists of processes, locks and memory"),
    ],
    notes: """
      A stack with a number before each frame, which FreeBSD prints without its debugger, leaves \
      out the function that trapped: its address, from `instruction pointer`, is put in.
      """)
}
