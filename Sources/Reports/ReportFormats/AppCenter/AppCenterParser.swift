internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

/// Parses a report from its log.
struct AppCenterParser {
  let log: JSONValue
  let device: JSONValue
  let type: String
  var report: CrashReport
  var frameCount = 0
  private var exceptionCount = 0
  /// The images by address; a frame lies in the one with the highest base not above it.
  private var order: [(base: UInt64, index: Int)] = []
  /// The images that frames name without an id.
  var imagesByName: [String: Int] = [:]

  init(_ log: JSONValue) {
    self.log = log
    device = log.member("device") ?? .object([])
    type = log.text("type") ?? ""
    report = CrashReport(format: .appCenter)
  }

  /// Whether images end before `endAddress`, as the SDK for Windows says; Apple's end with it.
  private var endsAreExclusive: Bool {
    report.os.name == "Windows" || device.text("sdkName")?.hasPrefix("appcenter.uwp") == true
  }

  // MARK: What all have in common

  mutating func readCommon() {
    report.incident = log.text("id")?.canonicalUUID
    if type == "handledError" || log.member("fatal")?.truth == false { report.kind = .handled }
    readTimes()
    report.user = log.text("userId")
    report.process = ProcessDetails(
      name: known(log.text("processName")), pid: log.number("processId"),
      path: known(log.text("applicationPath")), uptime: report.process.uptime)
    report.app = AppIdentity(
      name: report.process.name, identifier: device.text("appNamespace"),
      version: device.text("appVersion"), build: device.text("appBuild"))
    report.app.name = report.app.name ?? report.app.identifier
    report.os = OperatingSystem(
      name: device.text("osName").map(Self.systemName), version: device.text("osVersion"),
      build: device.text("osBuild"))
    report.device.model = known(device.text("model"))
    report.device.architecture = architecture
    for (name, value) in log.properties { report.properties[name] = value }
    for (tag, key) in Self.deviceTags { keepTag(tag, device.text(key)) }
    for (tag, key) in Self.logTags { keepTag(tag, log.text(key)) }
    keepTag(.session, log.text("sid")?.canonicalUUID)
  }

  /// Tags, and the members of `device` that they come from.
  private static let deviceTags: [(ReportTag, String)] = [
    (.sdkName, "sdkName"), (.sdkVersion, "sdkVersion"), (.osAPILevel, "osApiLevel"),
    (.locale, "locale"), (.timeZoneMinutes, "timeZoneOffset"), (.screen, "screenSize"),
    (.deviceMaker, "oemName"), (.carrierName, "carrierName"),
    (.carrierCountry, "carrierCountry"), (.wrapperName, "wrapperSdkName"),
    (.wrapperVersion, "wrapperSdkVersion"), (.wrapperRuntime, "wrapperRuntimeVersion"),
    (.liveUpdateLabel, "liveUpdateReleaseLabel"),
    (.liveUpdatePackage, "liveUpdatePackageHash"), (.jailbreak, "jailbreak"),
  ]
  private static let logTags: [(ReportTag, String)] = [
    (.processParent, "parentProcessName"), (.threadName, "errorThreadName"),
    (.buildID, "buildId"), (.distributionGroup, "distributionGroupId"),
    (.dataRegion, "dataResidencyRegion"), (.objcSelector, "selectorRegisterValue"),
  ]

  mutating func keepTag(_ tag: ReportTag, _ value: String?) {
    guard let value = known(value), report.tags[tag] == nil else { return }
    report.tags[tag] = value.cut(AppCenterLimits.textBytes)
  }

  /// Placeholders that SDKs write for unknown values.
  private func known(_ text: String?) -> String? { text == "???" || text == "unknown" ? nil : text }

  private mutating func readTimes() {
    if let text = log.text("timestamp") {
      report.time = Timestamp(text)
      if report.time == nil { report.notes.append("the time is unreadable: \(text.prefix(64))") }
    }
    // Apple's SDK adds 999 milliseconds to the whole seconds that the crash reporter noted.
    if type == "appleError", let time = report.time, time.nanoseconds == 999_000_000 {
      report.time = Timestamp(seconds: time.seconds)
    }
    if let launch = log.time("appLaunchTimestamp"), let time = report.time {
      report.process.uptime = launch.seconds(to: time)
    }
  }

  /// The systems' own spelling; hand-written posts and the SDK for Windows use all capitals or lower case.
  static func systemName(_ name: String) -> String {
    switch name.lowercased() {
    case "android": "Android"
    case "windows": "Windows"
    case "ios": "iOS"
    case "ipados": "iPadOS"
    case "macos", "mac os x": "macOS"
    case "tvos": "tvOS"
    case "linux": "Linux"
    default: name
    }
  }

