extension LinuxKernelReader {
  static let about = FormatDescription(
    title: "Linux kernel logs", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      What the kernel prints of a bug, in `dmesg`, the journal, syslog or a serial console: \
      oopses, panics, `BUG`, `WARNING`, faults and traps, KASAN, KMSAN, KCSAN, KFENCE and UBSAN, \
      lock checks, hung tasks, soft and hard lockups, RCU stalls, memory leaks, memory that ran \
      out; of x86, Arm, POWER, s390, RISC-V, MIPS, LoongArch and SPARC.
      """,
    facts: [
      (
        "recognised by",
        """
        the first lines of such reports: `BUG: KASAN: `, `kernel BUG at `, `Oops: `, `Unable to \
        handle kernel `, `Kernel panic - not syncing: `, `INFO: task ` and others
        """
      ),
      (
        "identity",
        """
        app `Linux` with the kernel's release, the task (tag `panic.task`, pid), hardware, \
        architecture; the time since the start as the process's
        """
      ),
      (
        "reason",
        """
        the kind of bug, such as `KASAN: slab-use-after-free Read`; the address; the kernel's \
        words, with those before `cut here`; the tag `title` reads as syzkaller's titles do: \
        kind, ` in `, function
        """
      ),
      (
        "stacks",
        """
        the task's with registers, other tasks' and processors' as threads; `Allocated by`, \
        `Freed by`, `Uninit was created at` and lock chains as further stacks; `?` frames have \
        the trust `scan`
        """
      ),
      ("images", "`vmlinux` and `NAME.ko`, with the build ids that the kernel prints if told to"),
      (
        "tags",
        """
        `kernel.function` (the one that the report is about), `kernel.tainted`, `kernel.modules`, \
        `workqueue`, `code`, `access`, `panic`
        """
      ),
      ("positions", "the instruction that failed `exact`, all others `return`"),
      (
        "kinds",
        """
        warnings, lock checks, leaks and undefined behaviour are `handled`: the kernel goes on; \
        lockups, stalls and hung tasks are hangs
        """
      ),
      (
        "symbols",
        """
        files, lines and inlined calls from `vmlinux` and `.ko` files, [by function, offset and \
        length](debug-files.md#which-file-belongs-to-an-image)
        """
      ),
      (
        "not read",
        """
        stack words, page tables, memory around the address, lines of other tasks where the \
        kernel names them
        """
      ),
    ],
    notes: """
      A panic that only says how it went on (`Fatal exception`, `panic_on_warn set`) belongs to \
      the report before it, one of memory that ran out or of a machine check to a report of the \
      same, if the kernel's clock is not more than a minute further; any other is a report of its \
      own. The function of the title is the first one that is not part of the \
      report's making (sanitizers, locks, allocators, string functions); of a stall, the one \
      before the code that hands work out.
      """)
}
