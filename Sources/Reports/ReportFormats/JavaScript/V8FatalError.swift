internal import Bytes
internal import CrashModel
internal import Identifiers

/// A fatal error of V8, and the native stack that Node prints when it aborts:
///
///     <--- Last few GCs --->
///     FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
///     ----- Native stack trace -----
///
///      1: 0xb7a3e0 node::Abort() [node]
///      2: 00007FF7A0A5B2EF v8::internal::CodeObjectRegistry::~CodeObjectRegistry+124015     Windows
///
///     ----- JavaScript stack trace -----
///
///     1: total (/src/till.js:4:39)
///
/// Above the stack, Node 20 and later print the check that failed:
///
///       #  node[4217]: void till::Drawer::Open() at ../src/till.cc:12
///       #  Assertion failed: (coins) != nullptr
///
/// Source: node_errors.cc and debug_utils.cc of Node.
struct V8FatalError {
  private var report = CrashReport(format: .javaScript)
  private var native: [Frame] = []
  private var script: [Frame] = []
  private var images: [String: Int] = [:]
  private var budget = StackBudget()
  private var isScript = false

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var error = V8FatalError()
    let headline = section.headline
    var lines = TraceLines(of: section, in: text)
    _ = lines.next(in: text)
    error.readHeadline(headline, in: text)
    if headline.kind == .nodeNative { error.readCheck(before: section, in: text) }
    var end = lines.position
    var others = 0
    var hasHeading = headline.kind == .nodeNative
    while others < 12, let range = lines.next(in: text) {
      let line = text.part(range).trimmed
      // Another one begins.
      if line.has("-----"), line.contains("Native stack trace"), hasHeading { break }
      if line.has("-----") { hasHeading = true }
      if error.read(line, kind: headline.kind) {
        others = 0
        end = lines.position
      } else if line.byteCount > 0 {
        if !error.native.isEmpty { break }
        others += 1
      }
    }
    guard !error.native.isEmpty || headline.kind == .v8Fatal || error.report.reason.message != nil
    else {
      return nil
    }
    return LoggedReport(report: error.finished(), end: end)
  }

  private mutating func readHeadline(_ headline: Headline, in text: RawSpan) {
    let words = text.part(headline.content..<headline.line.upperBound).trimmed
    switch headline.kind {
    case .v8Fatal:
      report.reason.type = "FATAL ERROR"
      report.reason.message = words.name.cutMessage
      if words.contains("out of memory") || words.contains("Allocation failed") {
        report.kind = .oom
      }
    case .v8Check:
      report.reason.type = "Fatal error"
    default:
      report.reason.signal = "SIGABRT"
      _ = read(text.part(headline.start..<headline.line.upperBound).trimmed, kind: headline.kind)
    }
  }

  /// Reads the failed check directly above the stack.
  private mutating func readCheck(before section: ReportSection, in text: RawSpan) {
    var location: SourceLocation?
    var message: String?
    section.forEachLineBefore(in: text) { line in
      guard line.has("#  ") else {
        if line.byteCount > 0, !line.has("-----") { (location, message) = (nil, nil) }
        return
      }
      let words = line.from(3)
      if words.has("Assertion failed: ") {
        message = words.from(18).trimmed.name.cutMessage
      } else if words.contains("]: "), let at = words.findLast(" at ") {
        location = SourceLocation(words.from(at + 4).trimmed)
      }
    }
    guard let message else { return }
    report.reason.type = "Assertion failed"
    report.reason.message = message
    if let location, let file = location.file {
      report.tags[.checkLocation] = location.line.map { "\(file):\($0)" } ?? file
    }
  }

  private mutating func read(_ line: RawSpan, kind: Headline.Kind) -> Bool {
    if line.has("-----") {
      if line.contains("JavaScript stack trace") { isScript = true }
      return line.contains("stack trace")
    }
    if kind == .v8Check, line.has("#") {
      let words = line.from(1).trimmed
      if words.byteCount > 0, report.reason.message == nil {
        report.reason.message = words.name.cutMessage
      }
      return true
    }
    var index = 0
    guard line.decimal(at: &index) != nil, line.has(": ", at: index) else { return false }
    let call = line.from(index + 2).trimmed
    guard let frame = isScript ? ManagedStackText.frame("at " + call.name) : nativeFrame(call)
    else {
      return false
    }
    guard budget.takeFrame() else { return true }
    if isScript { script.append(frame) } else { native.append(frame) }
    return true
  }

  /// `0xb7a3e0 node::Abort() [node]`, `00007FF7A0A5B2EF node::Abort+23`.
  private mutating func nativeFrame(_ call: RawSpan) -> Frame? {
    var index = call.has("0x") ? 2 : 0
    guard let address = call.hexadecimalDigits(at: &index), index > 6,
      index == call.byteCount || call.byte(index).isBlank
    else { return nil }
    var frame = Frame(address: Address(address), position: .returnAddress)
    var name = call.from(index).trimmed
    if name.ends(with: "]"), let open = name.findLast(UInt8(ascii: "[")) {
      frame.image = image(name.part((open + 1)..<(name.byteCount - 1)).name)
      name = name.upTo(open).trimmed
    }
    if let plus = name.findLast(UInt8(ascii: "+")) {
      var digits = plus + 1
      let offset =
        name.has("0x", at: digits) ? name.hexadecimal(at: &digits) : name.decimal(at: &digits)
      if let offset, digits == name.byteCount {
        frame.symbolOffset = offset
        name = name.upTo(plus)
      }
    }
    if name.byteCount > 0 { frame.function = name.name }
    return frame
  }

  private mutating func image(_ path: String) -> Int? {
    guard !path.isEmpty else { return nil }
    if let known = images[path] { return known }
    guard report.images.count < FormatLimits.images else { return nil }
    let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    report.images.append(LoadedImage(name: name, path: name == path ? nil : path))
    images[path] = report.images.count - 1
    return report.images.count - 1
  }

  private consuming func finished() -> CrashReport {
    if !native.isEmpty || !script.isEmpty {
      report.crashedThread = 0
      report.threads = [CrashThread(index: 0, crashed: true, frames: native + script)]
    }
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
