internal import Bytes
internal import CrashModel
internal import Identifiers

/// The state of an lldb session: it prints a thread where it stops, and again whenever it is asked.
struct LLDBSession {
  /// The index of the printed thread in the report.
  var thread: Int?
  /// The indices of all threads, by their numbers.
  var threads: [Int: Int] = [:]
  /// The number of the frame that was read last.
  var lastFrame: UInt64?
  /// The number of the first thread that was selected.
  var stopped: Int?
  /// The number of the last thread that stopped because of a fault.
  var crashed: Int?
}

extension DebuggerParser {
  mutating func takeLLDB(_ line: RawSpan) {
    if let frame = LLDBFrame(line) {
      takeFrame(frame)
      return
    }
    var text = line
    let isSelected = text.has("* ")
    if isSelected { text = text.from(2).trimmed }
    guard text.has("thread #"), let number = text.number(after: "thread #") else { return }
    begin(number: number, isSelected: isSelected)
    guard let current = session.thread else { return }
    if let id = text.number(after: "tid = ") { report.threads[current].id = id }
    if let name = text.find("name = '"), let end = text.find(UInt8(ascii: "'"), from: name + 8) {
      report.threads[current].name = text.part((name + 8)..<end).name
    }
    if let stop = text.find("stop reason = ") {
      takeReason(text.from(stop + 14).trimmed, of: report.threads[current].index)
    }
  }

  /// Begins the thread of a number: the same one each time it is printed.
  private mutating func begin(number: UInt64, isSelected: Bool) {
    let number = Int(exactly: number) ?? report.threads.count
    session.lastFrame = nil
    isInThread = true
    if let known = session.threads[number] {
      session.thread = known
    } else if report.threads.count < FormatLimits.stacks {
      session.thread = report.threads.count
      session.threads[number] = report.threads.count
      report.threads.append(CrashThread(index: number))
    } else {
      session.thread = nil
      leftOut += 1
      return
    }
    if isSelected, session.stopped == nil { session.stopped = number }
  }

  // MARK: Frames

  private mutating func takeFrame(_ frame: LLDBFrame) {
    if session.thread == nil {
      guard report.threads.isEmpty else { return }
      begin(number: 1, isSelected: true)
    }
    guard let thread = session.thread else { return }
    if frame.number == 0 {
      if let first = report.threads[thread].frames.first,
        first.address != Address(frame.address) || first.function != frame.function
      {
        // It continued, and stopped again.
        report.threads[thread].frames = []
      }
    } else if let last = session.lastFrame {
      // Any other is a frame that was selected alone.
      guard frame.number &- 1 == last else { return }
    } else if !report.threads[thread].frames.isEmpty {
      return
    }
    session.lastFrame = frame.number
    // The others were printed before.
    if frame.number >= report.threads[thread].frames.count { add(frame, to: thread) }
  }

  private mutating func add(_ frame: LLDBFrame, to thread: Int) {
    let last = report.threads[thread].frames.last
    guard report.threads[thread].frames.count < FormatLimits.framesPerStack else {
      leftOut += 1
      return
    }
    var result = Frame(
      address: Address(frame.address), position: last == nil ? .exact : .returnAddress,
      image: frame.image.flatMap { image($0) }, function: frame.function,
      symbolOffset: frame.offset, file: frame.location?.file, line: frame.location?.line,
      column: frame.location?.column, inlined: frame.isInlined)
    if let last, last.inlined, last.address == result.address { result.position = last.position }
    report.threads[thread].frames.append(result)
  }

  // MARK: Reasons

  /// Takes a stop reason; a fault's counts, not that of a breakpoint before it.
  private mutating func takeReason(_ text: RawSpan, of number: Int) {
    let isFault =
      text.has("signal ") || text.has("EXC_") || text.has("Fatal error") || text.has("Precondition")
      || text.has("Assertion") || text.has("Exception ") || text.contains("fault")
    let isPause = text.has("signal SIGSTOP") || text.has("signal SIGINT")
    if isFault, !isPause {
      session.crashed = number
    } else {
      guard session.crashed == nil, report.reason.message == nil else { return }
    }
    report.reason = CrashReason()
    report.reason.message = text.name
    if text.has("signal ") {
      report.reason.signal = String(text.from(7).name.prefix { $0 != ":" && $0 != " " })
    } else if text.has("EXC_") {
      report.reason.type = String(text.name.prefix { $0 != " " })
    }
    report.reason.address =
      (text.number(after: "fault address: ") ?? text.number(after: "fault address=")
      ?? text.number(after: "address=")).map { Address($0) }
  }
}
