internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// A crash file of Apport, which Ubuntu and Debian write.
  static let apport = ReportFormat("apport")
}

/// Crash files of Apport, `/var/crash/_usr_bin_tern.1000.crash`: of native programs with a core, with stacks that
/// gdb printed, or both; of Python; of the kernel.
///
/// Source: `problem_report.py`, `report.py` and the data format of Apport.
enum ApportReader: DocumentReader {
  static let format = ReportFormat.apport
  static let fileExtension = "crash"
  static let openings: [StaticString] = ["ProblemType: "]

  private static let head = 64 << 10

  static func recognises(_ bytes: ByteView) -> Bool {
    let head = bytes.clamped(0..<head).bytes.trimmed
    if head.has("ProblemType: ") { return true }
    // The keys are sorted except this one; other writers put it anywhere.
    guard head.contains("\nProblemType: "), let colon = head.find(":"), colon < 64 else {
      return false
    }
    for index in 0..<colon where !head.byte(index).isLetter && head.byte(index) != 0x5F {
      return false
    }
    return head.contains("\nExecutablePath: ") || head.contains("\nDistroRelease: ")
  }

  /// Command lines, the environment, logs and users' texts are left out.
  private static let keys: Set<String> = [
    "ProblemType", "Architecture", "Date", "DistroRelease", "ExecutablePath", "Package",
    "SourcePackage", "ProcMaps", "ProcStatus", "Signal", "SignalName", "Uname", "CoreDump",
    "Registers", "Stacktrace", "StacktraceTop", "ThreadStacktrace", "Traceback", "Title",
    "AssertionMessage", "SegvReason", "StacktraceAddressSignature", "OopsText", "Failure",
    "InterpreterPath", "JournalErrors",
  ]

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let file = ApportFile(bytes, keys: keys)
    let kind = file["ProblemType"] ?? "nothing"
    var reports: [CrashReport]
    switch kind {
    case "KernelOops": reports = try nested(file["OopsText"], kind)
    case "Crash", "Hang":
      if let traceback = file["Traceback"] {
        reports = try nested(traceback, kind)
        for index in reports.indices { reports[index].format = .apport }
      } else {
        reports = [try crash(file)]
      }
      if kind == "Hang" {
        for index in reports.indices { reports[index].kind = .hang }
      }
    default: throw refusal(kind)
    }
    for index in reports.indices { addFacts(file, to: &reports[index]) }
    return reports
  }

  private static func refusal(_ kind: String) -> ParseError {
    ParseError(
      .notRecognised, in: "an Apport report of the kind \(kind.cut(40)) without a crash", at: 0)
  }

  /// The reports in a value, read by another reader.
  private static func nested(
    _ text: String?, _ kind: String
  ) throws(ParseError) -> [CrashReport] {
    guard let text else { throw refusal(kind) }
    return try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  // MARK: Native programs

  private static func crash(_ file: ApportFile) throws(ParseError) -> CrashReport {
    let printed = ApportStacks(file)
    var report = CrashReport(format: .apport)
    var hasCore = false
    if let core = file.unpackedCore() {
      do throws(ParseError) {
        if let read = try FormatRegistry.builtIn.reports(in: core.bytes).first {
          report = read
          report.format = .apport
          hasCore = true
        }
      } catch {
        report.notes.append("the core could not be read: \(error.refusal)")
      }
      if let note = core.note { report.notes.append(note) }
    }
    if !hasCore { addImages(file, to: &report) }
    if let stacks = printed.better(than: report) { stacks.add(to: &report) }
    guard hasCore || report.threads.contains(where: { !$0.frames.isEmpty }) || file["Signal"] != nil
    else { throw refusal("Crash") }
    if report.threads.isEmpty { report.notes.append("there is neither a stack nor a core") }
    if report.kind == .other { report.kind = .crash }
    if report.reason.type == "DUMP_REQUESTED" { report.reason.type = nil }
    readReason(file, into: &report)
    return report
  }

  private static func readReason(_ file: ApportFile, into report: inout CrashReport) {
    let number = file["Signal"].flatMap { UInt32($0) }
    if let name = file["SignalName"] ?? number.flatMap(LinuxSignal.name) {
      report.reason.signal = name
    }
    if let message = file["AssertionMessage"] { report.reason.message = message.cutMessage }
    if let cause = file["SegvReason"] { report.tags[.cause] = cause.cut(1024) }
  }

  private static func addImages(_ file: ApportFile, to report: inout CrashReport) {
    guard let text = file["ProcMaps"] else { return }
    var map = ProcessMapText()
    let bytes = ByteView(text.utf8)
    var cursor = LineCursor(0..<bytes.count)
    while let range = cursor.next(in: bytes.bytes) { map.read(bytes.bytes.part(range)) }
    for (path, range) in map.ranges.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      guard report.images.count < FormatLimits.images else { break }
      let name = path.split(separator: "/").last.map(String.init) ?? path
      report.images.append(
        LoadedImage(
          name: name, path: path, base: Address(range.lowerBound), size: UInt64(range.count)))
    }
  }

  // MARK: Facts

  private static func addFacts(_ file: ApportFile, to report: inout CrashReport) {
    report.os.name = "Linux"
    if let release = file["DistroRelease"] { report.tags[.distribution] = release.cut(256) }
    let system = file["Uname"]?.split(separator: " ") ?? []
    if system.count > 1, system[0] == "Linux" { report.os.version = String(system[1]).cut(256) }
    if report.device.architecture == nil {
      report.device.architecture = file["Architecture"].flatMap(architecture)
    }
    if report.time == nil { report.time = file["Date"].flatMap(ApportDate.time) }
    if let path = file["ExecutablePath"] {
      report.process.path = path.cut(FormatLimits.nameBytes)
      report.process.name = path.split(separator: "/").last.map { String($0).cut(1024) }
    }
    if let package = file["Package"] ?? file["SourcePackage"] {
      let words = package.split(separator: " ")
      if let name = words.first, name != "(not" {
        report.app.name = String(name).cut(256)
        if words.count > 1, words[1] != "(not" { report.app.version = String(words[1]).cut(256) }
      }
    }
    if let title = file["Title"] { report.tags[.title] = title.cut(1024) }
    if report.process.pid == nil, let status = file["ProcStatus"] {
      for line in status.split(whereSeparator: \.isNewline) where line.hasPrefix("Pid:") {
        report.process.pid = Int(line.dropFirst(4).filter { !$0.isWhitespace })
      }
    }
  }

  /// The architectures as Debian names them.
  private static func architecture(_ name: String) -> Architecture? {
    switch name {
    case "amd64", "x86_64": .x86_64
    case "i386", "i686": .i386
    case "arm64", "aarch64": .arm64
    case "armhf", "armel": .arm
    case "riscv64": .riscv64
    case "ppc64el": .ppc64le
    case "s390x": .s390x
    default: nil
    }
  }
}

/// `Sat Nov 21 02:41:00 2026`, in the machine's own time, taken as UTC.
enum ApportDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func time(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    guard words.count == 5, let month = months.firstIndex(of: String(words[1])),
      let day = Int(words[2]), let year = Int(words[4])
    else { return Timestamp(text) }
    let clock = words[3].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3 else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
  }
}
