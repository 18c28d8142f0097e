internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report line by line.
struct DartParser {
  private var report = CrashReport(format: .dart)
  private var exception = LanguageException()
  private var message: [String] = []
  private var base: UInt64?
  private var buildID: CodeID?
  private var budget = StackBudget()
  private var isObfuscated = false
  private var emptyLines = 0
  /// Whether the text of Flutter's box is being read.
  private var isBox = false

  mutating func addMessage(_ line: RawSpan) {
    guard message.count < 256 else { return }
    message.append(line.name)
  }

  /// The lines before a stack: the exception, Flutter's box around it, the head of an obfuscated stack.
  mutating func readBefore(_ section: ReportSection, in text: RawSpan) {
    section.forEachLineBefore(in: text) { line in
      if line.contains("EXCEPTION CAUGHT BY ") {
        message = []
        isBox = true
        report.kind = .handled
      } else if line.has("When the exception was thrown") || line.has("***") {
        return
      } else if isBox {
        if line.has("The following "), line.contains(" was thrown") {
          let words = line.from(14)
          exception.type = words.upTo(words.find(" was thrown") ?? 0).name
          message = []
        } else if line.has("The relevant error-causing widget") || line.has("Either the assertion")
        {
          isBox = false
        } else if line.byteCount > 0 {
          addMessage(line)
        }
      } else if !readHead(line), line.byteCount > 0 {
        if line.has("Non-fatal Exception: ") { report.kind = .handled }
        message = [line.name]
      }
    }
    if isBox || exception.type != nil { return }
    // Text of another program.
    if let words = message.first, ScriptHeader(ByteView(words.utf8).bytes).type == nil,
      !words.contains("xception: ")
    {
      message = []
    }
  }

  /// A line of the head of an obfuscated stack.
  private mutating func readHead(_ line: RawSpan) -> Bool {
    if line.has("pid: ") {
      report.process.pid = line.number(after: "pid: ").flatMap { Int(exactly: $0) }
      if let name = line.find("name ") { report.tags[.threadName] = line.from(name + 5).name }
      return true
    }
    if line.has("os: ") {
      let words = line.name.split(separator: " ").map(String.init)
      if words.count > 3 {
        report.os.name =
          [
            "android": "Android", "ios": "iOS", "macos": "macOS", "linux": "Linux",
            "windows": "Windows",
          ][words[1]] ?? words[1]
        report.device.architecture =
          switch words[3] {
          case "x64": .x86_64
          case "arm": .armv7
          case "ia32": .i386
          default: Architecture(words[3])
          }
      }
      return true
    }
    if line.has("build_id: ") || line.has("BuildId: ") {
      let text = line.from(line.has("B") ? 9 : 10).name
      buildID = CodeID(text.filter { $0.isHexDigit })
      isObfuscated = true
      return true
    }
    if line.has("isolate_dso_base: ") {
      var index = 18
      base = line.hexadecimalDigits(at: &index)
      isObfuscated = true
      return true
    }
    return line.has("isolate_instructions: ") || line.has("loading_unit: ")
  }

  mutating func read(_ line: RawSpan) -> Bool {
    guard line.byteCount > 0 else {
      emptyLines += 1
      return exception.frames.isEmpty && emptyLines < 4
    }
    if let parsed = DartLine(line) {
      guard budget.takeFrame() else { return true }
      var frame = parsed.frame
      if frame.address != nil || parsed.virtual != nil || frame.symbol != nil {
        isObfuscated = true
        if let offset = parsed.virtual {
          frame.imageOffset = ImageOffset(offset)
        } else if let base, let address = frame.address, address.value >= base {
          frame.imageOffset = ImageOffset(address.value - base)
        }
        frame.image = 0
        // The symbol for all code of the program is useless if the offset is known.
        if frame.imageOffset != nil {
          frame.symbol = nil
          frame.symbolOffset = nil
        }
      }
      exception.frames.append(frame)
      return true
    }
    if line.has("<asynchronous suspension>") || line.has("(elided ")
      || line.has("...") && !exception.frames.isEmpty
    {
      return true
    }
    // The base of another stack: it is a headline of its own.
    if line.has("isolate_dso_base: "), base != nil { return false }
    if line.has("***") || readHead(line) { return exception.frames.isEmpty }
    guard exception.frames.isEmpty, message.count < 256 else { return false }
    addMessage(line)
    return true
  }

  consuming func finished() -> CrashReport? {
    guard !exception.frames.isEmpty else { return nil }
    if isObfuscated, exception.frames.contains(where: { $0.image != nil }) {
      var image = LoadedImage(
        name: report.os.name == "iOS" || report.os.name == "macOS" ? "App" : "libapp.so")
      image.base = base.map { Address($0) }
      image.architecture = report.device.architecture
      image.codeID = buildID
      image.debugID = buildID.map { DebugID(buildID: $0.bytes) }
      report.images = [image]
    } else {
      for index in exception.frames.indices { exception.frames[index].image = nil }
    }
    var words = message.joined(separator: "\n")
    for prefix in ["Non-fatal Exception: ", "Fatal Exception: "] where words.hasPrefix(prefix) {
      words = String(words.dropFirst(prefix.count))
    }
    if exception.type == nil {
      let bytes = ByteView(words.utf8).bytes
      let header = ScriptHeader(bytes)
      exception.type = header.type
      exception.message = header.message
    } else {
      exception.message = words.isEmpty ? nil : words
    }
    report.reason.exception = exception
    report.reason.type = exception.type
    report.reason.message = exception.message?.cutMessage
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
