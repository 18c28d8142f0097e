internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// Stacks in the logs of Unity's player and editor.
  static let unity = ReportFormat("unity")
}

extension Headline.Kind {
  /// The first line of a managed stack: `Till:Charge () (at Assets/Till.cs:85)`
  fileprivate static let unityStack = Headline.Kind("Unity stack")
  /// `========== OUTPUTTING STACK TRACE ==================`
  fileprivate static let unityCrash = Headline.Kind("Unity crash")
  /// `Obtained 12 stack frames.`
  fileprivate static let unityFrames = Headline.Kind("Unity frames")
}

/// Errors and crashes in the logs of Unity.
///
///     NullReferenceException: Object reference not set to an instance of an object
///     UnityEngine.Debug:LogError (object)
///     Till:Charge () (at Assets/Scripts/Till.cs:85)
///
///     ========== OUTPUTTING STACK TRACE ==================
///     0x00007FFE12345678 (UnityPlayer) UnityMain
///     0x0000023A5B6C7D8E (Mono JIT Code) [Till.cs:85] Till:Charge ()
///     ========== END OF STACKTRACE ===========
///
///     Obtained 2 stack frames.
///     #0  0x00007f5a3853e050 in funlockfile
///
/// The engine catches exceptions of the game and continues.
enum UnityReader: LogReader {
  static let format = ReportFormat.unity
  static let fileExtension = "log"
  static let headlines = [
    HeadlineRule(.unityCrash, "OUTPUTTING STACK TRACE") { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      guard let bar = text.part(start..<mark).find("====") else { return nil }
      return Headline.Location(start: start + bar, content: mark)
    },
    HeadlineRule(.unityFrames, " stack frames.") { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      let line = text.part(start..<mark)
      guard let words = line.findLast("Obtained ") else { return nil }
      return Headline.Location(start: start + words, content: mark)
    },
    UnityFault.headline,
    HeadlineRule(.unityStack, "UnityEngine.Debug", locate: firstLine),
    HeadlineRule(.unityStack, "(at Assets/", locate: firstLine),
  ]

  private static let firstLine: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - start < FormatLimits.nameBytes, frame(text.part(start..<end).trimmed) != nil else {
      return nil
    }
    if start > 0 {
      let before = text.part(max(0, start - FormatLimits.nameBytes)..<(start - 1))
      if frame(before.from((before.findLast(10) ?? -1) + 1).trimmed) != nil { return nil }
    }
    let blanks = text.skippingBlanks(from: start)
    return Headline.Location(start: blanks, content: blanks)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    if section.headline.kind == .unityFault { return UnityFault.report(of: section, in: text) }
    var lines = TraceLines(of: section, in: text)
    let isManaged = section.headline.kind == .unityStack
    if !isManaged { _ = lines.next(in: text) }
    var report = CrashReport(format: .unity, kind: isManaged ? .handled : .crash)
    var budget = StackBudget()
    var images: [String: Int] = [:]
    var frames: [Frame] = []
    var end = lines.position
    var others = 0
    while true {
      var ahead = lines
      guard let range = ahead.next(in: text) else { break }
      let line = text.part(range).trimmed
      if let frame = isManaged ? frame(line) : UnityNativeFrame.read(line, &images, &report) {
        if budget.takeFrame() { frames.append(frame) }
      } else {
        // Complaints about symbols may be between native frames.
        guard !isManaged, others < 64, line.byteCount == 0 || line.has("ERROR: ") else { break }
        others += 1
      }
      lines = ahead
      end = lines.position
    }
    guard !frames.isEmpty else { return nil }
    report.tags[.wrapperName] = "Unity"
    if let note = budget.note { report.notes.append(note) }
    if isManaged {
      var exception = LanguageException(frames: frames)
      section.withLineBefore(in: text).forEachLineBefore(in: text) { line in
        guard line.byteCount > 0 else { return }
        let header = ScriptHeader(line)
        exception.type = header.type
        exception.message = header.type == nil ? line.name : header.message
      }
      report.reason.exception = exception
      report.reason.type = exception.type
      report.reason.message = exception.message?.cutMessage
    } else {
      report.reason.type = "native crash"
      report.crashedThread = 0
      report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    }
    return LoggedReport(report: report, end: end)
  }

  /// `Till:Charge (int) (at Assets/Till.cs:85)`, where the location may be missing.
  private static func frame(_ line: RawSpan) -> Frame? {
    guard line.ends(with: ")"), let open = line.find(" ("), open > 2 else { return nil }
    let name = line.upTo(open)
    guard name.find(" ") == nil,
      let colon = name.findLast(UInt8(ascii: ":")) ?? name.findLast(UInt8(ascii: ".")),
      colon > 0, colon + 1 < name.byteCount
    else { return nil }
    let at = line.findLast(" (at ")
    guard at != nil || line.has("UnityEngine.") || name.byte(colon) == UInt8(ascii: ":") else {
      return nil
    }
    var frame = Frame(position: .returnAddress)
    let arguments = line.part((open + 1)..<max(open + 1, at ?? line.byteCount))
    frame.function =
      name.upTo(colon).name + "." + name.from(colon + 1).name + arguments.trimmed.name
    if let at, at > open {
      let location = SourceLocation(line.part((at + 5)..<(line.byteCount - 1)))
      if location.line != nil {
        frame.file = location.file
        frame.line = location.line
      }
    }
    return frame
  }
}
