extension SwiftBacktraceReader {
  static let about = FormatDescription(
    title: "Swift backtrace as text", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction: """
      The output of `swift-backtrace` since Swift 5.9, with every preset, with or without colour, \
      and the stack that older runtimes print themselves.
      """,
    facts: [
      (
        "recognised by",
        """
        `*** Program crashed: …`, `*** Swift runtime failure: …`, the same after 💣 or 💥; `Current \
        stack trace:`; alone, `FILE.swift:12: Fatal error`, `Precondition failed` and `Assertion \
        failed`, and the standard library's texts after `Fatal error: `; `Signal N: Backtracing \
        from … failed`
        """
      ),
      (
        "reason",
        """
        the headline, fault address, signal (by number, else by the headline), and the `Fatal \
        error`, `Precondition failed` or `Assertion failed` that the runtime printed up to 16 KiB \
        before. Of such a line alone its place is the tag `check.location` and the only frame, \
        the signal what the backtracer or the shell says of it
        """
      ),
      (
        "stacks",
        """
        the printed threads, registers, mangled or readable names, file, line and column, inlined \
        calls
        """
      ),
      ("images", "build id (UUID on Apple's systems), range, name, path"),
      (
        "positions",
        """
        `[ra]` is `return`, all others `exact`; without flags (preset `friendly`) only the \
        youngest frame is `exact`. Older runtimes: all `return`
        """
      ),
      (
        "not read",
        """
        source excerpts, memory at registers, `[async]`, `[system]` and `[thunk]` beyond the \
        position ([names](grouping.md#names) show the owner of a function)
        """
      ),
    ],
    notes: """
      For `SIGABRT` and `SIGQUIT` the printed address is the sender's process and is left out.
      """)
}
