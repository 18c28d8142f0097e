internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a stack trace of Crashlytics line by line.
struct CrashlyticsParser {
  private enum Block { case head, exception, thread }

  private var report = CrashReport(format: .crashlytics)
  private var images = NamedImages()
  private var androidImages = AndroidImages()
  private var chain: [LanguageException] = []
  private var block = Block.head
  private var budget = StackBudget()
  private var isApple = false
  /// The first byte of the lines with calls of Java, if it is a blank or a tab.
  private var indentation: UInt8?
  private var wantsMessage = false
  private var wantsReason = false
  /// Whether the report has ended.
  private(set) var isOver = false
  /// A line that heads a thread if frames follow.
  private var heading: String?

  /// Reads a line; returns whether it belongs to the report.
  mutating func read(_ whole: RawSpan) -> Bool {
    let line = whole.trimmed
    if line.byteCount == 0 {
      wantsMessage = false
      return true
    }
    if line.has("# ") { return readHead(line.from(2)) }
    if line.has("Fatal Exception: ") || line.has("Non-fatal Exception: ")
      || line.has("Caused by ") || line.has("Caused by: ")
    {
      readException(line)
      return true
    }
    if line.has("Crashed: ") {
      begin(line.from(9).name, crashed: true)
      wantsReason = true
      return true
    }
    if isOwn(whole), let frame = frame(line) {
      add(frame)
      return true
    }
    if wantsMessage, let last = chain.indices.last {
      chain[last].message = [chain[last].message, line.name].compactMap { $0 }.joined(
        separator: "\n")
      return true
    }
    if wantsReason, line.has("EXC_") || line.has("SIG") {
      readReason(line)
      return true
    }
    // `com.apple.main-thread`, `Thread #2`, `DefaultDispatcher-worker-1:`; frames follow immediately.
    guard line.byteCount < 256, heading == nil else {
      isOver = true
      return false
    }
    let name = line.ends(with: ":") ? line.upTo(line.byteCount - 1) : line
    heading = name.name
    return false
  }

  // MARK: The head

  private mutating func readHead(_ line: RawSpan) -> Bool {
    guard let colon = line.find(": ") else { return true }
    let value = line.from(colon + 2).trimmed.name
    switch line.upTo(colon).name {
    case "Application":
      report.app.identifier = value
      report.app.name = value.split(separator: ".").last.map(String.init)
      report.process.name = value
    case "Platform":
      isApple = value == "apple" || value == "ios"
      report.os.name = isApple ? nil : value == "android" ? "Android" : value
    case "Version":
      let words = value.split(separator: " ", maxSplits: 1)
      report.app.version = words.first.map(String.init)
      if words.count > 1 {
        report.app.build = String(words[1].drop { $0 == "(" }.prefix { $0 != ")" })
      }
    case "Issue": report.properties["crashlytics.issue"] = value
    case "Session":
      report.tags[.session] = value
      report.incident = value
    case "Date": report.time = Self.time(value)
    default: break
    }
    return true
  }

