import Bytes
import CrashModel
import Identifiers

/// A report at one of its stages, printed for a reader: each fact once, what is missing not at all.
///
/// The printer belongs to the tests, so that changes to the commands' output do not affect it. A test checks
/// that no member of the model is forgotten.
struct StagePrinter {
  var lines: [String] = []

  /// Without trailing spaces and trailing empty lines.
  var text: String {
    let trimmed = lines.joined(separator: "\n").split(
      separator: "\n", omittingEmptySubsequences: false
    ).map { line in line.lastIndex { $0 != " " }.map { line[...$0] } ?? "" }
    let end = trimmed.lastIndex { !$0.isEmpty } ?? -1
    return trimmed.prefix(end + 1).map { $0 + "\n" }.joined()
  }

  private mutating func fact(_ name: String, _ values: String?...) {
    let given = values.compactMap(\.self)
    guard !given.isEmpty else { return }
    lines.append(Self.padded(name, 11) + given.joined(separator: ", "))
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 1))
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\n", with: "\\n").replacing("\r", with: "\\r") + "\""
  }

  // MARK: Parsed facts

  /// Everything that a reader found.
  mutating func printParsed(_ report: CrashReport) {
    fact("format", report.format.description, report.kind.rawValue)
    printHead(report)
    for (exception, title) in Self.exceptions(of: report) {
      lines += ["", title]
      printFrames(exception.frames, of: report)
    }
    for (index, thread) in report.threads.enumerated() {
      printHead(of: thread, isCrashed: report.crashedThread == index)
      printFrames(thread.frames, of: report)
    }
    for stack in report.otherStacks {
      lines += ["", "stack " + Self.quoted(stack.title)]
      printFrames(stack.frames, of: report)
    }
    printImages(report.images, "images")
    printImages(report.unloadedImages, "unloaded images")
  }

  private mutating func printHead(_ report: CrashReport) {
    fact("incident", report.incident)
    fact(
      "app", report.app.name, report.app.identifier, report.app.version.map { "version \($0)" },
      report.app.build.map { "build \($0)" })
    fact("time", report.time?.description)
    fact("install", report.install)
    fact("user", report.user)
    fact("os", report.os.name, report.os.version, report.os.build.map { "build \($0)" })
    fact("device", report.device.model, report.device.architecture?.description)
    fact(
      "process", report.process.name, report.process.pid.map { "pid \($0)" }, report.process.path,
      report.process.uptime.map { "up \($0) s" })
    fact(
      "reason", report.reason.type, report.reason.signal, report.reason.code,
      report.reason.address.map { "at \($0)" })
    fact("message", report.reason.message.map(Self.quoted))
    if let fault = report.reason.fault { printFault(fault) }
    for (name, value) in report.tags.sorted(by: { $0.key < $1.key }) {
      fact("tag", "\(name)=\(value)")
    }
    for (name, value) in report.properties.sorted(by: { $0.key < $1.key }) {
      fact("property", "\(name)=\(value)")
    }
    for file in report.attachments {
      fact("attachment", file.name, file.contentType, "\(file.size) bytes", file.digest)
    }
    for crumb in report.breadcrumbs {
      let properties = crumb.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      fact("before", crumb.time.description, crumb.name, properties.joined(separator: " "))
    }
    if let memory = report.memory {
      let bytes = memory.regions.reduce(0) { $0 + $1.bytes.count }
      fact("memory", "\(bytes) bytes in \(memory.regions.count) regions")
      if !memory.mappings.isEmpty { fact("mappings", String(memory.mappings.count)) }
    }
    if let dump = report.dump, dump != DumpDetails() {
      fact("handles", String(dump.handles.count), "limits", String(dump.limits.count))
      for note in dump.libraryNotes { fact("library", note.module, Self.quoted(note.message)) }
    }
    for note in report.notes { fact("note", note) }
  }

  private mutating func printFault(_ fault: Fault) {
    fact("fault", fault.kind?.rawValue, Self.quoted(fault.summary))
    fact("failed", fault.instruction, fault.address.map { "at \($0)" })
    for access in fault.accesses {
      fact(
        "access", access.kind.rawValue, access.size.map { "\($0) bytes" }, "at \(access.address)",
        access.operand, access.isGuardPage ? "guard page" : nil)
    }
    for flip in fault.bitFlips {
      let marks = [
        flip.wasNonCanonical ? "was not canonical" : nil, flip.isNull ? "null" : nil,
        flip.wasLow ? "was low" : nil, flip.hasPoison ? "poison" : nil,
        flip.nearbyRegisters > 0 ? "near \(flip.nearbyRegisters) registers" : nil,
      ]
      fact(
        "bit flip", "\(flip.address)", flip.register, "\(flip.confidence)",
        marks.compactMap(\.self).joined(separator: " "))
    }
  }

  /// The exception and those that led to it, each with its heading.
  private static func exceptions(of report: CrashReport) -> [(LanguageException, title: String)] {
    func chain(_ exception: LanguageException, _ word: String) -> [(LanguageException, String)] {
      let facts = [exception.type ?? "?", exception.message.map(quoted)].compactMap(\.self)
      return [(exception, word + " " + facts.joined(separator: ", "))]
        + exception.inner.flatMap { chain($0, "caused by") }
    }
    return report.reason.exception.map { chain($0, "exception") } ?? []
  }

  private mutating func printHead(of thread: CrashThread, isCrashed: Bool) {
    var facts = ["thread \(thread.index)"]
    if let id = thread.id { facts.append("id \(id)") }
    if let name = thread.name { facts.append(Self.quoted(name)) }
    if thread.crashed { facts.append("crashed") }
    if isCrashed { facts.append("the report is about it") }
    if !thread.registers.isEmpty {
      let first = thread.registers.prefix(2).map { "\($0.name)=0x\(String($0.value, radix: 16))" }
      facts.append("\(thread.registers.count) registers from " + first.joined(separator: " "))
    }
    if let error = thread.lastError { facts.append("last error \(error)") }
    lines += ["", facts.joined(separator: ", ")]
  }

  private mutating func printFrames(_ frames: [Frame], of report: CrashReport) {
    printNumbered(
      frames.enumerated().map { ("\($0)", Self.text(of: $1, in: report)) }, indent: 4)
  }

  /// Lines with their numbers; only one cycle of a recursion.
  private mutating func printNumbered(_ list: [(number: String, text: String)], indent: Int) {
    var index = 0
    func isTurn(_ length: Int, at start: Int) -> Bool {
      start + length <= list.count
        && (0..<length).allSatisfy { list[index + $0].text == list[start + $0].text }
    }
    while index < list.count {
      var (length, turns) = (1, 1)
      for candidate in 1...8 {
        var count = 1
        while isTurn(candidate, at: index + candidate * count) { count += 1 }
        if count > 2 && candidate * count > length * turns { (length, turns) = (candidate, count) }
      }
      for entry in list[index..<(index + length)] {
        let gap = String(repeating: " ", count: max(indent - entry.number.count, 0))
        lines.append(gap + entry.number + "  " + entry.text)
      }
      if turns > 1 {
        lines.append(
          String(repeating: " ", count: indent + 2)
            + "... \(turns - 1) more turns of these \(length)")
      }
      index += length * turns
    }
  }

  private static func text(of frame: Frame, in report: CrashReport) -> String {
    var parts: [String] = []
    if frame.inlined { parts.append("inlined") }
    if let address = frame.address { parts.append(address.description) }
    parts.append(frame.position.rawValue)
    if frame.trust != .given && !(frame.trust == .inline && frame.inlined) {
      parts.append("by " + frame.trust.rawValue)
    }
    if let image = frame.image {
      parts.append(report.images.indices.contains(image) ? report.images[image].name : "#\(image)")
    }
    if let offset = frame.imageOffset { parts.append("+\(offset)") }
    if !frame.registers.isEmpty { parts.append("\(frame.registers.count) registers") }
    if let function = frame.function { parts.append(quoted(function)) }
    if let symbol = frame.symbol { parts.append("symbol \(quoted(symbol))") }
    if let offset = frame.symbolOffset { parts.append("+ \(offset)") }
    if let file = frame.file { parts.append("in \(file)") }
    if let line = frame.line { parts.append("line \(line)") }
    if let column = frame.column { parts.append("column \(column)") }
    if frame.source != nil { parts.append("with source") }
    if let inApp = frame.inApp { parts.append(inApp ? "the app's" : "not the app's") }
    return parts.joined(separator: " ")
  }

  private mutating func printImages(_ images: [LoadedImage], _ title: String) {
    guard !images.isEmpty else { return }
    lines += ["", title]
    for image in images {
      let facts = [
        image.architecture?.description, image.base.map { "at \($0)" },
        image.size.map { "size 0x\(String($0, radix: 16))" },
        image.debugID.map { "debug id \($0)" }, image.codeID.map { "code id \($0)" },
        image.debugFile.map { "debug file \($0)" },
        image.version.map { "version \($0)" }, image.path,
      ]
      let known = facts.compactMap(\.self).joined(separator: ", ")
      lines.append("  \(image.name)" + (known.isEmpty ? "" : "  " + known))
      if let release = image.release { lines.append("    release \(release.name)") }
      if let package = image.package { lines.append("    " + Self.text(of: package)) }
      if let symbols = image.symbols { lines.append("    " + Self.text(of: symbols)) }
    }
  }

  private static func text(of package: ImagePackage) -> String {
    let facts = [
      package.type, package.name, package.version, package.architecture, package.os, package.osCPE,
      package.debugInfoURL,
    ]
    return "package " + facts.compactMap(\.self).joined(separator: ", ")
  }

  private static func text(of symbols: SymbolStatus) -> String {
    var parts = ["symbols " + symbols.verdict.rawValue]
    if let file = symbols.file { parts.append(file) }
    if symbols.match == .name { parts.append("by its name") }
    if let id = symbols.assumedID { parts.append("taken for \(id)") }
    for candidate in symbols.tried {
      let facts = [
        candidate.verdict.rawValue, candidate.debugID?.description,
        candidate.architecture?.description, candidate.detail,
      ]
      parts.append("tried \(candidate.file): " + facts.compactMap(\.self).joined(separator: " "))
    }
    return parts.joined(separator: ", ")
  }

  // MARK: Facts added by debug files

  /// Changes since the report was read; unchanged stacks in one line.
  mutating func printSymbolicated(_ report: CrashReport, since parsed: CrashReport) {
    let exceptions = zip(Self.exceptions(of: report), Self.exceptions(of: parsed))
    var old = StagePrinter()
    old.printHead(parsed)
    var new = StagePrinter()
    new.printHead(report)
    lines += new.lines.filter { !old.lines.contains($0) }
    let gone = old.lines.filter { !new.lines.contains($0) }
    lines += gone.map { "no longer  " + $0 }
    for (new, old) in exceptions {
      printStack(new.title, new.0.frames, before: old.0.frames, of: report)
    }
    for (index, thread) in report.threads.enumerated() {
      let before = parsed.threads.indices.contains(index) ? parsed.threads[index].frames : []
      printStack("thread \(thread.index)", thread.frames, before: before, of: report)
    }
    for (index, stack) in report.otherStacks.enumerated() {
      let before =
        parsed.otherStacks.indices.contains(index) ? parsed.otherStacks[index].frames : []
      printStack("stack " + Self.quoted(stack.title), stack.frames, before: before, of: report)
    }
    let images = report.images.compactMap { image in
      image.symbols.map { "  \(image.name)  " + Self.text(of: $0) }
    }
    if !images.isEmpty { lines += ["", "images"] + images }
    let used =
      report.engine?.debugFiles.map { "  \($0.key)  sha256 \($0.value.prefix(16))..." } ?? []
    if !used.isEmpty { lines += ["", "debug files used"] + used.sorted() }
    if lines.isEmpty { lines.append("nothing was added") }
  }

  private mutating func printStack(
    _ title: String, _ frames: [Frame], before: [Frame], of report: CrashReport
  ) {
    // The owner of the code is decided by the rules: `printSigned` shows it.
    let frames = Self.unmarked(frames)
    if frames == Self.unmarked(before) {
      lines += ["", "\(title): \(frames.count) frames as they were read"]
      return
    }
    lines += ["", title]
    printFrames(frames, of: report)
  }

  private static func unmarked(_ frames: [Frame]) -> [Frame] {
    frames.map { frame in
      var frame = frame
      frame.inApp = nil
      return frame
    }
  }

  // MARK: Results of the rules

  /// The signature, each step of it, and the owners of the frames.
  mutating func printSigned(_ report: CrashReport, app: String) {
    guard let signature = report.signature else { return lines.append("no signature") }
    fact("app", app)
    fact("title", signature.text)
    fact("key", signature.key)
    for key in signature.alternativeKeys { fact("or", key) }
    fact("category", signature.category.rawValue)
    fact("rules", signature.rules)
    if signature.isProvisional {
      fact("waits for", signature.waitsFor.isEmpty ? "nothing" : nil)
      for id in signature.waitsFor { fact("waits for", id.description) }
    }
    lines.append("")
    let steps = signature.steps.map { step in
      var line = Self.padded(step.frameClass ?? "", 8) + Self.quoted(step.subject)
      if step.result != step.subject { line += " = \(Self.quoted(step.result))" }
      line += "  (\(step.rule))"
      if let reason = step.leftOut { line += " left out: \(reason.rawValue)" }
      return ((step.used ? "> " : "  ") + (step.frame.map(String.init) ?? "-"), line)
    }
    printNumbered(steps, indent: 6)
    lines.append("")
    for (exception, title) in Self.exceptions(of: report) { printMarks(title, exception.frames) }
    for thread in report.threads { printMarks("thread \(thread.index)", thread.frames) }
    for stack in report.otherStacks { printMarks(Self.quoted(stack.title), stack.frames) }
  }

  private mutating func printMarks(_ title: String, _ frames: [Frame]) {
    func numbers(_ mark: Bool?) -> String {
      let found = frames.indices.filter { frames[$0].inApp == mark }
      return Self.ranges(found)
    }
    lines.append(
      "\(title): the app's \(numbers(true)), others' \(numbers(false)), undecided \(numbers(nil))")
  }

  /// `0-3 5`
  private static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    if ranges.isEmpty { return "none" }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: " ")
  }
}
