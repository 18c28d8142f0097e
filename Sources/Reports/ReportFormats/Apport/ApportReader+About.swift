extension ApportReader {
  static let about = FormatDescription(
    title: "Apport", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Crash files of Ubuntu and Debian, `/var/crash/_usr_bin_tern.1000.crash`: of native \
      programs, of Python, and of the kernel.
      """,
    facts: [
      ("recognised by", "`ProblemType: ` at the start, or among the first keys"),
      (
        "kinds",
        """
        `Crash` and `Hang`; of `KernelOops` the kernel's text is a report of \
        [Linux](#linux-kernel-logs-linux-kernel). `Package`, `Bug` and others are refused by name
        """
      ),
      (
        "identity",
        """
        program, package with its version, process id, time (without a zone: taken as UTC), \
        architecture, system (tags `os.distribution`, `title`)
        """
      ),
      ("reason", "the signal; `AssertionMessage`; `SegvReason` as tag `cause`"),
      (
        "stacks",
        """
        `Stacktrace` and `ThreadStacktrace` as gdb printed them, where half of the crashed \
        thread's frames or more have names; else the core is walked; else `StacktraceTop` or the \
        addresses of the signature. Python: `Traceback`
        """
      ),
      ("images", "of the core, with build ids; else of `ProcMaps`"),
      (
        "positions",
        """
        as of [debuggers](#debuggers-debugger) and [cores](#elf-core-elf-core); addresses of the \
        signature `return` but the first
        """
      ),
      ("limits", "a core of 512 MiB, unpacked; what is cut off or damaged of it is a note"),
      ("not read", "command line, environment, logs and attachments, which may hold secrets"),
    ])
}
