internal import Bytes
internal import CrashModel
internal import Identifiers

extension Headline.Kind {
  /// `Tern.exe caused an Access Violation (0xc0000005)`
  static let unityFault = Headline.Kind("Unity fault")
}

/// The `error.log` of Unity's crash handler on Windows.
///
///     Unity Player [version: Unity 2022.3.10f1_ff3792e53c62]
///
///     Tern.exe caused an Access Violation (0xc0000005)
///       in module UnityPlayer.dll at 0033:6a2f1c3d.
///
///     Error occurred at 2026-05-01_101112.
///     C:\Games\Tern\Tern.exe, run by ann.
///     Read from location 0000000000000018 caused an access violation.
///
///     Context:
///     RIP:    0x00007ffd6a2f1c3d  CS:  0x00000033  EFLAGS: 0x00010246
///
///     Stack Trace of Crashed Thread 4711:
///     0x00007FFD6A2F1C3D (UnityPlayer) UnityMain
///     Stacks for Running Threads:
///
/// Source: the logs of players of Unity 4 to 2022.
struct UnityFault {
  /// The most lines of a log that are read.
  private static let lines = 4_096

  static let headline = HeadlineRule(.unityFault, " caused a") { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    let end = text.find(10, from: mark) ?? text.byteCount
    guard mark > start, mark - start < FormatLimits.prefixBytes, end - mark < 1024,
      let open = text.between(mark, end).find("(0x")
    else { return nil }
    let next = text.between(end + 1, end + 256).trimmed
    guard text.between(mark + open, end).contains(") in module ") || next.has("in module ") else {
      return nil
    }
    let name = text.between(start, mark).findLast(UInt8(ascii: " ")).map { start + $0 + 1 } ?? start
    return Headline.Location(start: name, content: mark)
  }

  private var report = CrashReport(format: .unity)
  private var code: UInt32?
  private var access: UInt64?
  private var module: String?
  private var offset: UInt64?
  private var instruction: UInt64?

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var fault = UnityFault()
    section.forEachLineBefore(in: text) { fault.readVersion($0) }
    var lines = TraceLines(of: section, in: text)
    var frames: [Frame] = []
    var images: [String: Int] = [:]
    var budget = StackBudget()
    var end = lines.position
    var isInStack = false
    for _ in 0..<Self.lines {
      guard let range = lines.next(in: text) else { break }
      let line = text.part(range).upTo(FormatLimits.nameBytes).trimmed
      if line.has("== [end of") || line.has("Stacks for Running Threads")
        || line.contains("OUTPUTTING STACK TRACE")
      {
        end = lines.position
        break
      }
      if line.has("Stack Trace of Crashed Thread") {
        isInStack = true
        fault.report.tags[.threadID] = line.number(after: "Thread ").map { String($0) }
      } else if isInStack, let frame = UnityNativeFrame.read(line, &images, &fault.report) {
        if budget.takeFrame() { frames.append(frame) }
      } else if isInStack, !frames.isEmpty, line.byteCount > 0 {
        break
      } else {
        fault.read(line)
        continue
      }
      end = lines.position
    }
    if let note = budget.note { fault.report.notes.append(note) }
    fault.finish(frames)
    return LoggedReport(report: fault.report, end: end)
  }

  /// `Unity Player [version: Unity 2022.3.10f1_ff3792e53c62]`
  private mutating func readVersion(_ line: RawSpan) {
    guard let mark = line.find("[version: Unity ") else { return }
    let rest = line.from(mark + 16)
    report.tags[.wrapperVersion] = rest.upTo(rest.find("]") ?? rest.byteCount).name
  }

  private mutating func read(_ line: RawSpan) {
    if code == nil, let mark = line.find(" caused a"), let open = line.from(mark).find("(0x") {
      report.process.name = line.upTo(mark).trimmed.name
      var index = mark + open + 1
      code = line.hexadecimal(at: &index).flatMap { UInt32(exactly: $0) }
    }
    if module == nil, let mark = line.find("in module ") {
      let rest = line.from(mark + 10)
      module = rest.upTo(rest.find(" at ") ?? rest.byteCount).trimmed.name
      if let colon = rest.findLast(UInt8(ascii: ":")) {
        var index = colon + 1
        offset = rest.hexadecimalDigits(at: &index)
      }
    } else if let mark = line.find(", run by ") {
      report.process.path = line.upTo(mark).name
    } else if line.has("Error occurred at ") {
      readTime(line.from(18))
    } else if let mark = line.find(" location "), line.contains(" caused an access violation") {
      var index = mark + 10
      report.reason.address = line.hexadecimalDigits(at: &index).map { Address($0) }
      access = line.has("Write") ? 1 : line.has("Read") ? 0 : nil
    }
    for name: StaticString in ["RIP:", "EIP:"] {
      guard instruction == nil, let mark = line.find(name) else { continue }
      var index = line.skippingBlanks(from: mark + 4)
      instruction = line.hexadecimal(at: &index)
    }
  }

  /// `2026-05-01_101112.`, without a zone.
  private mutating func readTime(_ text: RawSpan) {
    let digits = Array(text.name.utf8.prefix(17))
    guard digits.count == 17, digits[10] == UInt8(ascii: "_") else { return }
    let clock = digits[11...].map { String(decoding: [$0], as: UTF8.self) }
    guard clock.count == 6 else { return }
    let date = String(decoding: digits[..<10], as: UTF8.self)
    report.time = Timestamp(
      "\(date) \(clock[0])\(clock[1]):\(clock[2])\(clock[3]):\(clock[4])\(clock[5])")
  }

  private mutating func finish(_ frames: [Frame]) {
    var frames = frames
    report.tags[.wrapperName] = "Unity"
    report.os.name = "Windows"
    if let path = report.process.path {
      report.process.name =
        path.split(separator: #"\"#).last.map(String.init) ?? report.process.name
    }
    report.app.name = report.process.name
    if let code {
      var parameters = access.map { [$0] } ?? []
      if let address = report.reason.address, access != nil { parameters.append(address.value) }
      report.reason.type = WindowsException.name(code, parameters: parameters)
    }
    if frames.isEmpty, let module {
      // The log has only the lower half of 64 bits, except in the registers.
      var frame = Frame(position: .exact)
      frame.address = (instruction ?? offset).map { Address($0) }
      if report.images.isEmpty { report.images.append(LoadedImage(name: module)) }
      frame.image = 0
      frames = [frame]
      report.notes.append("the log has no stack")
    }
    if !frames.isEmpty, instruction.map({ frames[0].address?.value == $0 }) ?? true {
      frames[0].position = .exact
    }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
  }
}
