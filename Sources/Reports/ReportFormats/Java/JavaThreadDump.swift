internal import Bytes
internal import CrashModel

/// A dump of all threads, as `jstack` and the signal QUIT print it:
///
///     Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):
///
///     "till 3" #12 prio=5 os_prio=0 cpu=1.2ms elapsed=3.4s tid=0x00007f nid=0x12 waiting for monitor entry  [0x00007f]
///        java.lang.Thread.State: BLOCKED (on object monitor)
///     	at com.example.tern.Desk.charge(Desk.java:12)
///     	- waiting to lock <0x000000062a400000> (a java.lang.Object)
///
///     Found one Java-level deadlock:
///
/// Source: `VMThreads::print_on` and `JavaThread::print_on` of HotSpot.
struct JavaThreadDump {
  private var report = CrashReport(format: .javaTrace, kind: .other)
  private var counter = StackCounter()
  /// The holder of each lock, and the thread that waits for one.
  private var holders: [UInt64: Int] = [:]
  private var waits: [(thread: Int, lock: UInt64)] = []
  private var isInThread = false
  private var isInDeadlock = false

  init(_ machine: RawSpan) {
    let line = machine.trimmed
    let end = line.ends(with: ":") ? line.byteCount - 1 : line.byteCount
    report.tags[.runtimeName] = line.upTo(end).name
    report.reason.type = "thread dump"
  }

  mutating func take(_ line: RawSpan) -> Bool {
    if line.has("Found "), line.contains("Java-level deadlock") {
      report.kind = .hang
      report.reason.type = "deadlock"
      isInDeadlock = true
    } else if isInDeadlock {
      return true
    } else if line.has("\""),
      line.contains("tid=0x") || line.contains("nid=") || line.contains(" #")
    {
      beginThread(line)
    } else if isInThread {
      takeOfThread(line)
    }
    return true
  }

  private mutating func beginThread(_ line: RawSpan) {
    isInThread = false
    guard let close = line.findLast(UInt8(ascii: "\"")), close > 0, counter.addsStack() else {
      return
    }
    let rest = line.from(close)
    var thread = CrashThread(index: report.threads.count, name: line.between(1, close).name)
    if let number = rest.number(after: "\" #").flatMap({ Int(exactly: $0) }) {
      thread.index = number
    }
    thread.id = rest.number(after: "nid=")
    report.threads.append(thread)
    isInThread = true
  }

  private mutating func takeOfThread(_ line: RawSpan) {
    let last = report.threads.count - 1
    if let frame = JavaCall.frame(line) {
      counter.append(frame, to: &report.threads[last].frames)
    } else if line.has("- "), let lock = line.number(after: "<") {
      guard waits.count + holders.count < 100_000 else { return }
      if line.has("- locked ") {
        holders[lock] = last
      } else if line.has("- waiting to lock ") || line.has("- parking to wait for ") {
        waits.append((last, lock))
      }
    }
  }

  consuming func finished() -> CrashReport? {
    guard !report.threads.isEmpty else { return nil }
    // A thread of the deadlock, and the holder of the lock that it waits for.
    if report.kind == .hang,
      let wait = waits.first(where: { holders[$0.lock].map { holder in holder >= 0 } ?? false })
    {
      report.crashedThread = wait.thread
      report.threads[wait.thread].crashed = true
      report.tags[.lockHolder] = holders[wait.lock].map { String($0) }
    } else {
      report.crashedThread = report.threads.firstIndex { $0.name == "main" } ?? 0
    }
    report.notes += counter.notes
    return report
  }
}
