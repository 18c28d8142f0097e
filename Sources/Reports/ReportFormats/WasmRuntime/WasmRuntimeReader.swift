internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// A trap of WebAssembly outside a browser.
  static let wasmRuntime = ReportFormat("wasm-runtime")
}

extension Headline.Kind {
  /// `error while executing at wasm backtrace:`
  fileprivate static let wasmBacktrace = Headline.Kind("wasm backtrace")
}

/// Traps as Wasmtime prints them:
///
///     Error: failed to run main module `till.wasm`
///
///     Caused by:
///         0: failed to invoke `run`
///         1: error while executing at wasm backtrace:
///                0:     0x4d - till.wasm!divide
///                                 at /src/till.c:1:49
///                1:     0x5c - <unknown>!average
///         2: wasm trap: integer divide by zero
///
/// A number is an offset into the module.
///
/// Source: `WasmBacktrace` of Wasmtime.
enum WasmRuntimeReader: LogReader {
  static let format = ReportFormat.wasmRuntime
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.wasmBacktrace, "wasm backtrace:") { text, mark, lines in
      // The number of a cause precedes the text.
      let line = max(lines.start(of: mark, in: text), mark - 128)
      let head = text.between(line, mark)
      guard let words = head.findLast("error while executing at ") else {
        return Headline.Location(start: mark, content: mark + 15)
      }
      var start = words
      if head.has(": ", at: start - 2) {
        start -= 2
        while start > 0, head.byte(start - 1).isDigit { start -= 1 }
      }
      return Headline.Location(start: line + start, content: mark + 15)
    }
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var report = CrashReport(format: .wasmRuntime)
    var images = NamedImages()
    var frames: [Frame] = []
    var budget = StackBudget()
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 6, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      others += 1
      if line.has("at "), let last = frames.indices.last {
        let location = SourceLocation(line.from(3).trimmed)
        frames[last].file = location.file
        frames[last].line = location.line
        frames[last].column = location.column
      } else if let frame = frame(line, &images, isFirst: frames.isEmpty) {
        if budget.takeFrame() { frames.append(frame) }
      } else if let trap = line.find("wasm trap: ") {
        report.reason.type = "wasm trap"
        report.reason.message = line.from(trap + 11).name.cutMessage
        end = lines.position
        break
      } else {
        if line.has("Error: "), !frames.isEmpty { break }
        continue
      }
      others = 0
      end = lines.position
    }
    guard !frames.isEmpty else { return nil }
    if report.reason.type == nil { report.reason.type = "error" }
    if report.reason.message?.hasPrefix("call stack exhausted") == true {
      report.reason.type = "stack overflow"
    }
    section.forEachLineBefore(in: text) { line in
      guard line.has("Error: failed to run main module `"), line.ends(with: "`") else { return }
      let name = line.part(34..<(line.byteCount - 1)).name
      report.process.name = name.split(separator: "/").last.map(String.init)
      report.app.name = report.process.name
    }
    for index in images.images.indices { images.images[index].architecture = .wasm32 }
    if images.images.count == 1, let program = report.process.name,
      images.images[0].name == WasmFrames.unnamed
    {
      images.images[0].name = program
    }
    report.images = images.images
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    if let note = budget.note { report.notes.append(note) }
    return LoggedReport(report: report, end: min(end, text.byteCount))
  }

  /// `0:     0x4d - till.wasm!divide`.
  private static func frame(
    _ line: RawSpan, _ images: inout NamedImages, isFirst: Bool
  ) -> Frame? {
    var position = 0
    guard line.decimal(at: &position) != nil, line.has(":", at: position) else { return nil }
    position = line.skippingBlanks(from: position + 1)
    guard let offset = line.hexadecimal(at: &position), line.has(" - ", at: position) else {
      return nil
    }
    let rest = line.from(position + 3)
    let mark = rest.find(UInt8(ascii: "!"))
    let module = rest.upTo(mark ?? 0).name
    var frame = Frame(position: isFirst ? .exact : .returnAddress)
    frame.image = images.index(
      of: module.isEmpty || module.hasPrefix("<") ? WasmFrames.unnamed : module)
    frame.imageOffset = ImageOffset(offset)
    let name = rest.from(mark.map { $0 + 1 } ?? 0).trimmed
    if name.byteCount > 0, !name.has("<wasm function") { frame.function = name.name }
    return frame
  }
}
