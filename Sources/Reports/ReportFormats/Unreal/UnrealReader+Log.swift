internal import Bytes
internal import CrashModel
internal import Identifiers

extension Headline.Kind {
  /// `[Callstack] 0x00007ffd1c2a3b4c Tern.dll!ATill::Pay() [D:\tern\Till.cpp:20]`
  fileprivate static let unrealStack = Headline.Kind("Unreal stack")
}

/// Stacks in the logs of Unreal Engine:
///
///     LogWindows: Error: === Critical error: ===
///     LogWindows: Error:
///     LogWindows: Error: Assertion failed: Item [File:D:\tern\Till.cpp] [Line: 20]
///     LogWindows: Error:
///     LogWindows: Error: [Callstack] 0x00007ffd1c2a3b4c Tern.dll!ATill::Pay() [D:\tern\Till.cpp:20]
///     LogWindows: Error: [Callstack] 0x00007ffd2b3c4d5e KERNEL32.DLL!UnknownFunction []
///
/// On Android, and in the crash file there, `0x… libUnreal.so(0x000000000988EC7C)!ATill::Pay()  []`: the
/// offset is in parentheses. Addresses are return addresses.
///
/// Source: `FGenericPlatformStackWalk::SymbolInfoToHumanReadableString` and `FDebug` of Unreal Engine.
extension UnrealReader: LogReader {
  static let headlines = [
    HeadlineRule(.unrealStack, "[Callstack] 0", locate: firstLine),
    HeadlineRule(.unrealStack, ")!", locate: firstLine),
  ]

  /// The first line of a stack.
  private static let firstLine: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard let found = frameStart(in: text, from: start) else { return nil }
    if start > 0 {
      let limit = max(0, start - FormatLimits.nameBytes)
      let before = text.between(limit, start - 1).findLast(10).map { limit + $0 + 1 } ?? limit
      if frameStart(in: text, from: before) != nil { return nil }
    }
    return Headline.Location(start: found, content: found)
  }

  /// The start of a frame in the line from `start`, after a logger's prefix.
  private static func frameStart(in text: RawSpan, from start: Int) -> Int? {
    let end = text.find(10, from: start) ?? text.byteCount
    guard end - start < FormatLimits.nameBytes else { return nil }
    let line = text.part(start..<end)
    guard let words = line.find("[Callstack] 0") ?? line.find("0x"),
      UnrealFrame(line.from(words)) != nil
    else { return nil }
    return start + words
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var report = CrashReport(format: .unreal)
    var thread = CrashThread(index: 0, crashed: true)
    var images: [String: Int] = [:]
    var budget = StackBudget()
    func add(_ frame: UnrealFrame) {
      guard budget.takeFrame() else { return }
      thread.frames.append(frame.frame(&images, &report))
    }
    let first = text.part(section.headline.start..<section.headline.line.upperBound)
    if let frame = UnrealFrame(first.trimmed) { add(frame) }
    section.forEachLine(in: text) { whole in
      let line = withoutCategory(whole)
      guard let frame = UnrealFrame(line) else { return line.byteCount == 0 }
      add(frame)
      return true
    }
    guard !thread.frames.isEmpty else { return nil }
    if let note = budget.note { report.notes.append(note) }
    report.threads = [thread]
    report.crashedThread = 0
    report.tags[.wrapperName] = "Unreal Engine"
    if let program = program(report.images) {
      report.process.name = program
      report.app.name = program
    }
    readWords(before: section, in: text, into: &report)
    return LoggedReport(report: report)
  }

  /// Reads the reason from the lines above the stack.
  private static func readWords(
    before section: ReportSection, in text: RawSpan, into report: inout CrashReport
  ) {
    var words: [String] = []
    var isEnsure = false
    section.forEachLineBefore(in: text) { whole in
      let line = withoutCategory(whole)
      if line.contains("=== Critical error: ===") || line.contains("=== Handled ensure: ===") {
        isEnsure = line.contains("=== Handled ensure: ===")
        words = []
      } else if line.byteCount > 0, !line.contains("[Callstack]"), !line.has("Stack:"),
        !line.has("Fatal error!"), !line.has("Build ID: ")
      {
        if words.count == 16 { words.removeFirst() }
        words.append(line.name)
      }
    }
    // Any text may be above a crash's message without a headline.
    guard let start = words.lastIndex(where: { Self.isReason($0) }) else { return }
    words.removeFirst(start)
    let message = words.joined(separator: "\n").cutMessage
    report.reason.message = message
    if isEnsure || message.hasPrefix("Ensure condition failed: ") {
      report.kind = .handled
      report.reason.type = "Ensure"
    } else if message.hasPrefix("Assertion failed: ") {
      report.reason.type = "Assert"
    } else if message.hasPrefix("Unhandled Exception: ") {
      let name = String(message.dropFirst(21).prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      report.reason.type = name.isEmpty ? nil : name
      report.reason.address = address(in: message)
      if name.hasPrefix("SIG") { report.reason.signal = name }
    } else {
      report.reason.type = "Fatal error"
    }
  }

  /// The address of `EXCEPTION_ACCESS_VIOLATION reading address 0x0000000000000018`, `SIGSEGV: invalid attempt to
  /// read memory at address 0x0000000000000018`.
  private static func address(in message: String) -> Address? {
    guard let mark = message.firstRange(of: "address 0x") else { return nil }
    let digits = message[mark.upperBound...].prefix { $0.isHexDigit }
    return UInt64(digits, radix: 16).map { Address($0) }
  }

  /// The program among the modules: `Tern-Win64-Shipping.exe`, `TernEditor-Linux-Debug`.
  private static func program(_ images: [LoadedImage]) -> String? {
    if let windows = images.first(where: { $0.name.lowercased().hasSuffix(".exe") }) {
      return String(windows.name.dropLast(4))
    }
    return images.first { image in
      !image.isLibrary
        && ["-Linux-", "-LinuxArm64-", "-Mac-", "-IOS-"].contains { image.name.contains($0) }
    }?.name
  }

  /// `=== Critical error: ===` of `[2024.05.01-10.11.13:456][ 42]LogWindows: Error: === Critical error: ===`
  @_lifetime(copy line)
  private static func withoutCategory(_ line: RawSpan) -> RawSpan {
    guard let category = line.find("Log"),
      category == 0 || line.byte(category - 1) == UInt8(ascii: "]"),
      let colon = line.find(UInt8(ascii: ":"), from: category)
    else { return line }
    let rest = line.from(colon + 1).trimmed
    for level: StaticString in ["Error:", "Fatal:", "Warning:", "Display:"] where rest.has(level) {
      return rest.from(level.utf8CodeUnitCount).trimmed
    }
    return rest
  }

  private static func isReason(_ line: String) -> Bool {
    [
      "Assertion failed: ", "Ensure condition failed: ", "Unhandled Exception: ", "Fatal error: ",
      "Pure virtual function being called",
    ].contains { line.hasPrefix($0) }
  }
}

