internal import Bytes
internal import CrashModel

/// Parses a trace of ART line by line.
struct ArtTraceParser {
  private var header = AndroidHeader(CrashReport(format: .androidANR, kind: .hang))
  private var images = AndroidImages()
  private var threads: [CrashThread] = []
  /// The runtime's number of the thread that holds the lock, for each thread that waits for one.
  private var holders: [UInt64?] = []
  private var states: [String?] = []
  private var subject: String?
  private var leftOut = 0
  private var isDone = false

  /// Whether xCrash wrote it, which continues after the trace.
  var isXCrash: Bool { header.isXCrash }
  /// Whether a thread was read.
  var isReport: Bool { !threads.isEmpty }

  // MARK: Before the threads

  /// Reads a line before the threads, where lines about other processes may be too.
  mutating func readBefore(_ line: RawSpan) {
    if line.has("----- end ") || line.has("*** *** *** ***") {
      reset()
    } else if line.has("----- pid ") {
      // The system describes the failure before the first process.
      let process = header.report.process.pid
      if process != nil { reset() }
      readProcess(line)
    } else if line.has("Subject: ") {
      reset()
      subject = line.from(9).name
    } else if line.has("pid: ") {
      // `pid: 21533  >>> xcrash.sample <<<`
      var position = 5
      if let pid = line.decimal(at: &position) { header.report.process.pid = Int(exactly: pid) }
      if let start = line.find(">>> "), let end = line.findLast(" <<<"), start + 4 < end {
        header.setProcess(line.part(start + 4..<end).trimmed.name)
      }
    } else if line.has("Package: ") {
      readPackage(line.from(9))
    } else if line.has("Build: ") {
      header.takeFingerprint(line.from(7).name)
    } else {
      _ = header.read(line)
    }
  }

  private mutating func reset() {
    header = AndroidHeader(CrashReport(format: .androidANR, kind: .hang))
    subject = nil
  }

  /// `----- pid 3994 at 2025-04-10 15:37:52.936768373+0200 -----`.
  private mutating func readProcess(_ line: RawSpan) {
    var position = 10
    guard let pid = line.decimal(at: &position) else { return }
    header.report.process.pid = Int(exactly: pid)
    guard line.has(" at ", at: position) else { return }
    let end = line.findLast(" -----") ?? line.byteCount
    header.setTime(line.part(position + 4..<max(end, position + 4)).trimmed.name)
  }

  /// `app.tern v12 (1.2.3)`, in the drop box.
  private mutating func readPackage(_ line: RawSpan) {
    let words = line.name.split(separator: " ")
    guard let package = words.first else { return }
    header.report.app.identifier = String(package)
    header.report.app.name = String(package)
    if words.count > 1, words[1].hasPrefix("v") {
      header.report.app.build = String(words[1].dropFirst())
    }
    if words.count > 2 {
      header.report.app.version = String(words[2].drop { $0 == "(" }.prefix { $0 != ")" })
    }
  }

  // MARK: The notice in the log

  /// `app.tern (app.tern/.TillActivity)`, after `ANR in `.
  mutating func readNotice(_ line: RawSpan) {
    let name = line.upTo(line.find(32) ?? line.byteCount)
    header.setProcess(name.name)
  }

  /// Reads a line after the notice's first; returns whether another one is wanted.
  mutating func readNotice(after line: RawSpan) -> Bool {
    if line.has("PID: ") {
      var position = 5
      header.report.process.pid = line.decimal(at: &position).flatMap { Int(exactly: $0) }
    } else if line.has("Reason: ") {
      subject = line.from(8).name
    } else if line.has("ErrorId: ") {
      header.report.incident = line.from(9).name
    }
    return !line.has("CPU usage ") && !line.has("Load: ")
  }

  // MARK: Threads

  /// Reads a line; returns whether another one is wanted.
  mutating func read(_ line: RawSpan) -> Bool {
    guard line.byteCount > 0 else { return true }
    if isDone { return true }
    switch line.byte(0) {
    case UInt8(ascii: "\""): readThread(line)
    case UInt8(ascii: "|"): readFacts(line)
    case UInt8(ascii: "n"):
      if line.has("native: ") { addNative(line.from(8).trimmed) }
    case UInt8(ascii: "#"): addNative(line)
    case UInt8(ascii: "k"):
      if line.has("kernel: ") { addKernel(line.from(8).trimmed) }
    case UInt8(ascii: "a"):
      if let frame = Frame(art: line) { add(frame) }
    case UInt8(ascii: "-"):
      if line.has("----- ") { return false }
      readLock(line)
    case UInt8(ascii: "+"):
      // xCrash continues with the log and tables.
      if line.has("+++ +++") { isDone = true }
    case UInt8(ascii: "s"):
      // Of a process whose threads were not stopped.
      break
    default:
      if threads.isEmpty { _ = header.read(line) }
    }
    return true
  }

