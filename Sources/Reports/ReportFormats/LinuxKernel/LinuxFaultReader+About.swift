extension LinuxFaultReader {
  static let about = FormatDescription(
    title: "Faults of programs in kernel logs", family: .systems, symbols: .resolved,
    since: "0.1.0",
    introduction: "What Linux logs of a program that it ended because of a fault.",
    facts: [
      (
        "recognised by",
        """
        `NAME[PID]: segfault at ` with `ip` or `nip`; `NAME[PID] trap ` and `NAME[PID] general \
        protection ` with `ip:`; `NAME[PID]: unhandled ` with a fault, a signal or an exception
        """
      ),
      (
        "reason",
        """
        the kernel's word, the signal that follows from it, the address; on x86 what was done: \
        `read, not mapped`
        """
      ),
      ("stacks", "one thread with the instruction that failed and the registers that follow"),
      (
        "images",
        """
        the file in which the instruction lies. Kernels since 6.9 give its offset there; before, \
        no place is guessed
        """
      ),
      ("tags", "`code`"),
      ("positions", "`exact`"),
    ])
}
