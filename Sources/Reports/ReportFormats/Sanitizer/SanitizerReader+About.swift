extension SanitizerReader {
  static let about = FormatDescription(
    title: "Sanitizers", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction: """
      Address, HWAddress, Thread, Memory, Leak and Undefined of clang and GCC, the rarer ones \
      with the same output, and libFuzzer.
      """,
    facts: [
      (
        "recognised by",
        """
        `ERROR: …Sanitizer: `, `WARNING: ThreadSanitizer: `, `WARNING: MemorySanitizer: `, \
        `ERROR: libFuzzer: `, `FILE:LINE:COLUMN: runtime error: `, `…Sanitizer:DEADLYSIGNAL` \
        without what should follow
        """
      ),
      (
        "reason",
        """
        the runtime's name for the error, signal, address, `Cause:`; the message, or where the \
        address is located; for leaks the total of the summary. If the program ended itself (an \
        abort, a trap), what it printed before: a panic of Rust or Go, an exception of Python or \
        Java, a failed assertion or check
        """
      ),
      (
        "stacks",
        """
        the first is the crashed thread's, with registers, also where the summary stands before \
        it; the others (freed by, allocated by, created by …) keep their headings. Wrapped frames \
        are joined
        """
      ),
      (
        "images",
        """
        from the modules that frames name: path, build id, and the base where a frame has address \
        and offset
        """
      ),
      ("tags", "`sanitizer`, `access` (`READ of size 4`), `leak` (`Direct leak of …`)"),
      (
        "positions",
        "youngest frame of a fault `exact`; all others `adjusted`: the runtimes have already stepped"
          + " back"
      ),
      ("not read", "shadow memory, descriptions of memory regions, mutexes, hints"),
    ],
    notes: """
      libFuzzer's `timeout` is a hang, its `out-of-memory` is memory running out. \
      UndefinedBehaviorSanitizer prints a stack only on request; without one, the location in the \
      line is the only frame.

      A panic or exception of a language that was printed before such a report of an abort is its \
      exception, not a report of its own.
      """)
}
