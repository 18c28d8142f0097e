internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a crash in a report of Windows.
struct WindowsEventParser {
  private var event = "APPCRASH"
  /// The parameters of a problem, in its order.
  private var parameters: [Int: String] = [:]
  /// The values that have names.
  private var named: [String: String] = [:]
  /// The number of values without a name that were read.
  private var unnamed = 0
  /// The number of lines of an event that were read.
  private var line = 0
  private(set) var isComplete = false
  private var app: (name: String, version: String?)?
  private var module: (name: String, version: String?)?
  private var code: UInt64?
  private var offset: UInt64?
  private var report = CrashReport(format: .windowsEvent)
  private var modulePath: String?
  private var modules: [String] = []

  // MARK: Events

  /// Reads a line of event 1000, whose order is the same in all languages.
  mutating func readEvent(_ text: RawSpan) -> Bool {
    guard text.byteCount > 0 else { return true }
    defer { line += 1 }
    switch line {
    case 0: app = Self.release(text)
    case 1: module = Self.release(text)
    case 2: code = Self.number(text)
    case 3: offset = Self.number(text)
    case 4: report.process.pid = Self.number(text).flatMap { Int(exactly: $0) }
    case 5:
      // The start time is derived from the event's time, which is elsewhere.
      break
    case 6: report.process.path = Self.value(text)
    case 7: modulePath = Self.value(text)
    case 8:
      report.incident = Self.value(text)
      isComplete = true
    default: return false
    }
    return true
  }

  /// `Faulting application name: tern.exe, version: 2.16.50.0, time stamp: 0x68862e21`; Chinese and Japanese
  /// use their own punctuation.
  private static func release(_ text: RawSpan) -> (name: String, version: String?)? {
    let line = text.name.replacing("，", with: ", ").replacing("、", with: ", ")
      .replacing("：", with: ": ")
    var parts = line.split(separator: ", ").map { String($0[...].trimmed) }
    guard let first = parts.first else { return nil }
    parts.removeFirst()
    let name = value(first) ?? first
    let version = parts.first.flatMap { part -> String? in
      let word = part.split(separator: " ").last.map(String.init)
      return word.flatMap { $0.utf8.first?.isDigit == true ? $0 : nil }
    }
    return name.isEmpty || name == "unknown" ? nil : (String(name), version)
  }

  private static func value(_ text: RawSpan) -> String? {
    value(text.name.replacing("：", with: ": "))
  }

  /// The text after the first colon followed by a blank.
  private static func value(_ line: String) -> String? {
    guard let colon = line.firstRange(of: ": ") else {
      // French puts no colon after the name of the application.
      return line.split(separator: " ").last.map(String.init)
    }
    let value = String(line[colon.upperBound...][...].trimmed)
    return value.isEmpty ? nil : value
  }

  private static func number(_ text: RawSpan) -> UInt64? {
    value(text).flatMap { hexadecimal($0) }
  }

  private static func hexadecimal(_ text: String) -> UInt64? {
    let digits = text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : text
    return UInt64(digits, radix: 16)
  }

  /// `tern.exe, version 1.0.0.0, faulting module terncore.dll, version 1.0.0.0, fault address 0x0001a2b3.`
  mutating func readOneLine(_ text: RawSpan) {
    for part in text.name.split(separator: ",").prefix(16) {
      let words = part.split(separator: " ").map(String.init)
      guard let last = words.last else { continue }
      let value = last.hasSuffix(".") ? String(last.dropLast()) : last
      let key = words.dropLast().joined(separator: " ").lowercased()
      switch key {
      case "": app = (value, nil)
      case "version": if module == nil { app?.version = value } else { module?.version = value }
      case "faulting module", "faulting module name:": module = (value, nil)
      case "exception code": code = Self.hexadecimal(value)
      case "fault offset", "fault address": offset = Self.hexadecimal(value)
      case "process id": report.process.pid = Self.hexadecimal(value).flatMap { Int(exactly: $0) }
      default: break
      }
    }
  }

