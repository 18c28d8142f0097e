internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// A stack as Visual Studio copies it.
  static let visualStudio = ReportFormat("visual-studio")
}

extension Headline.Kind {
  /// `Unhandled exception at 0x00007FF6A1B2C3D4 in tern.exe: 0xC0000005: Access violation …`
  fileprivate static let studioException = Headline.Kind("Visual Studio exception")
  /// `> terncore.dll!tern::Till::pay() Line 212 C++`
  fileprivate static let studioStack = Headline.Kind("Visual Studio stack")
}

/// Stacks copied from Visual Studio, with or without the text of its dialog above:
///
///     Unhandled exception at 0x00007FF81B2C3FB6 (terncore.dll) in tern.exe: 0xC0000005: Access violation reading location 0x18.
///
///     >	terncore.dll!tern::Till::pay() Line 212	C++
///      	terncore.dll!tern::Desk::open(float dt) Line 88 + 0x7 bytes	C++
///      	[Inline Frame] tern.exe!run() Line 5	C++
///      	[External Code]
///      	kernel32.dll!00007ffa1b2c257d()	Unknown
///
/// Source: the call stack window of Visual Studio 2008 to 2022.
enum VisualStudioReader: LogReader {
  static let format = ReportFormat.visualStudio
  static let fileExtension = "txt"
  static let beginsDeaths = true
  static let headlines = [
    HeadlineRule(.studioException, "nhandled exception at 0x") { text, mark, _ in
      Headline.Location(start: mark - 1, content: mark + 22)
    },
    HeadlineRule(.studioException, "xception thrown at 0x") { text, mark, lines in
      // The output window has a line of each exception that is thrown.
      var cursor = LineCursor(mark..<min(text.byteCount, mark + 4096))
      _ = cursor.next(in: text)
      for _ in 0..<6 {
        guard let range = cursor.next(in: text) else { return nil }
        if StudioFrame(text.part(range)) != nil {
          return Headline.Location(start: mark - 1, content: mark + 19)
        }
      }
      return nil
    },
    HeadlineRule(.studioStack, ") Line ", locate: firstLine),
    HeadlineRule(.studioStack, "()\tUnknown", locate: firstLine),
  ]

  private static let lineBytes = 4096

  private static let firstLine: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    // The first mark of a line decides, so that a long line is read once.
    guard mark - start < lineBytes, text.between(start, mark).find(") Line ") == nil else {
      return nil
    }
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - start < lineBytes, StudioFrame(text.between(start, end)) != nil else {
      return nil
    }
    // Unless another frame precedes it, a stack needs a second line.
    if start > 0 {
      let limit = max(0, start - lineBytes)
      let before = text.between(limit, start - 1)
      if StudioFrame(before.from((before.findLast(10) ?? -1) + 1)) != nil { return nil }
    }
    var cursor = LineCursor(min(end + 1, text.byteCount)..<text.byteCount)
    guard let next = cursor.next(in: text), StudioFrame(text.part(next)) != nil else { return nil }
    let blanks = text.skippingBlanks(from: start)
    return Headline.Location(start: blanks, content: blanks)
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var report = CrashReport(format: .visualStudio)
    var images = NamedImages()
    var frames: [Frame] = []
    var budget = StackBudget()
    var top: Frame?
    let headline = section.headline
    var lines = TraceLines(of: section, in: text)
    if headline.kind == .studioException {
      top = readException(
        text.between(headline.content, headline.line.upperBound).trimmed, &images, &report)
      _ = lines.next(in: text)
    }
    var end = lines.position
    var others = 0
    while others < 6, let range = lines.next(in: text) {
      let line = text.part(range).upTo(FormatLimits.nameBytes)
      if let frame = StudioFrame(line) {
        others = 0
        end = lines.position
        guard budget.takeFrame(), let result = frame.frame(&images, isFirst: frames.isEmpty) else {
          continue
        }
        frames.append(result)
      } else {
        if !frames.isEmpty { break }
        others += 1
      }
    }
    if frames.isEmpty, let top { frames = [top] }
    guard !frames.isEmpty || report.reason.type != nil else { return nil }
    report.os.name = "Windows"
    report.images = images.images
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    if let program = report.images.first(where: { $0.name.lowercased().hasSuffix(".exe") }),
      report.process.name == nil
    {
      report.process.name = program.name
      report.app.name = program.name
    }
    if let note = budget.note { report.notes.append(note) }
    return LoggedReport(report: report, end: min(end, text.byteCount))
  }

  /// `0x00007FF81B2C3FB6 (terncore.dll) in tern.exe: 0xC0000005: Access violation reading location 0x18.`
  private static func readException(
    _ line: RawSpan, _ images: inout NamedImages, _ report: inout CrashReport
  ) -> Frame? {
    var position = 0
    guard let address = line.hexadecimal(at: &position) else { return nil }
    var frame = Frame(address: Address(address), position: .exact)
    if line.has(" (", at: position), let close = line.find(")", from: position) {
      frame.image = images.index(of: line.between(position + 2, close).name)
    }
    guard let mark = line.find(" in ", from: position), let colon = line.find(": ", from: mark)
    else { return frame }
    let program = line.between(mark + 4, colon).name
    report.process.name = program
    report.app.name = program
    if frame.image == nil { frame.image = images.index(of: program) }
    var rest = line.from(colon + 2)
    position = 0
    if let code = rest.hexadecimal(at: &position).flatMap({ UInt32(exactly: $0) }) {
      report.reason.type = WindowsException.name(code, parameters: [])
      rest = rest.from(position + 1).trimmed
    }
    report.reason.address = rest.number(after: " location ").map { Address($0) }
    if rest.contains("Microsoft C++ exception: "), let type = rest.find("exception: ") {
      let name = rest.from(type + 11)
      let end = name.find(" at memory") ?? name.byteCount
      report.reason.exception = LanguageException(type: name.upTo(end).name)
    }
    let words = rest.ends(with: ".") ? rest.upTo(rest.byteCount - 1) : rest
    if words.byteCount > 0 { report.reason.message = words.name.cutMessage }
    return frame
  }
}

