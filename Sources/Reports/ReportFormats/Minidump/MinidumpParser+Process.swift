internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension MinidumpParser {
  /// Reads the streams about the process and its machine.
  ///
  /// The environment and the command line are not read: they hold secrets.
  mutating func readProcess() {
    readMiscInfo()
    if report.process.pid == nil,
      let status = file[.linuxProcStatus]?.clamped(0..<MinidumpFile.Limits.textBytes).text
    {
      report.process.pid = Self.values(of: status, separator: ":")["Pid"].flatMap { Int($0) }
    }
    readAssertion()
    readBootArguments()
    readComment()
    report.tags.merge(MinidumpMachine.tags(in: file, system)) { known, _ in known }
    let details = MinidumpDetails(file).details
    report.dump = details
    if !details.handles.isEmpty { report.tags[.processHandles] = String(details.handles.count) }
    if let errors = details.writerErrors {
      file.note("the writer of the minidump had errors: \(errors.cutMessage)")
    }
    if report.reason.message == nil { report.reason.message = Self.message(details.libraryNotes) }
  }

  /// Whether a signal without a code was sent: the address of a fault is replaced by the process and the user
  /// of the sender, which is the program itself, or another one of its user.
  func isSent(_ exception: MinidumpException) -> Bool {
    guard exception.flags == 0, report.reason.code == nil,
      let address = report.reason.address?.value,
      let status = file[.linuxProcStatus]?.clamped(0..<MinidumpFile.Limits.textBytes).text
    else { return false }
    let user = Self.firstNumber(of: "Uid:", in: status)
    let process = Self.firstNumber(of: "Pid:", in: status)
    let (senderUser, sender) = (address >> 32, address & 0xffff_ffff)
    guard senderUser == user, sender != 0 else { return false }
    return sender == process || senderUser != 0 && sender < Self.processes
  }

  /// More processes than Linux ever has: `PID_MAX_LIMIT` in `include/linux/threads.h`.
  private static let processes: UInt64 = 1 << 22

  /// `Uid:\t1000\t1000\t1000\t1000`.
  private static func firstNumber(of name: String, in status: String) -> UInt64? {
    let line = status.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
    return line?.dropFirst(name.utf8.count).split(whereSeparator: \.isWhitespace).first.flatMap {
      UInt64($0)
    }
  }

  /// The distinct messages of libraries, a line each.
  private static func message(_ notes: [DumpDetails.LibraryNote]) -> String? {
    var messages: [String] = []
    for message in notes.flatMap({ [$0.message, $0.secondMessage] })
    where !message.isEmpty && !messages.contains(message) {
      messages.append(message)
    }
    return messages.isEmpty ? nil : messages.joined(separator: "\n").cutMessage
  }

  /// Process id, times, integrity and build of the system, as far as the stream reaches.
  ///     OFFSET  SIZE  FIELD
  ///          4     4  flags: which fields are valid
  ///          8     4  process id (1)
  ///         12    12  time of start, seconds of processor time in the program and in the system (2)
  ///         44     4  integrity level (0x10)
  ///        232   520  build of the system, UTF-16 (0x100)
  ///
  /// Source: MINIDUMP_MISC_INFO_4 in minidumpapiset.h.
  private mutating func readMiscInfo() {
    guard let info = file[.miscInfo], let flags = file.number(info, at: 4, as: UInt32.self) else {
      return
    }
    if flags & 1 != 0, let id = file.number(info, at: 8, as: UInt32.self), id != 0 {
      report.process.pid = Int(id)
    }
    if flags & 2 != 0 {
      if let started = file.number(info, at: 12, as: UInt32.self), started != 0,
        file.time >= started
      {
        report.process.uptime = Double(file.time - started)
      }
      let seconds = [16, 20].compactMap { file.number(info, at: $0, as: UInt32.self) }
      if seconds.count == 2, seconds != [0, 0] {
        report.tags[.processorTime] = "\(seconds[0]) s, \(seconds[1]) s in the system"
      }
    }
    if flags & 0x10 != 0, let level = file.number(info, at: 44, as: UInt32.self) {
      report.tags[.processIntegrity] = Self.integrity(level)
    }
    if flags & 0x100 != 0, info.count >= 752 {
      let build = file.wideText(info.clamped(232..<752))
      if !build.isEmpty { report.tags[.osBuildText] = build }
    }
  }

  /// Source: `SECURITY_MANDATORY_*_RID` in winnt.h.
  private static func integrity(_ level: UInt32) -> String {
    switch level {
    case 0..<0x1000: "untrusted"
    case 0x1000..<0x2000: "low"
    case 0x2000..<0x3000: "medium"
    case 0x3000..<0x4000: "high"
    default: "system"
    }
  }

  /// `KEY=value` or `Key: value`, a line each; quotes around values are left out. The first value of a key
  /// counts.
  static func values(of text: String, separator: Character) -> [String: String] {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline).prefix(1000) {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2 else { continue }
      let key = parts[0].filter { $0 != "\t" }
      let value = parts[1].filter { $0 != "\"" && $0 != "\t" }
      if values[key] == nil { values[key] = String(value.drop { $0 == " " }) }
    }
    return values
  }

  /// Three texts of 128 UTF-16 units: expression, function and file; then the line and the type.
  ///
  /// Out-of-process writers add the stream to each dump, empty unless there was an assertion.
  ///
  /// Source: MDRawAssertionInfo in Breakpad, `src/google_breakpad/common/minidump_format.h`.
  private mutating func readAssertion() {
    guard let info = file[.assertionInfo] else { return }
    let texts = (0..<3).map { file.wideText(info.clamped(($0 * 256)..<(($0 + 1) * 256))) }
    let line = file.number(info, at: 768, as: UInt32.self) ?? 0
    let type = file.number(info, at: 772, as: UInt32.self) ?? 0
    if type == 0, line == 0, texts.allSatisfy(\.isEmpty) { return }
    // Of the C runtime of Windows.
    let kind =
      switch type {
      case 1: "invalid parameter"
      case 2: "pure virtual function call"
      default: texts[0].isEmpty ? "assertion" : "assertion failed"
      }
    let what = texts[0].isEmpty ? kind : kind + ": " + texts[0]
    let function = texts[1].isEmpty ? "" : " in \(texts[1])"
    let location = texts[2].isEmpty ? "" : " (\(texts[2])\(line == 0 ? "" : ":\(line)"))"
    report.reason.message = what + function + location
  }

  /// Reads the boot arguments of macOS.
  private mutating func readBootArguments() {
    guard let stream = file[.macBootArguments],
      let arguments = file.number(stream, at: 4, as: UInt64.self).flatMap({ file.wideText(at: $0) })
    else { return }
    if !arguments.isEmpty { report.tags[.bootArguments] = arguments }
  }

  /// Reads the comment of the user or tool that wrote the dump.
  private mutating func readComment() {
    let text =
      file[.wideComment].map { file.wideText($0.clamped(0..<MinidumpFile.Limits.text)) }
      ?? file[.comment].map {
        String(
          decoding: $0.clamped(0..<MinidumpFile.Limits.text).array.prefix { $0 != 0 }, as: UTF8.self
        )
      }
    if let text, !text.isEmpty { report.tags[.comment] = text }
  }

  /// Annotations with the text of a failed check: of Chromium, Electron and V8, Firefox, and Android.
  private static let messageAnnotations = [
    "LOG_FATAL", "electron.v8-fatal.message", "v8-fatal-message", "MozCrashReason",
    "AbortMessage", "abort_message",
  ]

  /// Reads the annotations of Crashpad's clients.
  mutating func readAnnotations() {
    guard let stream = file[.crashpadInfo] else { return }
    let info = CrashpadInfo(stream, in: file)
    addressMask = info.addressMask
    report.incident = info.reportID
    report.install = info.clientID
    for (name, value) in info.moduleAnnotations where report.properties[name] == nil {
      report.properties[name] = value
    }
    for (name, value) in info.annotations { report.properties[name] = value }
    if info.isCut { file.note("the minidump has more annotations than are read") }
    let properties = report.properties
    let texts = Self.messageAnnotations.compactMap { properties[$0] }.filter { !$0.isEmpty }
    if let text = texts.first, report.reason.message == nil {
      report.reason.message = text.cutMessage
    }
    if !info.lists.isEmpty, report.reason.message == nil {
      report.reason.message = info.lists.joined(separator: "; ").cutMessage
    }
    report.app.takeAnnotations(report.properties)
  }
}
