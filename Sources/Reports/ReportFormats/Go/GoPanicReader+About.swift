extension GoPanicReader {
  static let about = FormatDescription(
    title: "Go", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: """
      What Go's runtime and race detector print, anywhere in a log, several in a file.
      """,
    facts: [
      (
        "recognised by",
        """
        `panic: `, `fatal error: `, `http: panic serving `, a signal's line (`SIGQUIT: quit`) \
        followed by `PC=`, or `goroutine N [running]:` alone; each only with a goroutine after \
        it. `WARNING: DATA RACE`
        """
      ),
      (
        "reason",
        """
        `panic` or `fatal error` and its words; panics that were recovered before, or raised \
        meanwhile, are causes; signal, code and address of `[signal …]`; for a race the first \
        access
        """
      ),
      (
        "stacks",
        """
        goroutines by number, their state as the thread's name; the first one died, after a \
        signal the main one. `runtime stack`, the creators of goroutines and the other stacks of \
        a race stand beside the threads
        """
      ),
      (
        "kind",
        """
        a deadlock of all goroutines is a hang, `http: panic serving` and races are handled, a \
        stack alone and a signal from outside are snapshots, `out of memory` is memory running out
        """
      ),
      ("names", "as printed, with `%2e` as `.`; the runtime's `panic` is `runtime.gopanic`"),
      ("positions", "all `adjusted`; `(...)` marks an inlined call"),
      ("not read", "arguments, `fp=`, `sp=`, `pc=`, what a race says about a goroutine's state"),
    ])
}
