internal import Bytes
internal import CrashModel
internal import JSON

extension ReportFormat {
  /// A journal entry of systemd-coredump.
  static let systemdCoredump = ReportFormat("systemd-coredump")
}

extension Headline.Kind {
  /// `Process 17816 (tern) of user 0 dumped core.`
  fileprivate static let dumpedCore = Headline.Kind("systemd-coredump")
  /// `Stack trace of thread 17816:`
  fileprivate static let coredumpStack = Headline.Kind("systemd-coredump stack")
}

/// Crashes in systemd's journal: as text (`journalctl`, `coredumpctl info`), in the journal's export format,
/// and as JSON.
///
/// Source: "Journal Export Formats" and the manual of systemd-coredump.
enum SystemdCoredumpReader: LogReader, DocumentReader {
  static let format = ReportFormat.systemdCoredump
  static let fileExtension = "txt"
  static let beginsDeaths = true

  // MARK: Text

  static let headlines = [
    HeadlineRule(.dumpedCore, " dumped core.") { text, mark, lines in
      let start = max(lines.start(of: mark, in: text), mark - 1024)
      let line = text.part(start..<mark)
      guard line.contains(") of user "), let found = line.findLast("Process ") else { return nil }
      return Headline.Location(start: start + found, content: start + found)
    },
    HeadlineRule(.coredumpStack, "Stack trace of thread ", role: .continues) { text, mark, lines in
      let start = lines.start(of: mark, in: text)
      guard text.byteOrZero(mark + 22).isDigit, mark - start < 512 else { return nil }
      return Headline.Location(start: mark, content: mark)
    },
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var parser = CoredumpText()
    section.forEachLineBefore(in: text) { parser.takeHeader($0) }
    _ = parser.take(text.part(section.headline.start..<section.headline.line.upperBound).trimmed)
    section.forEachLine(in: text) { parser.take($0) }
    return LoggedReport(report: parser.finished())
  }

  // MARK: Entries

  private static let head = 64 << 10
  private static let messageID: StaticString = "fc2e22bc6ee647b6b90729ab34a250b1"

  static func recognises(_ bytes: ByteView) -> Bool {
    let head = bytes.clamped(0..<head).bytes
    if head.has("__CURSOR=") { return head.contains("\nCOREDUMP_") || head.contains(messageID) }
    guard head.trimmed.has("{") else { return false }
    return head.contains("\"COREDUMP_PID\"") || head.contains("\"COREDUMP_SIGNAL\"")
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let reports = bytes.bytes.has("__CURSOR=") ? exported(bytes.bytes) : try objects(in: bytes)
    guard !reports.isEmpty else {
      throw ParseError(
        .notRecognised, in: "a systemd journal without the crash of a program", at: 0)
    }
    return reports
  }

  /// One JSON object for each entry.
  private static func objects(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var reports: [CrashReport] = []
    var start = 0
    while start < bytes.count, reports.count < FormatLimits.reports {
      let rest = bytes.clamped(start..<bytes.count)
      let parse: JSONParse
      do throws(ParseError) {
        parse = try JSONDocument.parse(rest)
      } catch {
        if reports.isEmpty { throw error }
        reports[reports.count - 1].notes.append("the journal is damaged after this entry")
        break
      }
      if var report = report(of: parse.value) {
        if parse.cut != nil { report.notes.append("the entry is cut off: its end is missing") }
        reports.append(report)
      }
      guard parse.end > 0, parse.cut == nil else { break }
      start += parse.end
      while start < bytes.count, bytes[start] == 10 || bytes[start] == 13 || bytes[start] == 32 {
        start += 1
      }
    }
    return reports
  }

  private static func report(of entry: JSONValue) -> CrashReport? {
    guard let fields = entry.object, fields.contains(where: { $0.key.hasPrefix("COREDUMP_") })
    else {
      return nil
    }
    var parser = CoredumpText()
    for field in fields {
      // A field that occurs twice is a list; one that is not text, a list of bytes.
      let value = field.value.text ?? field.value.array?.first?.string ?? bytes(field.value)
      if let value { take(field.key, value, &parser) }
    }
    return parser.finished()
  }

  private static func bytes(_ value: JSONValue) -> String? {
    guard let numbers = value.array else { return nil }
    let bytes = numbers.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }
    return bytes.count == numbers.count ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func take(_ key: String, _ value: String, _ parser: inout CoredumpText) {
    switch key {
    case "MESSAGE":
      let message = ByteView(value.utf8)
      var cursor = LineCursor(0..<message.count)
      while let range = cursor.next(in: message.bytes) {
        _ = parser.take(message.bytes.part(range).trimmed)
      }
    case "COREDUMP_PACKAGE_JSON": takePackages(value, &parser)
    default: parser.take(field: key, value)
    }
  }

  /// `{"/usr/lib/libc.so.6": {"buildId": "0123ab", ...}}`
  private static func takePackages(_ text: String, _ parser: inout CoredumpText) {
    do throws(ParseError) {
      for module in try JSONDocument.parse(ByteView(text.utf8)).value.object ?? [] {
        if let id = module.value.text("buildId") { parser.take(buildID: id, of: module.key) }
      }
    } catch {
      // The packages are optional; the fields needed for the crash are elsewhere.
    }
  }

  private static func isSecret(_ key: String) -> Bool {
    key.hasPrefix("COREDUMP_PROC_") || key == "COREDUMP_ENVIRON" || key == "COREDUMP_OPEN_FDS"
  }

  /// Entries as `KEY=VALUE` lines, a value with line ends as its key, the length in eight bytes and the bytes.
  private static func exported(_ text: RawSpan) -> [CrashReport] {
    var reports: [CrashReport] = []
    var fields: [(key: String, value: String)] = []
    var isCrash = false
    var position = 0
    func finish() {
      if isCrash, reports.count < FormatLimits.reports {
        var parser = CoredumpText()
        for field in fields { take(field.key, field.value, &parser) }
        reports.append(parser.finished())
      }
      fields.removeAll(keepingCapacity: true)
      isCrash = false
    }
    while position < text.byteCount {
      let end = text.find(10, from: position) ?? text.byteCount
      let line = text.part(position..<end)
      guard line.byteCount > 0 else {
        finish()
        position = end + 1
        continue
      }
      let key: String
      let value: String
      if let sign = line.find(UInt8(ascii: "=")) {
        key = line.upTo(sign).name
        value = line.from(sign + 1).name
        position = end + 1
      } else {
        guard end + 9 <= text.byteCount else { break }
        var count: UInt64 = 0
        for index in 0..<8 { count |= UInt64(text.byte(end + 1 + index)) << (8 * UInt64(index)) }
        guard let length = Int(exactly: count), length <= text.byteCount - end - 9 else { break }
        key = line.name
        value = text.part((end + 9)..<(end + 9 + min(length, FormatLimits.lineBytes))).text
        position = end + 9 + length + 1
      }
      // The message may precede the fields that identify it.
      if key.hasPrefix("COREDUMP_") { isCrash = true }
      // Memory and environment may hold secrets.
      if fields.count < 64, key == "MESSAGE" || key.hasPrefix("COREDUMP_"), !isSecret(key) {
        fields.append((key, value))
      }
    }
    finish()
    return reports
  }
}
