internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// Output of the Godot engine.
  static let godot = ReportFormat("godot")
}

extension Headline.Kind {
  /// `handle_crash: Program crashed with signal 11`, `CrashHandlerException: Program crashed`
  fileprivate static let godotCrash = Headline.Kind("Godot crash")
  /// `SCRIPT ERROR: Invalid call. …`
  fileprivate static let godotScript = Headline.Kind("Godot script error")
}

/// Crashes of the Godot engine, and errors of scripts in it:
///
///     handle_crash: Program crashed with signal 11
///     Engine version: Godot Engine v4.4.1.stable.official (49a5bc7b…)
///     Dumping the backtrace. …
///     [1] /lib/x86_64-linux-gnu/libc.so.6(+0x3bcf0) [0x7ff6e7c3bcf0] (??:0)
///     [2] /opt/tern/Tern.x86_64() [0x45e12f9] (/src/till.cpp:212)
///     [2] Till::pay (C:\src\till.cpp:212)                               on Windows
///     -- END OF BACKTRACE --
///
///     SCRIPT ERROR: Invalid call. Nonexistent function 'pay' in base 'Nil'.
///        at: Desk.open (res://desk.gd:12)
///        GDScript backtrace (most recent call first):
///            [0] open (res://desk.gd:12)
///
/// Source: `platform/*/crash_handler_*` and `core/io/logger.cpp` of Godot 3 and 4.
enum GodotReader: LogReader {
  static let format = ReportFormat.godot
  static let fileExtension = "txt"
  static let headlines = [
    HeadlineRule(.godotCrash, "handle_crash: Program crashed"),
    HeadlineRule(.godotCrash, "CrashHandlerException: Program crashed"),
    HeadlineRule(.godotScript, "SCRIPT ERROR: "),
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    let isScript = headline.kind == .godotScript
    var report = CrashReport(format: .godot, kind: isScript ? .handled : .crash)
    let words = text.between(headline.content, headline.line.upperBound).trimmed
    report.tags[.wrapperName] = "Godot"
    if isScript {
      readWords(words, into: &report)
    } else {
      report.reason.signal = words.number(after: "signal ").flatMap { UInt32(exactly: $0) }.flatMap
      {
        LinuxSignal.name($0)
      }
      if report.reason.signal == nil { report.reason.type = "crash" }
    }
    var images = NamedImages()
    var frames: [Frame] = []
    var budget = StackBudget()
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    var end = lines.position
    var others = 0
    while others < 4, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      if line.has("-- END OF") || line.has("====") && !frames.isEmpty {
        end = lines.position
        break
      }
      if let frame = frame(line, &images, isFirst: frames.isEmpty) {
        others = 0
        end = lines.position
        if budget.takeFrame() { add(frame, to: &frames) }
      } else if readFact(line, into: &report) {
        end = lines.position
      } else {
        if isScript, !frames.isEmpty || line.byteCount == 0 { break }
        others += 1
      }
    }
    if let note = budget.note { report.notes.append(note) }
    report.images = images.images
    if isScript {
      report.reason.exception = LanguageException(
        type: report.reason.type, message: report.reason.message, frames: frames)
      return frames.isEmpty ? nil : finished(report, end, lines)
    }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    let program = report.images.first { !$0.isLibrary }
    report.process.name = program?.name
    report.process.path = program?.path
    report.app.name = program?.name
    if frames.isEmpty { report.notes.append("the report has no stack") }
    return finished(report, end, lines)
  }

  private static func finished(_ report: CrashReport, _ end: Int, _ lines: TraceLines)
    -> LoggedReport
  {
    LoggedReport(report: report, end: end)
  }

  /// `Invalid call. Nonexistent function 'pay' in base 'Nil'.`
  private static func readWords(_ words: RawSpan, into report: inout CrashReport) {
    let dot = words.find(". ")
    report.reason.type = words.upTo(dot ?? words.byteCount).name
    report.reason.message = words.name.cutMessage
  }

  /// Adds a frame unless the line `at:` already gave the backtrace's first location.
  private static func add(_ frame: Frame, to frames: inout [Frame]) {
    if frames.count == 1, let first = frames.first, first.file == frame.file, first.file != nil,
      first.line == frame.line, first.image == nil
    {
      return
    }
    frames.append(frame)
  }

  private static func readFact(_ line: RawSpan, into report: inout CrashReport) -> Bool {
    if line.has("Engine version: ") {
      let words = line.from(16).name
      report.tags[.wrapperVersion] = words.split(separator: " ").first { $0.hasPrefix("v") }.map {
        String($0.dropFirst())
      }
      return true
    }
    return line.has("Dumping the backtrace") || line.contains(" backtrace (most recent call first)")
      || line.has("====")
  }

  private static func frame(
    _ line: RawSpan, _ images: inout NamedImages, isFirst: Bool
  ) -> Frame? {
    if line.has("at: ") { return named(line.from(4), isFirst: isFirst) }
    guard line.has("[") else { return nil }
    var position = 1
    guard line.decimal(at: &position) != nil, line.has("] ", at: position) else { return nil }
    var rest = line.from(position + 2).trimmed
    guard let open = rest.findLast("[0x") else {
      // macOS prints the line of `backtrace_symbols` after the number.
      if let native = NativeFrameLine(rest), native.form == .apple {
        return frame(native, &images, isFirst: isFirst)
      }
      return named(rest, isFirst: isFirst)
    }
    var location: SourceLocation?
    if rest.ends(with: ")"), let bracket = rest.findLast(" ("), bracket > open {
      location = SourceLocation(rest.part((bracket + 2)..<(rest.byteCount - 1)))
      rest = rest.upTo(bracket).trimmed
    }
    guard let native = NativeFrameLine(rest), var frame = frame(native, &images, isFirst: isFirst)
    else { return nil }
    if let location, location.line != nil {
      frame.file = location.file
      frame.line = location.line
    }
    return frame
  }

  private static func frame(
    _ line: NativeFrameLine, _ images: inout NamedImages, isFirst: Bool
  ) -> Frame? {
    var frame = Frame(
      address: line.address.map { Address($0) }, position: isFirst ? .exact : .returnAddress,
      function: line.function, symbolOffset: line.symbolOffset)
    frame.image = line.module.flatMap { images.index(of: $0) }
    frame.imageOffset = line.moduleOffset.map { ImageOffset($0) }
    if line.isUnmoved, let address = line.address {
      // A program that is not position-independent.
      frame.imageOffset = ImageOffset(address)
      if let image = frame.image { images.images[image].base = Address(0) }
    }
    if let image = frame.image, images.images[image].base == nil, let address = line.address,
      let offset = line.moduleOffset, address >= offset
    {
      images.images[image].base = Address(address - offset)
    }
    return frame
  }

  /// `Till::pay (C:\src\till.cpp:212)`, `open (res://desk.gd:12)`, `<couldn't map PC to fn name>`.
  private static func named(_ text: RawSpan, isFirst: Bool) -> Frame? {
    guard text.byteCount > 0 else { return nil }
    var frame = Frame(position: isFirst ? .exact : .returnAddress)
    var name = text.trimmed
    if name.ends(with: ")"), let open = name.findLast(" (") {
      let location = SourceLocation(name.part((open + 2)..<(name.byteCount - 1)))
      guard location.hasNumber else { return nil }
      frame.file = location.file
      frame.line = location.line
      name = name.upTo(open)
    } else if !name.has("<couldn't map") {
      return nil
    }
    if !name.has("<") { frame.function = name.name }
    return frame
  }
}
