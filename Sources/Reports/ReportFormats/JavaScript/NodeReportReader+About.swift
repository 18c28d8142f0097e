extension NodeReportReader {
  static let about = FormatDescription(
    title: "Node's diagnostic reports", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: "What Node writes with `--report-on-fatalerror` and its like: one JSON object.",
    facts: [
      (
        "recognised by",
        "`header` and `javascriptStack`, `nativeStack` or `javascriptHeap`"
      ),
      ("identity", "process, system, processor, time, the version of Node"),
      ("reason", "the exception's type, message and stack, or the event"),
      (
        "kind",
        "`oom` for a heap that is full, `other` on request or by a signal, otherwise `crash`"
      ),
      ("stacks", "one thread with the native frames and then those of the script"),
      ("images", "the shared objects"),
      ("positions", "all `return`"),
      ("not read", "heap and libuv details, environment variables, the user's limits"),
    ])
}
