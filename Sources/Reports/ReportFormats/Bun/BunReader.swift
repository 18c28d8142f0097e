internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// A crash of the Bun runtime itself.
  static let bun = ReportFormat("bun")
}

extension Headline.Kind {
  /// `oh no: Bun has crashed.`
  fileprivate static let bunCrash = Headline.Kind("Bun crash")
}

/// Crashes of Bun, a runtime of JavaScript:
///
///     Bun v1.1.38 (bf2c9e6) Linux x64
///     Args: "bun" "run" "src/main.ts"
///
///     panic(main thread): Segmentation fault at address 0x18
///     oh no: Bun has crashed. This indicates a bug in Bun, not your code.
///
///      https://bun.report/1.1.38/lr1bf2c9e6ggEggggC_s7z6pBk8g3/C_mztoFA2AwB
///
/// The stack is in the link: see ``BunTrace``. Errors of programs in Bun are those of JavaScript.
///
/// Source: `src/crash_handler.zig` of Bun.
enum BunReader: LogReader {
  static let format = ReportFormat.bun
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.bunCrash, "oh no: Bun has crashed."),
    HeadlineRule(.bunCrash, "oh no: multiple threads are crashing"),
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var report = CrashReport(format: .bun)
    report.app.name = "bun"
    report.process.name = "bun"
    section.forEachLineBefore(in: text) { line in
      if line.has("Bun v") { readVersion(line.from(5), into: &report) }
      guard line.has("panic("), let mark = line.find("): ") else { return }
      report.tags[.threadName] = line.part(6..<mark).name
      readWords(line.from(mark + 3), into: &report)
    }
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    for _ in 0..<8 {
      guard let range = lines.next(in: text) else { break }
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      if line.has("https://bun.report/") {
        report.properties["bun.report"] = line.name.cut(1024)
        if let trace = BunTrace(line) {
          readStack(trace, into: &report)
        } else {
          report.notes.append("the stack in the link is cut off, or in a form that is not known")
        }
        end = lines.position
        break
      }
    }
    if report.reason.message == nil { report.reason.type = "crash" }
    return LoggedReport(report: report, end: min(end, text.byteCount))
  }

  private static func readStack(_ trace: BunTrace, into report: inout CrashReport) {
    if report.app.version == nil {
      report.app.version = trace.version
      report.app.build = trace.commit
    }
    var images = NamedImages()
    let frames = trace.calls.map { call in
      var frame = Frame(position: .adjusted)
      switch call.owner {
      case .bun: frame.image = images.index(of: "bun")
      case .image(let name): frame.image = images.index(of: name)
      case .script: frame.function = "(JavaScript)"
      case .unknown: break
      }
      if frame.image != nil { frame.imageOffset = ImageOffset(call.offset) }
      return frame
    }
    guard !frames.isEmpty else { return }
    report.images = images.images
    for index in report.images.indices {
      report.images[index].architecture = report.device.architecture
    }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
  }

  /// `1.1.38 (bf2c9e6) Linux x64`.
  private static func readVersion(_ line: RawSpan, into report: inout CrashReport) {
    let words = line.name.split(separator: " ").map(String.init)
    report.app.version = words.first
    report.app.build = words.first { $0.hasPrefix("(") }.map { String($0.dropFirst().dropLast()) }
    guard words.count >= 4 else { return }
    report.os.name = words[2]
    report.device.architecture =
      words[3].hasPrefix("x64") ? .x86_64 : ["arm64", "aarch64"].contains(words[3]) ? .arm64 : nil
  }

  private static func readWords(_ words: RawSpan, into report: inout CrashReport) {
    report.reason.message = words.name.cutMessage
    report.reason.type = "panic"
    let signals: [(StaticString, String)] = [
      ("Segmentation fault", "SIGSEGV"), ("Illegal instruction", "SIGILL"),
      ("Bus error", "SIGBUS"), ("Floating point error", "SIGFPE"),
    ]
    for (text, signal) in signals where words.has(text) {
      report.reason.signal = signal
      report.reason.type = nil
      report.reason.address = words.number(after: "at address ").map { Address($0) }
    }
  }
}