  /// `"main" prio=5 tid=1 Blocked`, `"GC" daemon prio=5 tid=9 Native (still starting up)`,
  /// `"AudioThread" prio=10 (not attached)`, `"Binder:1" sysTid=9973`. The name may hold quotes.
  private mutating func readThread(_ line: RawSpan) {
    let end =
      line.findLast("\" daemon prio=") ?? line.findLast("\" prio=") ?? line.findLast("\" sysTid=")
    guard let end, end > 0 else { return }
    guard threads.count < FormatLimits.stacks else {
      leftOut += 1
      return
    }
    let facts = line.from(end + 1)
    var thread = CrashThread(index: threads.count, name: line.part(1..<end).name)
    var state: String?
    if let tid = facts.find(" tid=") {
      var position = tid + 5
      if let number = facts.decimal(at: &position).flatMap({ Int(exactly: $0) }) {
        thread.index = number
      }
      let rest = facts.from(position).trimmed
      state = rest.upTo(rest.find(" (") ?? rest.byteCount).name
    }
    thread.id = facts.number(after: " sysTid=")
    threads.append(thread)
    holders.append(nil)
    states.append(state.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// `| sysTid=3994 nice=-10 cgrp=top-app sched=0/0 handle=0x7f053014f8`.
  private mutating func readFacts(_ line: RawSpan) {
    guard let last = threads.indices.last, threads[last].id == nil else { return }
    threads[last].id = line.number(after: " sysTid=")
  }

  /// `- waiting to lock <0x0481d03d> (a java.lang.String) held by thread 4`.
  private mutating func readLock(_ line: RawSpan) {
    guard let last = holders.indices.last, holders[last] == nil, line.has("- waiting ") else {
      return
    }
    holders[last] = line.number(after: " held by thread ")
  }

  private mutating func addNative(_ text: RawSpan) {
    guard let line = AndroidFrameLine(text), let last = threads.indices.last else { return }
    add(line.frame(in: &images, isFirst: threads[last].frames.isEmpty))
  }

  /// `futex_wait_queue_me+0x104/0x180`; not the message that nothing could be read.
  private mutating func addKernel(_ text: RawSpan) {
    guard let plus = text.find("+0x"), text.upTo(plus).find(32) == nil, plus > 0 else { return }
    var digits = plus + 1
    var frame = Frame(position: .returnAddress, function: text.upTo(plus).name)
    frame.symbolOffset = text.hexadecimal(at: &digits)
    frame.image = images.index(of: "kernel", fileOffset: 0, buildID: nil)
    add(frame)
  }

  private mutating func add(_ frame: Frame) {
    guard let last = threads.indices.last,
      threads[last].frames.count < FormatLimits.framesPerStack
    else {
      leftOut += 1
      return
    }
    threads[last].frames.append(frame)
  }

  // MARK: The report

  consuming func finished() -> CrashReport {
    var report = header.finished()
    report.reason.type = "ANR"
    report.reason.message = subject?.cutMessage
    report.images = images.images
    for index in report.images.indices where report.images[index].name != "kernel" {
      report.images[index].architecture = report.device.architecture
    }
    let pid = report.process.pid.flatMap { UInt64(exactly: $0) }
    let main =
      threads.firstIndex { $0.index == 1 && $0.name == "main" }
      ?? threads.firstIndex { $0.id != nil && $0.id == pid } ?? threads.indices.first
    if let main {
      threads[main].crashed = true
      report.crashedThread = main
      report.tags[.threadState] = states[main]
      readBlame(main, into: &report)
    }
    report.threads = threads
    if main.map({ threads[$0].frames.isEmpty }) ?? true {
      report.notes.append("the report has no stack of the main thread")
    }
    if leftOut > 0 { report.notes.append("\(leftOut) lines beyond a limit were left out") }
    return report
  }

  /// Follows the lock that the main thread waits for to its holder: the last of the chain, or the last before
  /// it loops.
  private func readBlame(_ main: Int, into report: inout CrashReport) {
    var seen: Set<Int> = [main]
    var current = main
    while let number = holders[current],
      let next = threads.firstIndex(where: { UInt64(exactly: $0.index) == number })
    {
      guard seen.insert(next).inserted else {
        report.reason.code = "deadlock"
        break
      }
      current = next
      if seen.count > 64 { break }
    }
    if current != main { report.tags[.lockHolder] = String(current) }
  }
}
