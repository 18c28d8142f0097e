extension CrashReport {
  /// What the thread that the report is about did, for a heading: `crashed`, `hung`; `nil` where no word
  /// is true of all such reports, as for a measurement or a process that the system ended.
  public var threadDeed: String? {
    switch kind {
    case .hang: return "hung"
    case .oom: return "ran out of memory"
    case .handled: return "reported the error"
    case .other: return process.name == "kernel" ? "panicked" : nil
    case .crash:
      // Leaks, races and undefined behaviour are found in programs that go on; a program that used too
      // much of something was stopped, wherever it was.
      let goesOn =
        format == .sanitizer && reason.signal == nil
        && (tags[.leak] != nil || reason.type?.hasPrefix("detected memory leaks") == true
          || ["ThreadSanitizer", "UndefinedBehaviorSanitizer"].contains(tags[.sanitizer]))
      let wasStopped = reason.type == "EXC_RESOURCE" || reason.signal == "SIGKILL"
      return goesOn || wasStopped ? nil : "crashed"
    }
  }

  /// The end of a heading whose beginning names that thread: ` crashed`, `, which the report is about`.
  public var threadHeadingEnd: String {
    threadDeed.map { " " + $0 } ?? ", which the report is about"
  }

  /// The same after the thread in a sentence: `, which crashed`.
  public var threadClause: String { ", which " + (threadDeed ?? "the report is about") }
}