  private var architecture: Architecture? {
    if let found = Architecture(appCenter: log) { return found }
    for binary in log.list("binaries").prefix(AppCenterLimits.images) {
      if let found = Architecture(appCenter: binary) { return found }
    }
    guard let name = log.text("architecture") ?? device.text("architecture") else { return nil }
    switch name.lowercased() {
    case "x64", "amd64", "x86_64": return .x86_64
    case "x86", "i386", "i686": return .i386
    case "arm64", "arm64-v8a", "aarch64": return .arm64
    case "armeabi-v7a": return .armv7
    case "armeabi", "arm": return .arm
    case let other: return Architecture(other)
    }
  }

  // MARK: Images

  mutating func readImages() {
    let binaries = log.list("binaries")
    if binaries.count > AppCenterLimits.images {
      report.notes.append("only the first \(AppCenterLimits.images) images were read")
    }
    for binary in binaries.prefix(AppCenterLimits.images) {
      let path = binary.text("path")
      var image = LoadedImage(
        name: binary.text("name") ?? path.map { AppleNames.lastPart($0) } ?? "???", path: path)
      image.architecture = Architecture(appCenter: binary) ?? report.device.architecture
      let (id, isWindows) = Self.identity(binary.text("id"))
      image.debugID = id
      if let base = binary.address("startAddress") {
        image.base = Address(base)
        if let end = binary.address("endAddress"), end >= base {
          let size = end - base
          image.size =
            endsAreExclusive || isWindows ? size : size.addingReportingOverflow(1).partialValue
        }
      }
      report.images.append(image)
    }
    order = report.images.indices
      .compactMap { index in report.images[index].base.map { ($0.value, index) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }

  /// A UUID with or without dashes, or the GUID of a PDB and, after a dash, its age in decimal.
  private static func identity(_ text: String?) -> (id: DebugID?, isWindows: Bool) {
    guard let text, text.utf8.count <= 64 else { return (nil, false) }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, parts[0].utf8.count == 32, let age = UInt32(parts[1]),
      let id = DebugID(String(parts[0]))
    {
      return (id.isZero ? nil : DebugID(uuid: id.uuid, age: age), true)
    }
    let digits = text.filter { $0 != "-" && $0 != "{" && $0 != "}" }
    guard digits.utf8.count == 32, let id = DebugID(digits), !id.isZero else { return (nil, false) }
    return (id, false)
  }

  /// Gives a frame with an address its image.
  func located(_ frame: Frame) -> Frame {
    guard let address = frame.address else { return frame }
    let low = order.lowerBound { $0.base <= address.value }
    guard low > 0, let offset = report.images[order[low - 1].index].offset(of: address) else {
      return frame
    }
    var frame = frame
    frame.image = order[low - 1].index
    frame.imageOffset = offset
    return frame
  }

  // MARK: Stacks and exceptions

  mutating func frames(of stack: [JSONValue], first: CodePosition) -> [Frame] {
    var frames: [Frame] = []
    for value in stack {
      guard frameCount < AppCenterLimits.frames else {
        report.notes.append("only the first \(AppCenterLimits.frames) frames were read")
        break
      }
      guard value.object != nil else { continue }
      frameCount += 1
      let position = frames.isEmpty ? first : .returnAddress
      frames.append(dividedFrame(value, position: position) ?? frame(value, position: position))
    }
    return frames
  }

  private func frame(_ value: JSONValue, position: CodePosition) -> Frame {
    var frame = Frame(position: position)
    frame.address = value.address("address").map { Address($0) }
    let method = value.text("methodName")
    // A class is never named like an address.
    let type = value.text("className").flatMap { $0.hasPrefix("0x") ? nil : $0 }
    switch (type, method) {
    case (let type?, let method?):
      frame.function = Self.isObjectiveC(type, method) ?? "\(type).\(method)"
    case (let type?, nil): frame.function = type
    case (nil, let method?): frame.function = method
    case (nil, nil): break
    }
    if let code = value.text("code") { Self.read(code, into: &frame) }
    frame = located(frame)
    // With an address `fileName` is the image's.
    if frame.address == nil {
      frame.file = value.text("fileName")
      if let line = value.number("lineNumber"), line > 0 { frame.line = line }
    }
    return frame
  }

  /// `-[Class method:]` for what Apple's SDK splits into two.
  private static func isObjectiveC(_ type: String, _ method: String) -> String? {
    if let first = method.utf8.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      return method
    }
    guard method.hasSuffix(":") else { return nil }
    return "-[\(type) \(method)]"
  }

  /// `0x<base> + <offset>`, or, from devices that symbolicate themselves, `<symbol> + <offset>`; both offsets
  /// are decimal.
  private static func read(_ code: String, into frame: inout Frame) {
    let bytes = code.utf8
    guard let plus = code.lastRange(of: " + "), let offset = UInt64(code[plus.upperBound...]) else {
      if frame.function == nil, frame.address == nil, !code.hasPrefix("0x") {
        frame.function = code
      }
      return
    }
    let name = code[..<plus.lowerBound]
    if name.utf8.starts(with: "0x".utf8) {
      guard frame.address == nil, let base = UInt64(name.dropFirst(2), radix: 16),
        bytes.count < 64
      else { return }
      let (address, overflow) = base.addingReportingOverflow(offset)
      if !overflow, address != 0 { frame.address = Address(address) }
      return
    }
    guard frame.function == nil, !name.isEmpty else { return }
    if name.hasPrefix("$s") || name.hasPrefix("_Z") || name.hasPrefix("Z") && name.contains("_ZN") {
      frame.symbol = String(name)
    }
    frame.function = String(name)
    frame.symbolOffset = offset
  }

  /// An exception with its causes.
  mutating func exception(_ value: JSONValue, depth: Int = 0) -> LanguageException? {
    guard exceptionCount < AppCenterLimits.exceptions else {
      note("only the first \(AppCenterLimits.exceptions) exceptions were read")
      return nil
    }
    exceptionCount += 1
    var exception = LanguageException(type: value.text("type"), message: value.text("message"))
    exception.frames =
      callStack(of: value) ?? frames(of: value.list("frames"), first: .returnAddress)
    if exception.frames.isEmpty, let text = value.text("stackTrace") {
      let room = AppCenterLimits.frames - frameCount
      exception.frames = ManagedStackText.frames(of: text, limit: max(0, room))
      frameCount += exception.frames.count
    }
    if depth == 0 { keepTag(.wrapperName, value.text("wrapperSdkName")) }
    let inner = value.list("innerExceptions")
    if depth < AppCenterLimits.causes {
      for cause in inner where cause.object != nil {
        guard let cause = self.exception(cause, depth: depth + 1) else { break }
        exception.inner.append(cause)
      }
    } else if !inner.isEmpty {
      note("causes deeper than \(AppCenterLimits.causes) were left out")
    }
    return exception
  }

  mutating func note(_ text: String) {
    if !report.notes.contains(text) { report.notes.append(text) }
  }

  mutating func readThreads() {
    let threads = log.list("threads")
    if threads.count > AppCenterLimits.threads {
      note("only the first \(AppCenterLimits.threads) threads were read")
    }
    for (index, value) in threads.prefix(AppCenterLimits.threads).enumerated()
    where value.object != nil {
      let id = value.number("id")
      var thread = CrashThread(index: id.flatMap { type == "appleError" ? $0 : nil } ?? index)
      thread.id = type == "appleError" ? nil : id.flatMap { UInt64(exactly: $0) }
      thread.name = value.text("name")
      thread.frames = frames(of: value.list("frames"), first: .exact)
      report.threads.append(thread)
    }
  }

  /// Index into the report's threads of the one that the log says crashed.
  var crashedThread: Int? {
    guard let id = log.number("errorThreadId") else { return nil }
    return log.list("threads").prefix(AppCenterLimits.threads).lazy
      .filter { $0.object != nil }.enumerated()
      .first { $0.element.number("id") == id }?.offset
  }

  consuming func finished() -> CrashReport {
    if let crashed = crashedThread, report.threads.indices.contains(crashed) {
      report.crashedThread = crashed
      report.threads[crashed].crashed = true
      if report.threads[crashed].name == nil {
        report.threads[crashed].name = log.text("errorThreadName")
      }
    }
    return report
  }
}

extension Architecture {
  /// By the ids of App Center's `binaries` and of the log itself, which are those of Mach-O.
  init?(appCenter value: JSONValue) {
    guard let type = value.number("primaryArchitectureId") else { return nil }
    let variant = value.number("architectureVariantId") ?? 0
    guard let type = UInt32(exactly: type) else { return nil }
    self.init(machCPU: type, subtype: UInt32(truncatingIfNeeded: variant))
  }
}

extension String {
  /// The last range of `text`, compared byte by byte.
  fileprivate func lastRange(of text: String) -> Range<String.Index>? {
    let wanted = Array(text.utf8)
    let bytes = utf8
    guard bytes.count >= wanted.count else { return nil }
    var start = bytes.index(bytes.endIndex, offsetBy: -wanted.count)
    while true {
      let end = bytes.index(start, offsetBy: wanted.count)
      if bytes[start..<end].elementsEqual(wanted) { return start..<end }
      guard start > bytes.startIndex else { return nil }
      start = bytes.index(before: start)
    }
  }
}