  /// `<Data Name='AppName'>tern.exe</Data>`, one or many a line.
  @discardableResult
  mutating func readData(_ line: RawSpan) -> Bool {
    if line.contains("</EventData>") { isComplete = true }
    var found = false
    var position = 0
    while let mark = line.find("Name=", from: position), named.count < 64 {
      position = mark + 6
      guard let close = line.find(UInt8(ascii: ">"), from: position),
        let end = line.find("</", from: close)
      else { break }
      named[line.between(position, close - 1).name] = line.between(close + 1, end).name
      found = true
      position = end
    }
    position = 0
    while let mark = line.find("<Data>", from: position), unnamed < Self.order.count,
      let end = line.find("</", from: mark)
    {
      named[Self.order[unnamed]] = line.between(mark + 6, end).name
      unnamed += 1
      position = end
    }
    return found || line.has("<") || isComplete
  }

  /// The values of event 1000 in their order.
  private static let order = [
    "AppName", "AppVersion", "AppTimeStamp", "ModuleName", "ModuleVersion", "ModuleTimeStamp",
    "ExceptionCode", "FaultingOffset", "ProcessId", "ProcessCreationTime", "AppPath", "ModulePath",
    "IntegratorReportId",
  ]

  // MARK: Problem signatures

  mutating func begin(_ text: RawSpan) { event = text.name }

  /// `P1: tern.exe`, `Sig[0].Value=tern.exe`, `Application Name: tern.exe`.
  mutating func readSignature(_ line: RawSpan) -> Bool {
    if line.byteCount == 0 { return false }
    if line.has("P"), line.byteOrZero(1).isDigit, let colon = line.find(UInt8(ascii: ":")) {
      var position = 1
      guard let number = line.decimal(at: &position), position == colon, number < 64 else {
        return false
      }
      parameters[Int(number) - 1] = line.from(colon + 1).trimmed.name
      return true
    }
    if line.has("Sig[") || line.has("DynamicSig[") || line.has("LoadedModule[") {
      return readIndexed(line)
    }
    if let mark = line.find(UInt8(ascii: "=")), Self.isKey(line.upTo(mark)) {
      return readField(line.upTo(mark).name, line.from(mark + 1).trimmed.name)
    }
    guard let colon = line.find(UInt8(ascii: ":")) else { return false }
    let value = line.from(colon + 1).trimmed.name
    let key = line.upTo(colon).trimmed.name.lowercased()
    var index = Self.names.firstIndex(of: key)
    // For a prevented execution, the offset comes first.
    if event.contains("BEX"), let known = index, known > 5 { index = 13 - known }
    if let index { parameters[index] = value }
    if key == "faulting application path" { report.process.path = value }
    if key == "report id" { report.incident = value }
    if key == "os version" { report.os.version = Self.version(value) }
    return index != nil
      || ["report id", "os version", "locale id", "response", "cab id"].contains(key)
  }

  /// `AppPath`, `Response.type`, `OsInfo[3].Key`
  private static func isKey(_ text: RawSpan) -> Bool {
    for index in 0..<text.byteCount {
      let byte = text.byte(index)
      guard byte.isLetter || byte.isDigit || byte.isOne(of: "._[]") else { return false }
    }
    return text.byteOrZero(0).isLetter
  }

  private static let names = [
    "application name", "application version", "application timestamp", "fault module name",
    "fault module version", "fault module timestamp", "exception code", "exception offset",
  ]

  private mutating func readIndexed(_ line: RawSpan) -> Bool {
    guard let open = line.find(UInt8(ascii: "[")), let equals = line.find(UInt8(ascii: "="))
    else { return false }
    var position = open + 1
    guard let number = line.decimal(at: &position), number < 100_000 else { return false }
    let value = line.from(equals + 1).trimmed.name
    if line.has("LoadedModule[") {
      if modules.count < FormatLimits.images { modules.append(value) }
    } else if line.has("Sig["), line.upTo(equals).ends(with: ".Value") {
      parameters[Int(number)] = value
    } else if line.has("DynamicSig[1]."), line.upTo(equals).ends(with: ".Value") {
      report.os.version = Self.version(value)
    }
    return true
  }

