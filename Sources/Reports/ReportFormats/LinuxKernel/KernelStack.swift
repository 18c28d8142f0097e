internal import CrashModel
internal import Identifiers

/// A stack of a kernel's report while it is parsed.
struct KernelStack {
  /// `Allocated by task 4153:`; `nil` for the trace of a task.
  var title: String?
  /// The task that the stack belongs to.
  var task: KernelTask?
  var frames: [Frame] = []
  /// Index of the frame in which the processor stopped.
  var exact: Int?
  /// The function of the frame above, if the line names two.
  var callee: String?

  /// Adds a frame; the instruction that failed may be repeated as the first of the trace.
  mutating func append(_ frame: Frame) {
    if let exact, exact == frames.count - 1, frame.position != .exact,
      frames[exact].function == frame.function, frames[exact].symbolOffset == frame.symbolOffset,
      frame.function != nil
    {
      return
    }
    frames.append(frame)
  }

  /// Functions, from the one in which the processor stopped on.
  var functions: [String] {
    var start = 0
    if let exact {
      // The frames above the instruction produce the report, unless that is about an interrupt.
      // interrupt did.
      let isMachinery = frames[..<exact].allSatisfy { frame in
        frame.trust == .scan
          || frame.function.map { KernelFunctions.machinery.contain(KernelTitle.plain($0)) } ?? true
      }
      if isMachinery { start = exact }
    }
    let reliable = frames[start...].filter { $0.trust != .scan }
    return (reliable.isEmpty ? frames[...] : reliable[...]).compactMap(\.function)
  }

  /// The functions below the interrupt in which the kernel noticed that it hangs.
  var interruptedFunctions: [String] {
    let interrupt = frames.firstIndex {
      $0.function.map { name in Self.interrupts.contains { name.contains($0) } } ?? false
    }
    guard let interrupt else { return functions }
    return frames[interrupt...].filter { $0.trust != .scan }.compactMap(\.function)
  }

  var isInterrupted: Bool {
    frames.contains {
      $0.function.map { name in Self.interrupts.contains { name.contains($0) } } ?? false
    }
  }

  private static let interrupts = ["apic_timer_interrupt", "el1h_64_irq", "el1_irq", "__irq_svc"]
}

/// `CPU: 1 PID: 7 Comm: kworker/0:1 Tainted: G W 6.1.0-18-amd64 #1 Debian`, and the older `Pid: 7, comm: X`.
///
/// Source: `dump_stack_print_info` in `lib/dump_stack.c`.
struct KernelTask {
  var cpu: Int?
  var pid: Int?
  var name: String?
  var release: String?
  var build: String?
  var tainted: String?
  /// The build id of the kernel, if it is configured to print it.
  var buildID: String?

  init?(_ line: String) {
    guard line.hasPrefix("CPU: ") || line.hasPrefix("Pid: ") else { return nil }
    cpu = Self.number(after: "CPU: ", in: line)
    pid = Self.number(after: "PID: ", in: line) ?? Self.number(after: "Pid: ", in: line)
    var rest = line[...]
    for mark in ["Comm: ", "comm: "] {
      if let found = line.firstRange(of: mark) { rest = line[found.upperBound...] }
    }
    let hasName = rest.startIndex != line.startIndex
    let ends = [" Kdump: ", " Not tainted", " Tainted: "].compactMap {
      rest.lastRange(of: $0)?.lowerBound
    }
    guard pid != nil || !ends.isEmpty else { return nil }
    if hasName {
      let end = ends.min() ?? rest.endIndex
      name = String(rest[..<end].drop { $0 == " " })
      while name?.last == " " { name?.removeLast() }
    }
    // The task's name may look like the text after it.
    readRelease(rest[(ends.min() ?? rest.startIndex)...])
  }

  /// `task:syz-executor.2  state:R  running task  stack:24600 pid:28912 ppid:1`
  init?(listed line: String) {
    guard line.hasPrefix("task:"), let state = line.firstRange(of: " state:") else { return nil }
    name = String(line.dropFirst(5).prefix(upTo: state.lowerBound)).split(separator: " ")
      .joined(separator: " ")
    guard let found = line.firstRange(of: " pid:") else { return }
    pid = Int(line[found.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
  }

  /// `comm "tern", pid 42, jiffies 4294950000 (age 8.130s)`, of a leak.
  init?(leaking line: String) {
    guard line.hasPrefix("comm \""), let end = line.firstRange(of: "\", pid ") else { return nil }
    name = String(line[..<end.lowerBound].dropFirst(6))
    pid = Int(line[end.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  /// Reads the release, which is before the build's number, `#1`.
  private mutating func readRelease(_ text: Substring) {
    let words = text.split(separator: " ")
    if let number = words.firstIndex(where: {
      $0.hasPrefix("#") && $0.dropFirst().first?.isNumber == true
    }), number > 0 {
      release = words[number - 1].trimming("()")
      build = words[number].trimming("()")
    }
    if let last = words.last, last.count == 40, CodeID(String(last)) != nil {
      buildID = String(last)
    }
    if let found = text.firstRange(of: "Tainted: ") {
      let flags = text[found.upperBound...].split(separator: " ")
        .prefix { $0.allSatisfy { $0.isUppercase || $0 == "-" } }
      tainted = flags.joined(separator: " ")
    }
  }

  private static func number(after mark: String, in line: String) -> Int? {
    guard let found = line.firstRange(of: mark) else { return nil }
    return Int(line[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }
}

extension Substring {
  fileprivate func trimming(_ characters: String) -> String {
    var text = self.drop { characters.contains($0) }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return String(text)
  }
}
