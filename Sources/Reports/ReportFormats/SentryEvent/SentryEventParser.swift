internal import CrashModel
internal import Identifiers
internal import JSON

/// Parses a report from an event.
struct SentryEventParser {
  private let event: JSONValue
  private let contexts: JSONValue
  private var report = CrashReport(format: .sentryEvent)
  private var map = AppleAddressMap([])
  private var frameCount = 0
  /// Indices in the report by the index in the event, if not every image is in the report.
  private var imageIndices: [Int: Int] = [:]

  init(_ event: JSONValue) {
    self.event = event
    contexts = event.member("contexts") ?? .object([])
  }

  mutating func read() -> CrashReport {
    readIdentity()
    readImages()
    readThreads()
    readExceptions()
    finishThreads()
    return report
  }

  /// The members of an interface; old SDKs write the list itself.
  private func values(_ key: String) -> [JSONValue] {
    let member = event.member(key)
    return (member?.list("values") ?? []) + (member?.array ?? [])
  }

  // MARK: Identity

  private mutating func readIdentity() {
    report.incident = event.text("event_id")?.lowercased()
    report.time = time
    if report.time == nil, let text = event.text("timestamp") {
      report.notes.append("the time is unreadable: \(text.prefix(64))")
    }
    let app = contexts.member("app")
    report.app = AppIdentity(
      name: app?.text("app_name"), identifier: app?.text("app_identifier"),
      version: app?.text("app_version"), build: app?.text("app_build") ?? event.text("dist"))
    readRelease()
    let os = contexts.member("os")
    report.os = OperatingSystem(
      name: os?.text("name"), version: os?.text("version"), build: os?.text("build"))
    report.tags[.kernelVersion] = os?.text("kernel_version")?.cutMessage
    if os?.member("rooted")?.truth == true { report.tags[.jailbreak] = "true" }
    let device = contexts.member("device")
    report.device = Device(
      model: device?.text("model"),
      architecture: (device?.text("arch") ?? device?.list("archs").first?.text)
        .flatMap { Architecture(appleCodeType: $0) })
    report.tags[.deviceMaker] = device?.text("manufacturer")
    if device?.member("simulator")?.truth == true { report.tags[.platform] = "simulator" }
    report.user = event.member("user")?.text("id") ?? event.member("user")?.text("email")
    report.tags[.sdkName] = event.member("sdk")?.text("name")
    report.tags[.sdkVersion] = event.member("sdk")?.text("version")
    if let level = event.text("level"), ["warning", "info", "debug", "log"].contains(level) {
      report.kind = .handled
    }
    readProperties()
  }

  /// Seconds since 1970, or a date; one without a zone is in UTC.
  private var time: Timestamp? {
    switch event.member("timestamp") {
    case .string(let text): return Timestamp(text)
    case .integer(let seconds)? where seconds > 0 && seconds < 1 << 40:
      return Timestamp(seconds: seconds)
    case .double(let seconds)? where seconds > 0 && seconds < 1e11:
      return Timestamp(microseconds: Int(seconds * 1_000_000))
    default: return nil
    }
  }

  /// `app.tern@1.2.0+57`, `app.tern@1.2.0`, or any other text.
  private mutating func readRelease() {
    guard let release = event.text("release") else { return }
    guard let at = release.lastIndex(of: "@") else {
      report.app.version = report.app.version ?? release
      return
    }
    let version = release[release.index(after: at)...].split(separator: "+", maxSplits: 1)
    report.app.identifier = report.app.identifier ?? String(release[..<at])
    report.app.version = report.app.version ?? version.first.map(String.init)
    if version.count > 1 { report.app.build = report.app.build ?? String(version[1]) }
  }

  /// `tags` and `extra`, the former also as a list of pairs.
  private mutating func readProperties() {
    var pairs = (event.member("tags")?.object ?? []).map { ($0.key, $0.value) }
    for pair in event.list("tags") {
      if let key = pair[0]?.text, let value = pair[1] { pairs.append((key, value)) }
    }
    pairs += (event.member("extra")?.object ?? []).map { ($0.key, $0.value) }
    if let text = event.text("environment") { pairs.append(("environment", .string(text))) }
    for (key, value) in pairs where report.properties.count < AppCenterLimits.properties {
      guard let text = value.text else { continue }
      report.properties[key.cut(AppCenterLimits.textBytes)] = text.cut(AppCenterLimits.textBytes)
    }
  }

  // MARK: Images

