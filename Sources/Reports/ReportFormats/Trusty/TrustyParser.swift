internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report of Trusty line by line.
struct TrustyParser {
  private static let system = "Trusty"

  private var report = CrashReport(format: .trusty)
  private let thread: String
  private var kernelFrames: [Frame] = []
  private var appFrames: [Frame] = []
  private var leftOut = 0
  /// Lines since the last frame.
  private var others = 0
  private(set) var isComplete = false

  var hasFrames: Bool { !kernelFrames.isEmpty || !appFrames.isEmpty }

  init(thread: String) {
    self.thread = thread
    report.os.name = Self.system
  }

  /// Reads a line after the headline.
  mutating func readFrameOrEnd(_ line: RawSpan) {
    others += 1
    if line.has("(app: ") {
      report.process.name = line.between(6, line.find(")") ?? line.byteCount).name
    } else if line.has("kSP+0x") || line.has("uSP+0x") {
      readFrame(line)
      others = 0
    } else if line.has("panic (caller "), let end = line.find("): ") {
      report.reason.message = line.from(end + 3).trimmed.name
      isComplete = true
    } else if hasFrames, others > 4 {
      isComplete = true
    }
  }

  /// `uSP+0x01d0: 0x000000000001b048 in fe_invert crypto/internal.h:845`; `in lk.elf` for an address without
  /// a name.
  private mutating func readFrame(_ line: RawSpan) {
    guard let colon = line.find(": "), line.from(colon + 2).has("0x") else { return }
    var position = colon + 2
    let address = line.hexadecimal(at: &position)
    // A stack ends with a return to 0.
    if address == 0 { return }
    guard kernelFrames.count + appFrames.count < FormatLimits.framesPerStack else {
      leftOut += 1
      return
    }
    let isKernel = line.byteOrZero(0) == UInt8(ascii: "k")
    let isFirst = isKernel ? kernelFrames.isEmpty : appFrames.isEmpty
    var frame = Frame(
      address: address.map { Address($0) },
      position: isFirst && !isKernel ? .exact : .returnAddress)
    if let mark = line.find(" in ") { readLocation(line.from(mark + 4).trimmed, of: &frame) }
    if isKernel { kernelFrames.append(frame) } else { appFrames.append(frame) }
  }

  private mutating func readLocation(_ text: RawSpan, of frame: inout Frame) {
    guard let blank = text.findLast(" ") else {
      frame.image = image(named: text.name)
      return
    }
    frame.function = text.upTo(blank).trimmed.name
    var location = text.from(blank + 1)
    if location.ends(with: ":?") { location = location.upTo(location.byteCount - 2) }
    let source = SourceLocation(location)
    // The linker's own object is not a source file.
    guard source.file?.hasSuffix(".o") == false else { return }
    frame.file = source.file
    frame.line = source.line
  }

  private mutating func image(named name: String) -> Int? {
    if let known = report.images.firstIndex(where: { $0.name == name }) { return known }
    guard report.images.count < FormatLimits.images else { return nil }
    report.images.append(LoadedImage(name: name))
    return report.images.count - 1
  }

  /// Reads a line before the headline; the last of each kind counts.
  mutating func readCause(_ line: RawSpan) {
    if let found = line.find("data fault "), let end = line.from(found).find(", PC at ") {
      let words = line.between(found, found + end)
      let address = words.findLast(" 0x").flatMap { at in
        var position = at + 1
        return words.hexadecimal(at: &position)
      }
      report.reason.type =
        words.upTo(words.find(" to 0x") ?? words.find(" from 0x") ?? words.byteCount).name
      report.reason.address = address.map { Address($0) }
    } else if let found = line.find("fault code "), let colon = line.from(found).find(": ") {
      report.reason.code = line.from(found + colon + 2).trimmed.name
    } else if line.has("app: ") {
      report.process.name = report.process.name ?? line.from(5).trimmed.name
    } else if let found = line.find("trusty version Project: ") {
      let parts = line.from(found + 24).name.split(separator: ",")
      report.os.version = parts.first.map(String.init)
      report.os.build = parts.dropFirst().first.flatMap { part in
        part.hasPrefix(" Build: ") ? String(part.dropFirst(8)) : nil
      }
    }
  }

  consuming func finished() -> CrashReport {
    let died = appFrames.isEmpty ? kernelFrames : appFrames
    report.threads = [CrashThread(index: 0, name: thread, crashed: true, frames: died)]
    report.crashedThread = 0
    if !appFrames.isEmpty, !kernelFrames.isEmpty {
      report.otherStacks = [NamedStack(title: "kernel", frames: kernelFrames)]
    }
    if report.process.name == nil { report.process.name = "kernel" }
    report.app.name = appFrames.isEmpty ? Self.system : report.process.name
    if report.reason.type == nil {
      report.reason.type = appFrames.isEmpty ? "panic" : "crash of a trusted app"
    }
    if leftOut > 0 { report.notes.append("\(leftOut) frames beyond a limit were left out") }
    return report
  }
}