  /// `10.0.22631.2.0.0.768.101` begins with the release and the build.
  private static func version(_ text: String) -> String? {
    let parts = text.split(separator: ".").prefix(3)
    return parts.count == 3 ? parts.joined(separator: ".") : nil
  }

  private mutating func readField(_ key: String, _ value: String) -> Bool {
    switch key {
    case "ReportIdentifier": report.incident = value
    case "AppPath", "NsAppName", "TargetAppVer":
      if key == "AppPath" { report.process.path = value }
    case "AppName": if !value.isEmpty { report.properties["AppName"] = value }
    case "EventTime":
      // Hundreds of nanoseconds since 1601.
      if let ticks = UInt64(value), ticks > 116_444_736_000_000_000,
        let microseconds = Int(exactly: (ticks - 116_444_736_000_000_000) / 10)
      {
        report.time = Timestamp(microseconds: microseconds)
      }
    default: break
    }
    return true
  }

  // MARK: The report

  consuming func finished() -> CrashReport? {
    takeParameters()
    takeNames()
    guard let app else { return nil }
    report.os.name = "Windows"
    report.app.name = app.name
    report.app.version = app.version
    report.process.name = app.name
    var images = NamedImages()
    for path in modules { _ = images.index(of: path) }
    if report.kind == .crash { takeCode() }
    var frame = Frame(position: .exact)
    if let module {
      let known = images.images.firstIndex { $0.name.lowercased() == module.name.lowercased() }
      let index = known ?? images.index(of: modulePath ?? module.name)
      frame.image = index
      frame.imageOffset = offset.map { ImageOffset($0) }
      if let index { images.images[index].version = module.version }
    } else {
      frame.address = offset.map { Address($0) }
    }
    report.images = images.images
    if frame.imageOffset != nil || frame.address != nil {
      report.threads = [CrashThread(index: 0, crashed: true, frames: [frame])]
      report.crashedThread = 0
    } else {
      report.notes.append("the report has no stack")
    }
    return report
  }

  private mutating func takeCode() {
    guard let code = code.flatMap({ UInt32(exactly: $0) }) else { return }
    report.reason.type = report.reason.type ?? WindowsException.name(code, parameters: [])
    report.tags[.exceptionCodes] = "0x" + String(code, radix: 16)
    if code == 0xc000_0017 || code == 0xe000_0008 { report.kind = .oom }
  }

  /// The values of a problem, whose order depends on its kind.
  private mutating func takeParameters() {
    guard !parameters.isEmpty else { return }
    // An app of the store has its package first.
    let shift = event.hasPrefix("MoApp") || event.hasPrefix("MoBEX") ? 1 : 0
    func value(_ index: Int) -> String? {
      parameters[index + shift].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let name = value(0) { app = (name, value(1)) }
    if event.hasPrefix("AppHang") || event.hasPrefix("MoAppHang") {
      report.kind = .hang
      report.reason.type = "hang"
      report.reason.code = value(3)
      return
    }
    if let name = value(3) { module = (name, value(4)) }
    if event.hasPrefix("CLR") {
      report.reason.exception = LanguageException(type: value(8) ?? value(9))
      report.reason.type = report.reason.exception?.type
      offset = nil
      module = nil
      return
    }
    let isExecution = event.contains("BEX")
    code = value(isExecution ? 7 : 6).flatMap { Self.hexadecimal($0) }
    offset = value(isExecution ? 6 : 7).flatMap { Self.hexadecimal($0) }
  }

  /// The names in the XML of an event.
  private mutating func takeNames() {
    guard let name = named["AppName"] else { return }
    app = (name, named["AppVersion"])
    if let name = named["ModuleName"] { module = (name, named["ModuleVersion"]) }
    code = named["ExceptionCode"].flatMap { Self.hexadecimal($0) }
    offset = named["FaultingOffset"].flatMap { Self.hexadecimal($0) }
    report.process.pid = named["ProcessId"].flatMap { Self.hexadecimal($0) }.flatMap {
      Int(exactly: $0)
    }
    report.process.path = named["AppPath"]
    modulePath = named["ModulePath"]
    report.incident = named["IntegratorReportId"]
  }
}