/// A line of a stack in a log of Unreal Engine.
private struct UnrealFrame {
  private let address: UInt64
  private let module: String
  private let offset: UInt64?
  private let function: String?
  private let location: SourceLocation

  /// Reads `0x00007ffd1c2a3b4c Tern.dll!ATill::Pay() [D:\tern\Till.cpp:20]`, after `[Callstack]` and perhaps a number.
  init?(_ line: RawSpan) {
    var rest = line.trimmed
    if rest.has("[Callstack] ") { rest = rest.from(12) }
    var index = 0
    if !rest.has("0x"), rest.decimal(at: &index) != nil { rest = rest.from(index).trimmed }
    index = 0
    guard rest.has("0x"), let address = rest.hexadecimal(at: &index), index >= 10,
      rest.byteOrZero(index) == 32, rest.ends(with: "]"), let mark = rest.find("!", from: index),
      let open = rest.findLast(" ["), open > mark
    else { return nil }
    self.address = address
    let module = rest.between(index + 1, mark)
    if module.ends(with: ")"), let bracket = module.findLast("(0x") {
      self.module = module.upTo(bracket).name
      var digits = bracket + 1
      offset = module.hexadecimal(at: &digits)
    } else {
      self.module = module.name
      offset = nil
    }
    let name = rest.between(mark + 1, open).trimmed
    function =
      name.byteCount == 0 || name.has("UnknownFunction") || name.has("[Unknown]()")
      ? nil : name.name
    location = SourceLocation(rest.between(open + 2, rest.byteCount - 1))
  }

  func frame(_ images: inout [String: Int], _ report: inout CrashReport) -> Frame {
    var frame = Frame(address: Address(address), position: .returnAddress, function: function)
    if location.line != nil {
      frame.file = location.file
      frame.line = location.line
    }
    if images[module] == nil, report.images.count < FormatLimits.images, !module.isEmpty {
      images[module] = report.images.count
      var image = LoadedImage(name: module)
      if let offset, offset <= address { image.base = Address(address - offset) }
      report.images.append(image)
    }
    frame.image = images[module]
    if frame.image != nil { frame.imageOffset = offset.map { ImageOffset($0) } }
    return frame
  }
}
