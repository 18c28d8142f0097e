internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a log of HotSpot line by line.
struct HotSpotParser {
  var report = CrashReport(format: .hotSpot)
  var counter = StackCounter()
  var section = LogSection.head
  /// The current section, until its first empty line, if any.
  var step = Step.none
  var stack: [HotSpotFrame] = []
  var javaStack: [HotSpotFrame] = []
  var problematic: HotSpotFrame?
  var registers: [Register] = []
  var images = HotSpotImages()
  var current = CrashThread(index: 0, crashed: true)
  var hasThread = false
  /// The time without its zone, which may be in a separate line.
  var time: String?
  var zone: String?
  var programCounter: UInt64?
  private let isMemory: Bool
  private var isComplete = false
  private var isFull = false
  private var damaged = 0
  private var words: [String] = []
  private var isAtProblematicFrame = false

  enum LogSection {
    case head, summary, thread, process, system
  }

  enum Step {
    case none, registers, native, java, threads, libraries, operatingSystem, compileTask
  }

  init(isMemory: Bool) {
    self.isMemory = isMemory
    if isMemory {
      report.kind = .oom
      report.reason.type = "insufficient memory"
    }
  }

  /// Takes the next line; returns whether another one is wanted.
  mutating func take(_ line: RawSpan) -> Bool {
    if line.has("END."), line.byteCount < 8, isFull {
      isComplete = true
      return false
    }
    if line.has("------"), let next = Self.section(line) {
      section = next
      isFull = true
      step = .none
      return true
    }
    if line.has("[error occurred during error reporting")
      || line.has("[timeout occurred during error")
    {
      damaged += 1
      return true
    }
    if line.has("#"), !isFull {
      readHead(line.from(1).trimmed)
      return true
    }
    if !isFull, section == .head, line.byteCount > 0 {
      // An out-of-memory log may be only a head and a few lines.
      readAny(line)
      return true
    }
    readAny(line)
    return true
  }

  private static func section(_ line: RawSpan) -> LogSection? {
    if line.contains("S U M M A R Y") { return .summary }
    if line.contains("T H R E A D") { return .thread }
    if line.contains("P R O C E S S") { return .process }
    if line.contains("S Y S T E M") { return .system }
    return nil
  }

  // MARK: The head

  private mutating func readHead(_ line: RawSpan) {
    if isAtProblematicFrame {
      isAtProblematicFrame = false
      problematic = HotSpotFrame(line)
      return
    }
    if line.byteCount == 0 { return }
    if line.has("JRE version: ") {
      report.tags[.runtimeVersion] = line.from(13).name
    } else if line.has("Java VM: ") {
      report.tags[.runtimeName] = line.from(9).name
      readPlatform(line)
    } else if line.has("Problematic frame:") {
      isAtProblematicFrame = true
    } else if line.has("Internal Error (") || line.has("Out of Memory Error (") {
      readLocation(line)
    } else if line.contains(" at pc=0x") {
      readFault(line)
    } else if isMemory
      ? line.has("Native memory allocation") || line.has("Cannot create ") : isMessage(line)
    {
      if words.count < 16 { words.append(line.name) }
    }
  }

  private func isMessage(_ line: RawSpan) -> Bool {
    guard report.reason.code != nil || report.reason.type == "Internal Error" else { return false }
    return line.has("fatal error: ") || line.has("guarantee(") || line.has("assert(")
      || line.has("Error: ")
      || !words.isEmpty && words.count < 4 && !line.has("JRE") && problematic == nil
        && report.tags[.runtimeVersion] == nil
  }

  /// `Internal Error (debug.cpp:362), pid=25186, tid=25187`
  private mutating func readLocation(_ line: RawSpan) {
    guard let open = line.find(" ("), let close = line.find(UInt8(ascii: ")"), from: open) else {
      return
    }
    if !isMemory { report.reason.type = line.upTo(open).name }
    report.reason.code = line.between(open + 2, close).name
    readIDs(line)
  }

