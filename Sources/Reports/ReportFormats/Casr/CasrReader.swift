internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension ReportFormat {
  /// A report of CASR.
  static let casr = ReportFormat("casr")
}

/// Reports of CASR, the crash analysis of ISP RAS: one object, `*.casrep`.
///
///     {"Date", "OS", "OSRelease", "Architecture", "ExecutablePath", "ProcCmdline", "ProcMaps": ["0x55 0x56 0x1 0x0 /bin/tern"],
///      "CrashSeverity": {"Type": "EXPLOITABLE", "ShortDescription": "DestAv", "Description", "Explanation"},
///      "Stacktrace": ["#0  0x55 in f (x=1) at till.c:3"], "CrashLine": "till.c:3",
///      "Prstatus": {"registers": {"rip": 1}}, "AsanReport": [...]}
///
/// The stack is gdb's, or that of the sanitizer or runtime that printed it.
///
/// Source: docs/usage.md and libcasr/src/report.rs of ispras/casr.
enum CasrReader: DocumentReader {
  static let format = ReportFormat.casr
  static let fileExtension = "casrep"

  static func recognises(_ bytes: ByteView) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    return keys.contains("CrashSeverity")
      || keys.contains("Stacktrace") && keys.contains("CrashLine")
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try ObjectDocument(reading: bytes, name: "a report of CASR")
    let value = document.value
    var report = CrashReport(format: .casr)
    report.time = value.time("Date")
    report.os = OperatingSystem(name: "Linux", build: value.text("Uname"))
    report.tags[.distribution] = [value.text("OS"), value.text("OSRelease")].compactMap { $0 }
      .joined(separator: " ")
    if let name = value.text("Architecture") {
      report.device.architecture =
        name == "amd64" ? .x86_64 : name == "i386" ? .i386 : Architecture(name)
    }
    report.process.path = value.text("ExecutablePath")
    report.process.name = report.process.path?.split(separator: "/").last.map(String.init)
    report.app.name = report.process.name
    report.properties["command"] = value.text("ProcCmdline")?.cut(1024)
    let severity = value.member("CrashSeverity")
    report.reason.type = severity?.text("ShortDescription")
    report.reason.message = severity?.text("Description")?.cutMessage
    report.tags[ReportTag("casr.severity")] = severity?.text("Type")
    readImages(value, into: &report)
    let isSanitizer = !value.list("AsanReport").isEmpty || !value.list("UbsanReport").isEmpty
    // A signal's headline has the program counter.
    let isFault = value.list("AsanReport").prefix(8).contains {
      $0.string?.contains(" (pc 0x") == true
    }
    var thread = CrashThread(index: 0, crashed: true)
    for line in value.list("Stacktrace").prefix(FormatLimits.framesPerStack) {
      guard let text = line.string, var frame = frame(text) else { continue }
      let isExact = thread.frames.isEmpty && (isFault || !isSanitizer)
      frame.position = isExact ? .exact : isSanitizer ? .adjusted : .returnAddress
      locate(&frame, in: report)
      thread.frames.append(frame)
    }
    let registers = value.member("Prstatus")?.member("registers") ?? value.member("Registers")
    for member in registers?.object?.prefix(FormatLimits.registers) ?? [] {
      if let number = member.value.address { thread.registers.append(Register(member.key, number)) }
    }
    report.crashedThread = 0
    report.threads = [thread]
    if let note = document.note { report.notes.append(note) }
    return [report]
  }

  /// `#3  0x00 in f (args) at file.c:12`, `#3 0x00 in f /file.c:12:3`, `at f (file.js:1:2)`.
  private static func frame(_ text: String) -> Frame? {
    let line = ByteView(text.utf8).bytes.trimmed
    guard line.has("#") else { return ManagedStackText.frame(text) }
    var index = 1
    guard line.decimal(at: &index) != nil else { return nil }
    var rest = line.from(index).trimmed
    var frame = Frame(position: .returnAddress)
    index = 0
    if let address = rest.hexadecimal(at: &index) {
      frame.address = Address(address)
      rest = rest.from(index).trimmed
      if rest.has("in ") { rest = rest.from(3) }
    }
    if let from = rest.findLast(" from ") { rest = rest.upTo(from) }
    if let at = rest.findLast(" at ") {
      set(SourceLocation(rest.from(at + 4)), of: &frame)
      rest = rest.upTo(at)
    } else if let blank = rest.findLast(32), rest.byteOrZero(rest.byteCount - 1).isDigit {
      // In a sanitizer's form.
      let location = SourceLocation(rest.from(blank + 1))
      if location.line != nil {
        set(location, of: &frame)
        rest = rest.upTo(blank)
      }
    } else if rest.ends(with: ")"), let module = rest.findLast(" ("),
      rest.from(module).find("+0x") != nil
    {
      rest = rest.upTo(module)
    }
    let name = rest.upTo(rest.find(" (") ?? rest.byteCount)
    if name.byteCount > 0, !name.has("??") { frame.function = name.name }
    return frame.function == nil && frame.address == nil ? nil : frame
  }

  private static func set(_ location: SourceLocation, of frame: inout Frame) {
    frame.file = location.file
    frame.line = location.line
    frame.column = location.column
  }

  /// `0x555555554000 0x555555556000 0x2000 0x0 /usr/bin/tern`: start, end, size, offset.
  private static func readImages(_ value: JSONValue, into report: inout CrashReport) {
    var known: [String: Int] = [:]
    for line in value.list("ProcMaps").prefix(FormatLimits.images) {
      guard let text = line.string else { continue }
      let words = text.split(separator: " ", maxSplits: 4)
      guard words.count == 5 else { continue }
      let numbers = words[..<4].compactMap { ByteView($0.utf8).bytes.unsignedNumber }
      let path = String(words[4].trimmed)
      guard numbers.count == 4, numbers[1] > numbers[0], path.hasPrefix("/") else { continue }
      if let index = known[path] {
        if let base = report.images[index].base?.value, numbers[1] > base {
          report.images[index].size = numbers[1] - base
        }
      } else if numbers[3] == 0 {
        known[path] = report.images.count
        report.images.append(
          LoadedImage(
            name: path.split(separator: "/").last.map(String.init) ?? path, path: path,
            base: Address(numbers[0]), size: numbers[1] - numbers[0]))
      }
    }
  }

  private static func locate(_ frame: inout Frame, in report: CrashReport) {
    guard let address = frame.address else { return }
    for (index, image) in report.images.enumerated() {
      guard let offset = image.offset(of: address) else { continue }
      frame.image = index
      frame.imageOffset = offset
      return
    }
  }
}
