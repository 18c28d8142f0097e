internal import Bytes
internal import CrashModel
internal import Identifiers

/// Facts about the device, the system and the app from the lines at the start of Android's reports, those of
/// debuggerd, of ART and of xCrash.
///
///     Build fingerprint: 'BRAND/PRODUCT/DEVICE:RELEASE/ID/INCREMENTAL:TYPE/TAGS'
///     ABI: 'arm64'
///     Timestamp: 2021-09-29 17:43:49.123456789+0200
///     Cmdline: /system/bin/adbd --root
///
/// Source: `tombstone_proto_to_text.cpp` of debuggerd; `xcc_util.c` of xCrash.
struct AndroidHeader {
  var report: CrashReport
  private var fingerprint: String?
  private var architecture: Architecture?
  private var startTime: Timestamp?
  /// Whether xCrash wrote it.
  private(set) var isXCrash = false

  init(_ report: CrashReport) { self.report = report }

  /// Reads one of the lines; returns whether it was one.
  mutating func read(_ line: RawSpan) -> Bool {
    guard let colon = line.find(UInt8(ascii: ":")), colon < 32 else { return false }
    let value = line.from(colon + 1).trimmed
    let key = line.upTo(colon)
    switch key.byteCount {
    case 17 where key.has("Build fingerprint"): takeFingerprint(Self.unquoted(value).name)
    case 3 where key.has("ABI"): setArchitecture(Self.unquoted(value).name)
    case 9 where key.has("Timestamp"): setTime(value.name)
    case 14 where key.has("Process uptime"): setUptime(value)
    case 7 where key.has("Cmdline"), 8 where key.has("Cmd line"): setCommand(value.name)
    case 10 where key.has("Executable"):
      report.process.path = report.process.path ?? value.name
    case 8 where key.has("Revision"): keep(.hardwareRevision, value)
    case 3 where key.has("uid"): keep(.processUser, value)
    default: return readSDK(key, value)
    }
    return true
  }

  /// The lines that xCrash adds.
  private mutating func readSDK(_ key: RawSpan, _ value: RawSpan) -> Bool {
    let text = Self.unquoted(value)
    switch key.byteCount {
    case 15 where key.has("Tombstone maker"):
      isXCrash = text.has("xCrash")
      let words = text.name.split(separator: " ", maxSplits: 1)
      report.tags[.sdkName] = words.first.map(String.init)
      if words.count > 1 { report.tags[.sdkVersion] = String(words[1]) }
    case 10 where key.has("Crash type"): break
    case 10 where key.has("Start time"): startTime = Timestamp(text.name)
    case 10 where key.has("Crash time"): setTime(text.name)
    case 6 where key.has("App ID"):
      report.app.identifier = text.name
      report.app.name = text.name
    case 11 where key.has("App version"): report.app.version = text.name
    case 6 where key.has("Rooted"):
      if text.has("Yes") { report.tags[.jailbreak] = "true" }
    case 9 where key.has("API level"): keep(.osAPILevel, text)
    case 10 where key.has("OS version"):
      report.os.name = "Android"
      report.os.version = text.name
    case 14 where key.has("Kernel version"): keep(.kernelVersion, text)
    case 12 where key.has("Manufacturer"): keep(.deviceMaker, text)
    case 5 where key.has("Model"): report.device.model = text.name
    case 5 where key.has("Brand"), 8 where key.has("ABI list"): break
    default: return false
    }
    return true
  }

  mutating func takeFingerprint(_ text: String) {
    guard fingerprint == nil, !text.isEmpty else { return }
    fingerprint = text
    report.tags[.osFingerprint] = text
    report.os.name = "Android"
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 4, let colon = parts[2].firstIndex(of: ":") else { return }
    if report.os.version == nil {
      report.os.version = Self.known(parts[2][parts[2].index(after: colon)...])
    }
    report.os.build = report.os.build ?? Self.known(parts[3])
    report.device.model = report.device.model ?? Self.known(parts[2][..<colon])
    if report.tags[.deviceMaker] == nil { report.tags[.deviceMaker] = Self.known(parts[0]) }
  }

  private static func known(_ text: Substring) -> String? { text.isEmpty ? nil : String(text) }

  mutating func setArchitecture(_ name: String) {
    guard architecture == nil else { return }
    architecture =
      switch name {
      case "arm": .arm
      case "arm64": .arm64
      case "x86": .i386
      case "x86_64": .x86_64
      case "riscv64": .riscv64
      case "", "none": nil
      default: Architecture(String(name.prefix(32)).lowercased())
      }
    report.device.architecture = architecture
  }

  mutating func setTime(_ text: String) {
    guard report.time == nil, !text.isEmpty else { return }
    report.time = Timestamp(text)
    if report.time == nil { report.notes.append("the time is unreadable: \(text.prefix(64))") }
  }

  /// Reads `12s`.
  private mutating func setUptime(_ value: RawSpan) {
    var position = 0
    guard let seconds = value.decimal(at: &position) else { return }
    report.process.uptime = Double(seconds)
  }

  mutating func setCommand(_ text: String) {
    let command = text.split(separator: " ", maxSplits: 1).first.map(String.init)
    guard let command, report.process.path == nil else { return }
    if command.hasPrefix("/") { report.process.path = command }
    setProcess(command)
  }

  /// Sets the process by its command line: a path, or the name of a package and, after a colon, of one of its
  /// processes.
  mutating func setProcess(_ name: String) {
    guard !name.isEmpty, name != "<unknown>" else { return }
    if name.hasPrefix("/") {
      report.process.path = report.process.path ?? name
      let last = name.split(separator: "/").last.map(String.init) ?? name
      report.process.name = report.process.name ?? last
      report.app.name = report.app.name ?? last
      return
    }
    report.process.name = name
    let package = name.split(separator: ":", maxSplits: 1).first.map(String.init) ?? name
    if package.contains("."), !package.contains(" ") {
      report.app.identifier = report.app.identifier ?? package
    }
    report.app.name = report.app.name ?? package
  }

  private mutating func keep(_ tag: ReportTag, _ value: RawSpan) {
    let text = Self.unquoted(value)
    if text.byteCount > 0, report.tags[tag] == nil { report.tags[tag] = text.name }
  }

  /// The report, with the process's run time if both times are known.
  consuming func finished() -> CrashReport {
    if report.process.uptime == nil, let startTime, let time = report.time, time >= startTime {
      report.process.uptime = startTime.seconds(to: time)
    }
    return report
  }

  /// The text without its quotes.
  @_lifetime(copy text)
  static func unquoted(_ text: RawSpan) -> RawSpan {
    guard text.has("'") else { return text }
    let end = text.byteCount > 1 && text.ends(with: "'") ? text.byteCount - 1 : text.byteCount
    return text.part(1..<end)
  }
}