  private mutating func readImages() {
    let images = event.member("debug_meta")?.list("images") ?? []
    if images.count > AppleLimits.images { reach(AppleLimits.images, of: "images") }
    for (index, value) in images.prefix(AppleLimits.images).enumerated()
    where value.object != nil {
      imageIndices[index] = report.images.count
      if value.text("type") == "proguard", let id = Self.id(of: value) {
        report.images.append(
          LoadedImage(name: "R8 mapping", architecture: .jvm, debugID: id))
        continue
      }
      // Mappings of other languages are not images.
      guard value.address("image_addr") != nil || value.text("code_file") != nil else {
        imageIndices[index] = nil
        continue
      }
      let path = value.text("code_file") ?? value.text("name")
      var image = LoadedImage(name: path.map { Self.lastPart($0) } ?? "???", path: path)
      image.base = value.address("image_addr").map { Address($0) }
      image.size = value.address("image_size")
      image.debugFile = value.text("debug_file").map { Self.lastPart($0) }
      image.codeID = value.text("code_id").flatMap { CodeID($0) }
      image.debugID = Self.id(of: value)
      if image.debugID == nil, value.text("type") == "elf", let code = image.codeID {
        image.debugID = DebugID(buildID: code.bytes)
      }
      image.architecture =
        value.text("arch").map { Architecture($0) } ?? Self.architecture(value)
      switch value.text("type") {
      case "sourcemap": image.architecture = .javaScript
      case "pe_dotnet": image.architecture = .cil
      default: break
      }
      report.images.append(image)
    }
    // SDKs give only the family of the processor.
    if report.device.architecture == nil || report.device.architecture == .i386,
      let architecture = report.images.first(where: { !$0.isManaged })?.architecture
    {
      report.device.architecture = architecture
    }
    map = AppleAddressMap(report.images)
  }

  private static func id(of value: JSONValue) -> DebugID? {
    let id = value.text("debug_id") ?? value.text("uuid") ?? value.text("id")
    return id.flatMap { DebugID($0) }.flatMap { $0.isZero ? nil : $0 }
  }

  private static func architecture(_ value: JSONValue) -> Architecture? {
    guard let type = value.number("cpu_type").flatMap({ UInt32(exactly: $0) }), type != 0 else {
      return nil
    }
    let subtype = value.number("cpu_subtype") ?? 0
    return Architecture(machCPU: type, subtype: UInt32(truncatingIfNeeded: subtype))
  }

  private static func lastPart(_ path: String) -> String {
    path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? path
  }

  // MARK: Stacks

  /// The frames, youngest first.
  private mutating func frames(_ stack: JSONValue?, first: CodePosition) -> [Frame] {
    guard let stack else { return [] }
    let others: CodePosition
    var youngest = first
    switch stack.text("instruction_addr_adjustment") {
    case "none": (youngest, others) = (.adjusted, .adjusted)
    case "all": (youngest, others) = (.returnAddress, .returnAddress)
    case "all_but_first": (youngest, others) = (.exact, .returnAddress)
    default: others = .returnAddress
    }
    var frames: [Frame] = []
    for value in stack.list("frames").reversed() where value.object != nil {
      guard frameCount < AppleLimits.frames else {
        reach(AppleLimits.frames, of: "frames")
        break
      }
      frameCount += 1
      frames.append(frame(value, position: frames.isEmpty ? youngest : others))
    }
    return frames
  }

  private func frame(_ value: JSONValue, position: CodePosition) -> Frame {
    guard let address = value.address("instruction_addr") else {
      var frame = Frame(position: position, function: value.text("function"))
      frame.function = frame.function.map { qualified($0, value) }
      setSource(of: &frame, value)
      return frame
    }
    var frame =
      relativeFrame(address, value, position) ?? map.frame(at: address, position: position)
    if let name = value.text("function"), name != "<redacted>", name != "<unknown>" {
      if let start = value.address("symbol_addr") {
        frame.takeSymbol(name, start: start)
      } else {
        frame.function = qualified(name, value)
      }
    }
    setSource(of: &frame, value)
    return frame
  }

  /// A function with its class, which events of Java and .NET write beside it.
  private func qualified(_ function: String, _ value: JSONValue) -> String {
    guard let module = value.text("module"),
      ["java", "csharp"].contains(value.text("platform") ?? event.text("platform"))
    else { return function }
    // The result type before the name is not part of the function.
    let end = function.firstIndex(of: "(") ?? function.endIndex
    let name = function[..<end].lastIndex(of: " ").map { function[function.index(after: $0)...] }
    return "\(module).\(name ?? function[...])"
  }

  /// A frame whose address is counted from the start of an image: `"addr_mode": "rel:3"`.
  private func relativeFrame(_ offset: UInt64, _ value: JSONValue, _ position: CodePosition)
    -> Frame?
  {
    guard let mode = value.text("addr_mode"), mode.hasPrefix("rel:"),
      let index = Int(mode.dropFirst(4)).flatMap({ imageIndices[$0] })
    else { return nil }
    var frame = Frame(position: position, image: index, imageOffset: ImageOffset(offset))
    if let token = value.address("function_id"), report.images[index].architecture == .cil {
      // The offset is relative to this method's code, and already that of the call.
      frame.symbol = "0x" + String(token, radix: 16)
      frame.position = .adjusted
    }
    return frame
  }

  private func setSource(of frame: inout Frame, _ value: JSONValue) {
    frame.file = value.text("abs_path") ?? value.text("filename")
    if let line = value.number("lineno"), line > 0 { frame.line = line }
    if let column = value.number("colno"), column > 0 { frame.column = column }
    frame.inApp = value.member("in_app")?.truth
  }

