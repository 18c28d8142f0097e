extension CrashReport {
  /// The fate of the thread that the report is about, for a heading: `crashed`, `hung`; `nil` where no
  /// verb fits all such reports, as for a measurement or a process that the system ended.
  public var threadSummary: String? {
    switch kind {
    case .hang: return "hung"
    case .oom: return "ran out of memory"
    case .handled: return "reported the error"
    case .other: return process.name == "kernel" ? "panicked" : nil
    case .crash:
      // Leaks, races and undefined behaviour are found in programs that keep running; a program that exceeded
      // a resource limit was stopped, wherever it was.
      let goesOn =
        format == .sanitizer && reason.signal == nil
        && (tags[.leak] != nil || reason.type?.hasPrefix("detected memory leaks") == true
          || ["ThreadSanitizer", "UndefinedBehaviorSanitizer"].contains(tags[.sanitizer]))
      let wasStopped = reason.type == "EXC_RESOURCE" || reason.signal == "SIGKILL"
      return goesOn || wasStopped ? nil : "crashed"
    }
  }

  /// The end of a heading that begins with that thread: ` crashed`, `, which the report is about`.
  public var threadHeadingEnd: String {
    threadSummary.map { " " + $0 } ?? ", which the report is about"
  }

  /// The clause after that thread in a sentence: `, which crashed`.
  public var threadClause: String { ", which " + (threadSummary ?? "the report is about") }
}
