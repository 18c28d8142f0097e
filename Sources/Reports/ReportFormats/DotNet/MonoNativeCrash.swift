internal import Bytes
internal import CrashModel
internal import Identifiers

/// Mono's output when a signal ends it.
///
///     Got a SIGSEGV while executing native code. This usually indicates …
///             Native stacktrace:
///             0x559bfbaa603c - mono : (null)                       since Mono 6: address, module, symbol
///             /usr/lib/libmono.so(mono_main+0x1f) [0x7fc0ef5d0eec]   before: as backtrace_symbols
///             Managed Stacktrace:
///               at Shop.Program:Main <0x0080a>
///
/// Before Mono 6 the managed stack comes first, under `Stacktrace:`.
///
/// Source: mini-posix.c and mini-exceptions.c of Mono.
struct MonoNativeCrash {
  /// Lines between the native and the managed stack: a debugger's output.
  private static let otherLines = 20_000

  private var report = CrashReport(format: .dotNet)
  private var native: [Frame] = []
  private var managed: [Frame] = []
  private var images: [String: Int] = [:]
  private var budget = StackBudget()

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var crash = MonoNativeCrash()
    section.forEachLineBefore(in: text) { crash.readWords($0) }
    for headline in section.prelude where headline.kind == .monoFailFast {
      crash.readWords(text.part(headline.start..<headline.line.upperBound))
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    crash.readNative(&lines, &end, in: text)
    crash.readManaged(&lines, &end, in: text)
    guard !crash.native.isEmpty || !crash.managed.isEmpty else { return nil }
    return LoggedReport(report: crash.finished(), end: end)
  }

  /// `Stacktrace:`, then perhaps `Native stacktrace:`.
  static func oldReport(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var crash = MonoNativeCrash()
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    crash.readFrames(&lines, &end, in: text)
    guard !crash.managed.isEmpty else { return nil }
    var ahead = lines
    for _ in 0..<4 {
      guard let range = ahead.next(in: text) else { break }
      let line = text.part(range).trimmed
      guard line.has("Native stacktrace:") else { continue }
      end = ahead.position
      crash.readNative(&ahead, &end, in: text)
      // A debugger's output, then the cause.
      for _ in 0..<Self.otherLines {
        guard let range = ahead.next(in: text) else { break }
        let line = text.part(range).trimmed
        guard line.has("Got a ") else { continue }
        crash.readWords(line)
        end = ahead.position
        break
      }
      break
    }
    return LoggedReport(report: crash.finished(), end: end)
  }

  private mutating func readWords(_ line: RawSpan) {
    if line.has("Got a "), let end = line.find(" while executing native code", from: 6) {
      let word = line.part(6..<end).name
      report.reason.signal = word == "segv" ? "SIGSEGV" : word
    }
    if line.has("CLR: Managed code called FailFast") {
      report.reason.type = "FailFast"
      if let open = line.find("saying \"") {
        let words = line.from(open + 8)
        report.reason.message =
          words.upTo(words.findLast(UInt8(ascii: "\"")) ?? words.byteCount).name.cutMessage
      }
    }
  }

  private mutating func readNative(_ lines: inout TraceLines, _ end: inout Int, in text: RawSpan) {
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { return }
      let line = text.part(range).trimmed
      if line.byteCount > 0, !line.has("====") {
        guard let frame = nativeFrame(line) else { return }
        if budget.takeFrame() { native.append(frame) }
      }
      lines = ahead
      end = lines.position
    }
  }

  private mutating func readManaged(_ lines: inout TraceLines, _ end: inout Int, in text: RawSpan) {
    var ahead = lines
    for _ in 0..<Self.otherLines {
      guard let range = ahead.next(in: text) else { return }
      let line = text.part(range).trimmed
      if line.has("Native Crash Reporting") || line.has("Native stacktrace:") { return }
      if line.has("Got a ") { readWords(line) }
      guard line.has("Managed Stacktrace:") else { continue }
      lines = ahead
      readFrames(&lines, &end, in: text)
      return
    }
  }

  private mutating func readFrames(_ lines: inout TraceLines, _ end: inout Int, in text: RawSpan) {
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { return }
      let line = text.part(range).trimmed
      if line.byteCount > 0, !line.has("=====") {
        guard line.has("at ") else { return }
        if !line.has("at <unknown>"), let frame = ManagedStackText.frame(line.name),
          budget.takeFrame()
        {
          managed.append(frame)
        }
      }
      lines = ahead
      end = lines.position
    }
  }

  /// `0x7fc0ef5d0eec - /lib/libc.so.6 : gsignal`, `mono(main+0x1f) [0x4a0a83]`, `lib.so(+0x1f) [0x4a]`.
  private mutating func nativeFrame(_ line: RawSpan) -> Frame? {
    var frame = Frame(position: .returnAddress)
    var index = 0
    if let address = line.hexadecimal(at: &index), line.has(" - ", at: index) {
      frame.address = Address(address)
      let rest = line.from(index + 3)
      guard let colon = rest.findLast(" : ") else { return frame }
      frame.image = image(rest.upTo(colon).trimmed.name)
      setName(rest.from(colon + 3).trimmed, of: &frame)
      return frame
    }
    guard line.ends(with: "]"), let open = line.findLast(" [0x") else { return nil }
    index = open + 2
    frame.address = line.hexadecimal(at: &index).map { Address($0) }
    let called = line.upTo(open)
    guard let paren = called.findLast(UInt8(ascii: "(")), called.ends(with: ")") else { return nil }
    frame.image = image(called.upTo(paren).name)
    let inside = called.part((paren + 1)..<(called.byteCount - 1))
    guard let plus = inside.findLast("+0x") else { return frame }
    index = plus + 1
    let offset = inside.hexadecimal(at: &index)
    if plus == 0 {
      frame.imageOffset = offset.map { ImageOffset($0) }
    } else {
      frame.symbolOffset = offset
      frame.function = inside.upTo(plus).name
    }
    return frame
  }

  /// `(null)`, `name`, or `name + 0x1f`.
  private func setName(_ name: RawSpan, of frame: inout Frame) {
    guard name.byteCount > 0, !name.has("(null)") else { return }
    guard let plus = name.findLast(" + 0x") ?? name.findLast("+0x") else {
      frame.function = name.name
      return
    }
    var index = name.find("0x", from: plus) ?? name.byteCount
    frame.symbolOffset = name.hexadecimal(at: &index)
    frame.function = name.upTo(plus).trimmed.name
  }

  private mutating func image(_ path: String) -> Int? {
    guard !path.isEmpty else { return nil }
    if let known = images[path] { return known }
    guard report.images.count < FormatLimits.images else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    report.images.append(LoadedImage(name: name, path: path.contains("/") ? path : nil))
    images[path] = report.images.count - 1
    return report.images.count - 1
  }

  private consuming func finished() -> CrashReport {
    // The native stack continues in code that the runtime compiled, which the managed one names.
    let unnamed = native.lastIndex { $0.function != nil || $0.image != nil }.map { $0 + 1 } ?? 0
    let frames = (managed.isEmpty ? native[...] : native[..<unnamed]) + managed
    report.crashedThread = 0
    report.threads = [CrashThread(index: 0, crashed: true, frames: Array(frames))]
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
