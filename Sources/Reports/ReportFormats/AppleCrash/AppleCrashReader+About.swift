extension AppleCrashReader {
  static let about = FormatDescription(
    title: "Apple text", family: .apple, symbols: .resolved, since: "0.1.0",
    introduction: """
      `.crash`, `.ips` with a text body, `.synced`, `.txt`: iOS 6 to 18 and macOS 10.8 to 15, and \
      what PLCrashReporter and KSCrash print in the same form.
      """,
    facts: [
      (
        "recognised by",
        """
        lines in the first 64 KiB: an exception with a process, a thread or an incident; or the \
        banner `Translated Report`; or a JSON header followed by text
        """
      ),
      (
        "identity, reason",
        """
        as of `.ips`, from `Key: value` lines, `Application Specific Information`, `Termination \
        Reason` and the lines below it, `Dyld Error Message`
        """
      ),
      (
        "stacks",
        """
        all threads, registers, `Last Exception Backtrace` with names or as bare addresses, \
        `Application Specific Backtrace`
        """
      ),
      ("images", "`Binary Images`; one that only frames name is added without an id"),
      ("positions", "as of `.ips`"),
      ("not read", "VM regions, external modifications, logs, application-specific signatures"),
    ],
    notes: """
      Threads without a header are read too. After `Full Report`, complete JSON is read in place \
      of the text. Also read: reports of excessive processor time, wake-ups and disk writes, \
      hangs (`spindump`), `sample` and `leaks` output, stackshots of iOS 7, and kernel panics. \
      The heaviest path through a call tree is its stack. A spindump gives the threads of one \
      process: the one that its header names, else the first.

      ### Kernel panics

      As text, and in the `panicString` of a JSON report.

      | | |
      |---|---|
      | recognised by | `panic(cpu ` |
      | identity | system (name by the build and Darwin's version, build), model, architecture, \
      time (`Calendar`, else the date above the panic, which has no zone and is taken as UTC), \
      time since boot |
      | stack | return addresses, with names where the kernel printed them; the instruction of a \
      trap is `exact` |
      | images | the kernel and its extensions in the backtrace, with ids |
      | tags | `kernel.version`, `panic.task` |

      Frames of a panic without names get the names `panic`, `kernel_trap` and `return_from_trap` \
      (Intel) or `sleh_synchronous` and `fleh_synchronous` (ARM), by their position around the \
      address that the first line calls `caller`.

      ### The message

      The message of Swift's runtime (`Fatal error`, `Precondition failed`, `Assertion failed`) \
      is used without the rest of the application-specific information; lines about simulators \
      and dyld's configuration are left out. JSON and text of one incident give the same reason.
      """)
}