  /// `SIGSEGV (0xb) at pc=0x00007fcf344d2f94 (sent by kill), pid=25167, tid=25168`
  private mutating func readFault(_ line: RawSpan) {
    let end = line.find(" (") ?? line.find(" at pc") ?? 0
    let name = line.upTo(end).name
    // HotSpot has numbers of its own for memory that ran out: `INVALID (0xe0000002)`.
    if !isMemory { report.reason.type = name }
    if name.hasPrefix("SIG") { report.reason.signal = name }
    if line.contains("(sent by kill)") { report.reason.code = "SI_USER" }
    programCounter = line.number(after: "pc=")
    readIDs(line)
  }

  private mutating func readIDs(_ line: RawSpan) {
    report.process.pid = line.number(after: "pid=").flatMap { Int(exactly: $0) }
    current.id = line.number(after: "tid=")
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    finishReason()
    guard report.reason.type != nil else { return nil }
    finishStacks()
    finishTime()
    if !isFull {
      report.notes.append("only the summary was printed")
    } else if !isComplete {
      report.notes.append("the report is cut off: its end is missing")
    }
    if damaged > 0 {
      report.notes.append(
        "\(damaged) sections are missing: an error occurred while they were written")
    }
    report.notes += counter.notes
    return report
  }

  private mutating func finishReason() {
    if !words.isEmpty { report.reason.message = words.joined(separator: "\n") }
    guard let message = report.reason.message else { return }
    if message.contains("OutOfMemory encountered") || report.reason.type == "Out of Memory Error" {
      report.kind = .oom
    }
    let bytes = unsafe message.utf8.span.bytes
    if report.kind == .oom,
      let size = bytes.number(after: "failed to map ") ?? bytes.number(after: "failed to allocate ")
    {
      report.tags[.allocationSize] = String(size)
    }
  }

  private mutating func finishStacks() {
    if stack.isEmpty { stack = javaStack.isEmpty ? [problematic].compactMap { $0 } : javaStack }
    current.frames = frames(stack, isFirstExact: true)
    current.registers = registers
    if !javaStack.isEmpty, !stack.contains(where: { $0.isJava }) {
      report.otherStacks.append(
        NamedStack(title: "Java frames", frames: frames(javaStack, isFirstExact: false)))
    }
    let known = report.threads.firstIndex { $0.crashed }
    if let known {
      report.threads[known].frames = current.frames
      report.threads[known].registers = current.registers
      report.crashedThread = known
    } else if hasThread || !current.frames.isEmpty || !registers.isEmpty {
      report.threads.insert(current, at: 0)
      report.crashedThread = 0
      for index in report.threads.indices { report.threads[index].index = index }
    }
    report.images = images.images
    if images.leftOut > 0 {
      report.notes.append(
        "images beyond the limit of \(FormatLimits.images) a report were left out")
    }
  }

  private mutating func frames(_ lines: [HotSpotFrame], isFirstExact: Bool) -> [Frame] {
    var frames: [Frame] = []
    for line in lines {
      var frame = line.frame
      if let module = line.module { frame.image = images.index(of: module) }
      if frames.isEmpty, isFirstExact {
        frame.position = .exact
        if frame.address == nil, let programCounter, !line.isJava {
          frame.address = Address(programCounter)
        }
      }
      counter.append(frame, to: &frames)
    }
    return frames
  }

  private mutating func finishTime() {
    guard let time else { return }
    let known: [String: Int] = [
      "UTC": 0, "GMT": 0, "CET": 60, "CEST": 120, "EST": -300, "EDT": -240, "CST": -360,
      "CDT": -300,
      "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "JST": 540, "MSK": 180,
    ]
    guard let moment = Timestamp(asctime: time) else { return }
    var minutes = zone.map { known[$0] } ?? 0
    if minutes == nil, let zone, let hours = Int(zone) {
      minutes = abs(hours) <= 14 ? hours * 60 : hours / 100 * 60 + hours % 100
    }
    if let minutes {
      report.time = Timestamp(seconds: moment.seconds - Int64(minutes) * 60)
      if zone == nil { report.notes.append("the time has no zone and was taken for UTC") }
    } else {
      report.time = moment
      report.notes.append("the time's zone \(zone ?? "") is not known; it was taken for UTC")
    }
  }
}