  /// `Wed Apr 16 2025 20:54:21 GMT+0700 (Indochina Time)`.
  private static func time(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    guard words.count >= 6, let month = months.firstIndex(of: String(words[1])),
      let day = Int(words[2]), let year = Int(words[3])
    else { return Timestamp(text) }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3 else { return nil }
    var zone = 0
    let digits = words[5].dropFirst(3)
    if let sign = digits.first, let number = Int(digits.dropFirst()), number < 2400 {
      zone = (number / 100 * 60 + number % 100) * (sign == "-" ? -1 : 1)
    }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2],
      zone: zone)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  // MARK: Exceptions

  /// `Fatal Exception: java.lang.IllegalStateException: no till`, `Caused by java.lang.Error: x`.
  private mutating func readException(_ line: RawSpan) {
    if line.has("Non-fatal ") { report.kind = .handled }
    let start: Int
    if line.has("Caused by: ") {
      start = 11
    } else if line.has("Caused by ") {
      start = 10
    } else {
      start = (line.find(": ") ?? 0) + 2
    }
    let words = line.from(start).trimmed
    let colon = words.find(": ")
    guard budget.takeException() else { return }
    chain.append(
      LanguageException(
        type: words.upTo(colon ?? words.byteCount).name,
        message: colon.map { words.from($0 + 2).name }))
    block = .exception
    // Apple's exceptions have it in the line below.
    wantsMessage = colon == nil || !isApple
    heading = nil
  }

  /// `EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000018`, `SIGABRT ABORT 0x00000001b9c4fe4c`.
  private mutating func readReason(_ line: RawSpan) {
    wantsReason = false
    let words = line.name.split(separator: " ").map(String.init)
    guard let first = words.first else { return }
    if first.hasPrefix("SIG") { report.reason.signal = first } else { report.reason.type = first }
    for word in words.dropFirst() {
      if word.hasPrefix("0x") {
        let isFault = first == "EXC_BAD_ACCESS" || first == "SIGSEGV" || first == "SIGBUS"
        if isFault {
          report.reason.address = UInt64(word.dropFirst(2), radix: 16).map { Address($0) }
        }
      } else {
        report.reason.code = word
      }
    }
  }

  // MARK: Stacks

  private mutating func begin(_ name: String, crashed: Bool) {
    block = .thread
    heading = nil
    wantsMessage = false
    guard report.threads.count < FormatLimits.stacks else { return }
    var thread = CrashThread(index: report.threads.count, name: name)
    if crashed, report.crashedThread == nil {
      thread.crashed = true
      report.crashedThread = report.threads.count
    }
    report.threads.append(thread)
  }

  private mutating func add(_ frame: Frame) {
    wantsMessage = false
    wantsReason = false
    if let heading { begin(heading, crashed: false) }
    guard budget.takeFrame() else { return }
    if block == .exception, let last = chain.indices.last {
      chain[last].frames.append(frame)
      return
    }
    if report.threads.isEmpty { begin("", crashed: true) }
    let last = report.threads.count - 1
    var frame = frame
    if report.threads[last].frames.isEmpty, frame.image != nil { frame.position = .exact }
    report.threads[last].frames.append(frame)
  }

  /// Whether a frame in `line` belongs to this report: of its platform, and indented as those before.
  private mutating func isOwn(_ line: RawSpan) -> Bool {
    guard line.trimmed.has("at ") else { return true }
    guard !isApple else { return false }
    let indentation = line.byte(0).isBlank ? line.byte(0) : 0
    if self.indentation == nil { self.indentation = indentation }
    return self.indentation == indentation
  }

  private mutating func frame(_ line: RawSpan) -> Frame? {
    if line.has("at ") { return Frame(art: line) ?? JavaCall.frame(line) }
    if line.has("#"), let native = AndroidFrameLine(line) {
      var frame = native.frame(in: &androidImages, isFirst: false)
      // Both lists become one.
      frame.image = native.path.flatMap { images.index(of: $0) }
      if let index = frame.image, let id = native.buildID.flatMap({ CodeID($0) }) {
        images.images[index].codeID = id
        images.images[index].debugID = DebugID(buildID: id.bytes)
      }
      return frame
    }
    guard line.byte(0).isDigit, let apple = AppleFrameLine(line), let number = apple.address else {
      return nil
    }
    var frame = Frame(position: .returnAddress)
    let name = line.part(apple.image).name
    frame.image = name.hasPrefix("???") ? nil : images.index(of: name)
    if frame.image != nil {
      frame.imageOffset = ImageOffset(number)
    } else {
      frame.address = Address(number)
    }
    if let symbol = apple.symbol, !line.part(symbol).has("(Missing)") {
      frame.function = line.part(symbol).trimmed.name
    }
    frame.file = apple.file.map { line.part($0).name }
    frame.line = apple.line
    // With a location, the number after the name is the line.
    if frame.file == nil { frame.symbolOffset = apple.symbolOffset }
    frame.inlined = apple.isInlined
    return frame
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    report.images = images.images
    if let exception = LanguageException.chain(chain) {
      report.reason.exception = exception
      report.reason.type = report.reason.type ?? exception.type
      report.reason.message = exception.message?.cutMessage
    }
    guard !chain.isEmpty || report.threads.contains(where: { !$0.frames.isEmpty }) else {
      return nil
    }
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
