internal import Bytes
internal import CrashModel

/// Signs that a text is a spindump: stacks of one process or of all, sampled over a period.
///
///     Command:   NAME                     of reports about one process
///     Event:     hang                     of reports that the system made by itself
///     Steps:     11 (100ms sampling interval)
///     Heaviest stack for the target process:
///     Process:   NAME [PID]               of each process, with its threads, calls and images
///       Thread 0xID    DispatchQueue "NAME"(1)    11 samples (1-11)    priority 46 (base 46)
///       <…>
///       11  SYMBOL + OFFSET (IMAGE + OFFSET) [ADDRESS] 1-11
///
/// Source: `spindump` of macOS 10.9 to 15.
struct AppleSpindump {
  private(set) var isOne = false
  /// Whether the current lines belong to the process that the report is about.
  private(set) var isTarget = true
  /// How many other processes were skipped.
  private(set) var others = 0
  private var hasTarget = false

  /// Takes a line that only such reports have.
  mutating func takeMark(_ line: RawSpan) -> Bool {
    guard
      line.has("Steps:") || line.has("Data Source:") || line.has("Duration Sampled:")
        || line.has("Heavy format:") || line.has("Timeline format:")
    else { return false }
    isOne = true
    return true
  }

  /// Begins the section of a process. If the head names no process, the first is the report's.
  mutating func begin(_ name: String, _ pid: Int?, of report: CrashReport) {
    let wanted = report.process
    isTarget =
      if let pid, let wantedPID = wanted.pid { pid == wantedPID } else {
        wanted.name.map { $0 == name } ?? true
      }
    if isTarget && hasTarget { isTarget = false }
    hasTarget = hasTarget || isTarget
    if !isTarget { others += 1 }
  }
}

extension AppleTextParser {
  /// `Thread 0xID    DispatchQueue "NAME"(1)    Thread name "NAME"    11 samples (1-11)    priority 46`.
  mutating func takeSpindumpThread(_ line: RawSpan) {
    block = .unread
    guard spindump.isTarget, let token = AppleFrameLine.hexadecimalToken(line, at: 7) else {
      return
    }
    guard threads.count < AppleLimits.threads else {
      reach(AppleLimits.threads, of: "threads")
      return
    }
    var thread = CrashThread(index: threads.count, id: line.part(token).unsignedNumber)
    let quote =
      line.find("Thread name \"").map { $0 + 13 } ?? line.find("DispatchQueue \"").map { $0 + 15 }
    if let quote, let end = line.find(UInt8(ascii: "\""), from: quote), end > quote {
      thread.name = line.part(quote..<end).text
    }
    threads.append(AppleTextThread(thread: thread))
    block = .callTree(threads.count - 1)
    path = AppleCallPath()
  }
}