/// A line of the call stack window.
private struct StudioFrame {
  private let module: String?
  private var function: String?
  private var location: SourceLocation?
  private var address: UInt64?
  private let isInlined: Bool

  /// - Parameter whole: `>     terncore.dll!tern::Till::pay() Line 212 C++`, with any text before it.
  init?(_ whole: RawSpan) {
    var line = whole.trimmed
    if line.has(">") { line = line.from(1).trimmed }
    if line.has("[External Code]") || line.has("[Frames below may be incorrect")
      || line.has("[Frames may be missing")
    {
      module = nil
      isInlined = false
      return
    }
    isInlined = line.has("[Inline Frame] ")
    if isInlined { line = line.from(15) }
    guard let mark = line.find(UInt8(ascii: "!")), mark > 2, mark < 260,
      Self.isModule(line.upTo(mark))
    else { return nil }
    module = line.upTo(mark).name
    var rest = line.from(mark + 1)
    if let tab = rest.findLast(9) { rest = rest.upTo(tab).trimmed }
    for language: StaticString in ["  C++", "  C#", "  C", "  Unknown", "  Basic", "  F#"]
    where rest.ends(with: language) {
      rest = rest.upTo(rest.byteCount - language.utf8CodeUnitCount).trimmed
    }
    if let at = rest.findLast(" Line ") {
      var digits = at + 6
      let number = rest.decimal(at: &digits).flatMap { Int(exactly: $0) }
      guard let number else { return nil }
      var source = SourceLocation(file: "")
      source.line = number
      if let file = rest.find(" at ", from: digits) {
        source = SourceLocation(file: rest.from(file + 4).trimmed.name)
        source.line = number
      }
      location = source
      rest = rest.upTo(at).trimmed
    } else if let plus = rest.findLast(" + 0x") {
      rest = rest.upTo(plus).trimmed
    }
    guard rest.byteCount > 0 else { return nil }
    var position = 0
    if let number = rest.hexadecimalDigits(at: &position), position >= 8,
      rest.has("()", at: position)
    {
      address = number
    } else {
      function = rest.name
    }
  }

  /// Module names have an extension and no code characters.
  private static func isModule(_ text: RawSpan) -> Bool {
    for byte: UInt8 in [UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: ":"), 9]
    where text.find(byte) != nil { return false }
    guard let dot = text.findLast(UInt8(ascii: ".")) else { return false }
    return text.byteCount - dot <= 5
  }

  func frame(_ images: inout NamedImages, isFirst: Bool) -> Frame? {
    guard let module else { return nil }
    var frame = Frame(
      address: address.map { Address($0) }, position: isFirst ? .exact : .returnAddress,
      function: function, inlined: isInlined)
    frame.image = images.index(of: module)
    if let location {
      frame.file = location.file.flatMap { $0.isEmpty ? nil : $0 }
      frame.line = location.line
    }
    return frame
  }
}
