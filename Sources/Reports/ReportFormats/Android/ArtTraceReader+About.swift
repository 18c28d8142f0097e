extension ArtTraceReader {
  static let about = FormatDescription(
    title: "Android ANR", family: .android, symbols: .resolved, since: "0.1.0",
    introduction: """
      The stacks of all threads of an app that did not respond, as Android's runtime writes them: \
      `/data/anr`, the drop box, `ApplicationExitInfo`, xCrash; and the notice in logcat \
      (`ActivityManager: ANR in …`), which has no stack.
      """,
    facts: [
      (
        "recognised by",
        """
        `DALVIK THREADS (N):`, or `Cmd line:` after `----- pid N at` where only native stacks \
        were written
        """
      ),
      ("identity", "app, process, system, device, time"),
      ("reason", "`ANR`, the subject; `deadlock` where threads wait for each other in a circle"),
      (
        "stacks",
        """
        all threads, native, kernel and Java frames together; the main thread is the crashed one, \
        its state the tag `thread.state`; the thread that holds the lock it waits for is \
        `lock.holder`
        """
      ),
      (
        "positions",
        """
        youngest native frame `exact`, other native ones `adjusted`; Java frames have no address
        """
      ),
      ("not read", "statistics of the runtime, monitors beyond the lock, wait channels"),
    ])
}