  private mutating func readThreads() {
    let threads = values("threads")
    if threads.count > AppleLimits.threads { reach(AppleLimits.threads, of: "threads") }
    for value in threads.prefix(AppleLimits.threads) where value.object != nil {
      let id = value.number("id") ?? value.number("uuid")
      var thread = CrashThread(index: id ?? report.threads.count)
      thread.id = id.flatMap { UInt64(exactly: $0) }
      thread.name = value.text("name")
      thread.crashed = value.member("crashed")?.truth ?? false
      let stack = value.member("stacktrace")
      thread.frames = frames(stack, first: .exact)
      thread.registers = Self.registers(stack)
      report.threads.append(thread)
    }
  }

  private static func registers(_ stack: JSONValue?) -> [Register] {
    var registers: [Register] = []
    for member in (stack?.member("registers")?.object ?? []).prefix(AppleLimits.registers) {
      if let value = member.value.address { registers.append(Register(member.key, value)) }
    }
    // The order of a map is arbitrary.
    return registers.sorted { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) }
  }

  // MARK: Reason

  private mutating func readExceptions() {
    let exceptions = values("exception").filter { $0.object != nil }.suffix(
      AppCenterLimits.exceptions)
    guard let last = exceptions.last else {
      report.reason.message =
        (event.text("message") ?? event.member("logentry")?.text("formatted")
        ?? event.member("logentry")?.text("message"))?.cutMessage
      return
    }
    let mechanism = last.member("mechanism")
    if mechanism?.member("handled")?.truth == true { report.kind = .handled }
    readNative(mechanism)
    let type = last.text("type")
    if let type, type.hasPrefix("EXC_") || type.hasPrefix("SIG") {
      readSignal(last, type)
      return
    }
    // A cause precedes its effect.
    var inner: [LanguageException] = []
    for value in exceptions.dropLast().reversed() { inner.append(exception(value)) }
    var exception = exception(last)
    exception.inner = inner
    report.reason.message = exception.message
    report.reason.exception = exception
    takeStack(of: last, exception.frames)
  }

  private mutating func exception(_ value: JSONValue) -> LanguageException {
    var type = value.text("type")
    if let module = value.text("module"), let name = type { type = "\(module).\(name)" }
    return LanguageException(
      type: type, message: value.text("value")?.cutMessage,
      frames: frames(value.member("stacktrace"), first: .returnAddress))
  }

  /// The signal, and the exception of Mach, which SDKs put in different places.
  private mutating func readNative(_ mechanism: JSONValue?) {
    guard let mechanism else { return }
    let facts = mechanism.member("meta") ?? mechanism.member("data") ?? mechanism
    let signal = facts.member("signal") ?? mechanism.member("posix_signal")
    if let name = signal?.text("name"), name.hasPrefix("SIG") { report.reason.signal = name }
    let mach = facts.member("mach_exception") ?? mechanism.member("mach_exception")
    report.reason.type = mach?.text("exception_name") ?? mach?.text("name")
    let address =
      mechanism.address("relevant_address") ?? mechanism.member("data")?.address("relevant_address")
    if report.reason.signal != "SIGABRT" { report.reason.address = address.map { Address($0) } }
    if let code = signal?.text("code_name"), !code.hasSuffix("_NOOP") { report.reason.code = code }
  }

  private mutating func readSignal(_ value: JSONValue, _ type: String) {
    if type.hasPrefix("SIG") {
      report.reason.signal = report.reason.signal ?? type
    } else {
      report.reason.type = type
    }
    if let text = value.text("value") {
      if let message = SwiftFatalError.message(in: text) {
        report.reason.message = message.cutMessage
      } else {
        // The SDK's guess as text.
        report.tags[.cause] = text.cutMessage
      }
    }
    takeStack(of: value, frames(value.member("stacktrace"), first: .exact))
  }

  /// An event may leave out the stack of the exception's thread, or all threads.
  private mutating func takeStack(of value: JSONValue, _ frames: [Frame]) {
    let id = value.number("thread_id")
    let index =
      report.threads.firstIndex { id != nil && $0.index == id }
      ?? report.threads.firstIndex { $0.crashed }
    guard let index else {
      guard report.reason.exception == nil, !frames.isEmpty else { return }
      var thread = CrashThread(index: id ?? 0, crashed: true, frames: frames)
      thread.registers = Self.registers(value.member("stacktrace"))
      report.threads.append(thread)
      return
    }
    report.threads[index].crashed = true
    if report.threads[index].frames.isEmpty, report.reason.exception == nil {
      report.threads[index].frames = frames
    }
  }

  private mutating func finishThreads() {
    report.crashedThread = report.threads.firstIndex { $0.crashed }
    for index in report.threads.indices {
      report.threads[index].crashed = index == report.crashedThread
    }
    let crashed = report.crashedThread.map { report.threads[$0].frames } ?? []
    if crashed.isEmpty, report.reason.exception?.frames.isEmpty ?? true {
      report.notes.append("the report has no stack")
    }
  }

  private mutating func reach(_ limit: Int, of what: String) {
    let note = "only the first \(limit) \(what) were read"
    if !report.notes.contains(note) { report.notes.append(note) }
  }
}
