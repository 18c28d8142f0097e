internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses an error of Valgrind line by line.
struct ValgrindParser {
  private var report = CrashReport(format: .valgrind)
  private var images = NamedImages()
  private var stacks: [NamedStack] = []
  private var title = ""
  private var thread: (number: Int, name: String?)?
  private var isDeath = false
  private var isBlank = false
  private var budget = StackBudget()

  var hasStack: Bool { stacks.first?.frames.isEmpty == false }

  init(_ heading: RawSpan) {
    readHeading(heading)
  }

  private mutating func readHeading(_ heading: RawSpan) {
    if heading.has("Process terminating with ") {
      isDeath = true
      if let open = heading.find("("), let close = heading.find(")", from: open) {
        report.reason.signal = heading.between(open + 1, close).name
      }
      return
    }
    report.reason.message = heading.name.cutMessage
    report.reason.type = Self.type(heading)
    if heading.contains(" lost in loss record ") || heading.contains(" reachable in loss record ") {
      report.tags[.leak] = heading.name
    }
    if heading.contains(" at 0x") {
      report.reason.address = heading.number(after: " at ").map { Address($0) }
    }
  }

  /// The text without sizes and addresses.
  private static func type(_ heading: RawSpan) -> String {
    if heading.contains(" definitely lost ") || heading.contains(" lost in loss record ") {
      return "leak"
    }
    var end = heading.byteCount
    for words: StaticString in [" of size ", " during ", "("] {
      if let found = heading.find(words), found > 4 { end = min(end, found) }
    }
    return heading.upTo(end).trimmed.name
  }

  // MARK: The process

  mutating func setProcess(_ pid: UInt64?, commandIn text: RawSpan) {
    report.process.pid = pid.flatMap { Int(exactly: $0) }
    let head = text.upTo(64 << 10)
    guard let mark = head.find("== Command: ") else { return }
    let rest = head.from(mark + 12)
    let line = rest.upTo(rest.find(10) ?? rest.byteCount).trimmed
    let path = line.upTo(line.find(32) ?? line.byteCount).name
    report.process.name = path.split(separator: "/").last.map(String.init)
    if path.hasPrefix("/") { report.process.path = path }
    report.app.name = report.process.name
  }

  /// `==42== Thread 2 worker:`.
  mutating func readBefore(_ line: RawSpan) {
    guard let mark = line.find("== Thread "), line.trimmed.ends(with: ":") else { return }
    var position = mark + 10
    guard let number = line.decimal(at: &position).flatMap({ Int(exactly: $0) }) else { return }
    let name = line.from(position).trimmed
    thread = (number, name.byteCount > 1 ? name.upTo(name.byteCount - 1).name : nil)
  }

  // MARK: Lines

  /// - Parameter line: The line after the process's number.
  /// - Returns: Whether it belongs to the error.
  mutating func take(_ line: RawSpan) -> Bool {
    let words = line.trimmed
    if words.byteCount == 0 {
      isBlank = true
      return true
    }
    if line.has("    at ") || line.has("    by ") || line.has("   at ") || line.has("   by ") {
      guard !isBlank || !title.isEmpty else { return false }
      return readFrame(words)
    }
    if isBlank, !line.has("  ") {
      // The end of the program, or the other half of a race.
      if words.has("Process terminating with "), !isDeath, !stacks.isEmpty {
        isBlank = false
        isDeath = true
        if let open = words.find("("), let close = words.find(")", from: open) {
          report.reason.signal = words.between(open + 1, close).name
        }
        title = ""
        return true
      }
      guard words.has("This conflicts with ") else { return false }
    }
    isBlank = false
    if let mark = words.find("at address 0x") {
      report.reason.address = words.from(mark).number(after: "address ").map { Address($0) }
    } else if words.has("Address 0x"), report.reason.address == nil {
      report.reason.address = words.number(after: "Address ").map { Address($0) }
    } else if words.has("Bad permissions") || words.has("General Protection") {
      report.reason.code = words.name
    }
    title = words.name
    return true
  }

  /// `at 0x402B006: tern::Till::pay(int) (till.cc:171)`, `by 0x4028F10: main (in /opt/tern/tern)`.
  private mutating func readFrame(_ words: RawSpan) -> Bool {
    var position = 3
    guard let address = words.hexadecimal(at: &position), words.has(":", at: position) else {
      return false
    }
    let isFirst = words.has("at ")
    if isFirst {
      guard stacks.count < FormatLimits.stacks else { return true }
      stacks.append(NamedStack(title: title, frames: []))
      title = ""
      isBlank = false
    }
    guard let stack = stacks.indices.last, budget.takeFrame() else { return true }
    var frame = Frame(address: Address(address), position: isFirst ? .exact : .adjusted)
    var name = words.from(position + 1).trimmed
    if name.ends(with: ")"), let open = name.findLast(" (") {
      let inside = name.part((open + 2)..<(name.byteCount - 1))
      let location = SourceLocation(inside)
      if inside.has("in ") {
        frame.image = images.index(of: inside.from(3).name)
        name = name.upTo(open)
      } else if location.hasNumber {
        frame.file = location.file
        frame.line = location.line
        name = name.upTo(open)
      }
    }
    if !name.has("???") { frame.function = name.trimmed.name }
    stacks[stack].frames.append(frame)
    return true
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    guard let first = stacks.first, !first.frames.isEmpty else { return nil }
    // The program continues after an error.
    report.kind = isDeath ? .crash : .handled
    if isDeath, report.reason.message != nil, stacks.count > 1 {
      // The error and the end are at the same location.
      let functions = first.frames.map(\.function)
      if let same = stacks.indices.dropFirst().first(where: {
        stacks[$0].frames.map(\.function) == functions
      }) {
        stacks.remove(at: same)
      }
    }
    let name = thread?.name
    report.threads = [
      CrashThread(
        index: thread?.number ?? 0, name: name, crashed: true, frames: first.frames)
    ]
    report.crashedThread = 0
    report.otherStacks = Array(stacks.dropFirst())
    report.images = images.images
    report.os.name = "Linux"
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
