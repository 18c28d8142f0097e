internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses the output of `faulthandler` line by line, the youngest call first:
///
///     Fatal Python error: Segmentation fault
///
///     Thread 0x00007f85937ff6c0 [till] (most recent call first):
///       File "/app/tern.py", line 42 in main
///
///     Current thread 0x00007f85944a0040 [main] (most recent call first):
///       <no Python frame>
///
///     Current thread's C stack trace (most recent call first):
///       Binary file "/usr/lib/libpython3.14.so.1.0", at _Py_DumpStack+0x4b [0x7f6c5d41ae1b]
///
///     Extension modules: numpy.core._multiarray_umath (total: 1)
///
/// Names and C stacks are printed since 3.14.
struct PythonFaultParser {
  private var report = CrashReport(format: .pythonTraceback)
  private var counter = StackCounter()
  private var target = Target.none
  private var images: [String: Int] = [:]
  private var isSnapshot = true

  private enum Target {
    case none, thread, native
  }

  private static let signals: [(words: StaticString, signal: String)] = [
    ("Segmentation fault", "SIGSEGV"), ("Aborted", "SIGABRT"), ("Bus error", "SIGBUS"),
    ("Floating-point exception", "SIGFPE"), ("Floating point exception", "SIGFPE"),
    ("Illegal instruction", "SIGILL"),
  ]

  mutating func readError(_ line: RawSpan, windows: Bool) {
    isSnapshot = false
    report.reason.type = windows ? "Windows fatal exception" : "Fatal Python error"
    report.reason.message = line.name
    report.reason.signal = Self.signals.first { line.has($0.words) }?.signal
    if line.contains("MemoryError") || line.contains("out of memory") { report.kind = .oom }
  }

  /// `Timeout (0:00:05)!`, before the threads.
  mutating func readLineBefore(_ text: RawSpan) {
    if text.contains("Timeout (") {
      report.kind = .hang
      isSnapshot = false
      report.reason.type = "Timeout"
    }
  }

  mutating func take(_ line: RawSpan) -> Bool {
    if line.contains("(most recent call first):") {
      beginStack(line)
    } else if line.has("Extension modules: ") {
      report.tags[.extensionModules] = line.from(19).name
      return false
    } else if line.has("Python runtime state: ") {
      report.tags[.runtimeState] = line.from(22).name
    } else if line.byteCount == 0 {
      target = .none
    } else {
      takeCall(line)
    }
    return true
  }

  /// `Current thread 0x00007f85944a0040 [main] (most recent call first):`
  private mutating func beginStack(_ line: RawSpan) {
    target = .none
    if line.has("Current thread's C stack trace") {
      guard counter.addsStack() else { return }
      target = .native
      report.otherStacks.append(NamedStack(title: "C stack of the current thread", frames: []))
      return
    }
    let isCurrent = line.has("Current thread ")
    guard isCurrent || line.has("Thread "), counter.addsStack() else { return }
    target = .thread
    var position = isCurrent ? 15 : 7
    let id = line.hexadecimal(at: &position)
    var name: String?
    if line.has(" [", at: position), let end = line.findLast("] (most ") {
      name = line.between(position + 2, end).name
    }
    if isCurrent, report.crashedThread == nil { report.crashedThread = report.threads.count }
    report.threads.append(
      CrashThread(index: report.threads.count, id: id, name: name, crashed: isCurrent))
  }

  private mutating func takeCall(_ line: RawSpan) {
    switch target {
    case .none: break
    case .thread:
      guard let call = PythonFrameLine(line) else { return }
      counter.append(call.frame, to: &report.threads[report.threads.count - 1].frames)
    case .native:
      guard let frame = native(line) else { return }
      counter.append(frame, to: &report.otherStacks[report.otherStacks.count - 1].frames)
    }
  }

  /// `Binary file "PATH", at NAME+0x4b [0x7f6c5d41ae1b]`; without a name the offset is relative to the file.
  private mutating func native(_ line: RawSpan) -> Frame? {
    guard line.has("Binary file \""), let open = line.findLast(" [0x") else { return nil }
    var digits = open + 2
    guard let address = line.hexadecimal(at: &digits) else { return nil }
    var frame = Frame(address: Address(address), position: .returnAddress)
    guard let end = line.find("\"", from: 13) else { return frame }
    frame.image = image(line.between(13, end).name)
    guard let at = line.find("\", at ", from: end) else { return frame }
    let name = line.between(at + 6, open)
    guard let plus = name.findLast("+0x") else { return frame }
    var position = plus + 1
    let offset = name.hexadecimal(at: &position)
    if plus > 0 {
      frame.function = name.upTo(plus).name
      frame.symbolOffset = offset
    } else {
      frame.imageOffset = offset.map { ImageOffset($0) }
    }
    return frame
  }

  private mutating func image(_ path: String) -> Int? {
    if let index = images[path] { return index }
    guard report.images.count < FormatLimits.images, !path.isEmpty else { return nil }
    images[path] = report.images.count
    report.images.append(
      LoadedImage(name: path.split(separator: "/").last.map(String.init) ?? path, path: path))
    return report.images.count - 1
  }

  consuming func finished() -> CrashReport? {
    guard !report.threads.isEmpty || !isSnapshot else { return nil }
    if isSnapshot { report.kind = .other }
    if report.threads.isEmpty { report.notes.append("the report has no stack") }
    if report.crashedThread == nil, report.threads.count == 1 { report.crashedThread = 0 }
    report.notes += counter.notes
    return report
  }
}
