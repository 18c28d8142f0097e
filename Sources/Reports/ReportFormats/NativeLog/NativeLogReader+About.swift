extension NativeLogReader {
  static let about = FormatDescription(
    title: "Native logs", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction: """
      What programs in C and C++ print of their own death: failed checks and signals, with the \
      stacks of glibc's `backtrace_symbols` and `catchsegv`, glog, abseil, folly, Boost, \
      `std::stacktrace`, backward-cpp, Chromium, V8, LLVM, OpenMPI, and alike; and what the \
      runtime of Objective-C prints of an uncaught exception.
      """,
    facts: [
      (
        "recognised by",
        """
        `[…:FATAL:FILE(12)]`, `] Check failed: `, `# Fatal error in `, ``Assertion ` ``, \
        `terminate called `, what glibc says before it aborts, `*** SIGSEGV received at`, `*** \
        Aborted at`, `Received signal N` above a stack, `Register dump:`, `Stack dump:`, two \
        lines of `backtrace_symbols` or more, `========= … exceeded: …; exiting` of Centipede, \
        `*** Terminating app due to uncaught exception '`, GNUstep's `: Uncaught exception NAME, \
        reason: `, AppKit's `An uncaught exception was raised` (`handled`, unless the runtime ends the \
        program)
        """
      ),
      ("identity", "process and thread ids, program, time of the signal, where they are printed"),
      (
        "reason",
        """
        what failed as type, condition and values as message, its place in the source as tag \
        `check.location`; signal with code and address; a C++ exception with its text
        """
      ),
      (
        "stacks",
        """
        one thread. The stack of a failed check and that of the signal after it are one report, \
        the second as `received SIGABRT`. A message without a stack has its place as the only \
        frame. Of an exception of Objective-C the first throw call stack
        """
      ),
      (
        "images",
        """
        modules that frames name; bases from the offsets beside the addresses, or from the memory \
        map below the stack
        """
      ),
      ("positions", "`return`; `exact` where `PC:` names the address, and below a signal handler"),
      (
        "joined",
        """
        a message directly before a sanitizer's, debugger's or tombstone's report of an abort \
        belongs to that report
        """
      ),
      ("not read", "values in the map of the memory; text in other languages"),
    ])
}
