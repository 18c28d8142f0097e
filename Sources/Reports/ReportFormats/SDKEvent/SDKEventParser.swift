internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

/// Parses a report from an event.
struct SDKEventParser {
  private var report = CrashReport(format: .sdkEvent)
  private var budget = StackBudget()
  private var images: [String: Int] = [:]

  mutating func read(_ event: SDKEvent) {
    readFacts(event.around)
    switch event.form {
    case .exceptions: readExceptions(event.body)
    case .rollbar: readRollbar(event.body)
    case .raygun: setException(raygun(event.body, depth: 0))
    case .airbrake:
      setChain(event.body.list("errors").prefix(32).map { exception($0, frames: "backtrace") })
    case .appSignal: setException(exception(event.body, frames: "backtrace"))
    case .stack: readStack(event.body)
    }
  }

  consuming func finished() -> CrashReport {
    if let note = budget.note { report.notes.append(note) }
    return report
  }

  // MARK: Facts

  private mutating func readFacts(_ value: JSONValue) {
    let app = value.member("app") ?? .object([])
    let device = value.member("device") ?? .object([])
    let facts = value.member("attribute") ?? value.member("attributes") ?? .object([])
    report.incident = value.text("id") ?? value.text("uuid") ?? value.text("database_id")
    report.time =
      device.time("time") ?? value.time("timestamp") ?? value.time("occurredOn")
      ?? value.time("date")
    if let seconds = value.number("timestamp"), report.time == nil {
      report.time = Timestamp(seconds: Int64(seconds))
    }
    report.app.identifier = app.text("id") ?? facts.text("app_unique_id")
    report.app.name =
      value.member("metaData")?.member("app")?.text("name") ?? report.app.identifier
    report.app.version =
      app.text("version") ?? facts.text("app_version") ?? value.text("code_version") ?? value.text(
        "version")
      ?? value.text("appVersion")
    report.app.build =
      app.text("versionCode") ?? app.text("bundleVersion") ?? facts.text("app_build")
    report.os.name = (device.text("osName") ?? facts.text("os_name") ?? value.text("os")).map(
      Self.systemName)
    report.os.version =
      device.text("osVersion") ?? facts.text("os_version") ?? value.text("osVersion")
    report.os.build = device.member("runtimeVersions")?.text("osBuild")
    report.device.model = device.text("model") ?? facts.text("device_model")
    if let name = app.text("binaryArch") ?? value.text("cpu") {
      report.device.architecture =
        name == "amd64" || name == "x86_64" ? .x86_64 : Architecture(name)
    }
    report.install = device.text("id") ?? facts.text("installation_id")
    report.user = value.member("user")?.text("id") ?? facts.text("user_id")
    report.tags[.session] = value.member("session")?.text("id") ?? value.text("session_id")
    report.tags[.locale] = device.text("locale") ?? facts.text("device_locale")
    report.tags[.deviceMaker] = device.text("manufacturer") ?? facts.text("device_manufacturer")
    report.tags[.threadName] = facts.text("thread_name")
    report.process.path = value.text("ExecutablePath")
    report.process.name = report.process.path?.split(separator: "/").last.map(String.init)
    if report.app.name == nil { report.app.name = report.process.name }
  }

  private static func systemName(_ name: String) -> String {
    ["android": "Android", "ios": "iOS", "macos": "macOS", "windows": "Windows", "linux": "Linux"][
      name] ?? name
  }

  // MARK: Forms

  private mutating func readExceptions(_ value: JSONValue) {
    for image in value.list("binary_images").prefix(FormatLimits.images) { read(image: image) }
    if value.member("handled")?.truth == true || value.member("unhandled")?.truth == false {
      report.kind = .handled
    }
    let list = value.list("exceptions").prefix(64).filter { $0.object != nil }
    setChain(
      list.map { exception($0, frames: $0.member("frames") == nil ? "stacktrace" : "frames") })
    let first = list.first
    if report.reason.type?.contains("AnrError") == true || report.reason.type == "ANR" {
      report.kind = .hang
    }
    let signal =
      first?.text("signal") ?? value.member("severityReason")?.member("attributes")?.text(
        "signalType")
      ?? (report.reason.type?.hasPrefix("SIG") == true ? report.reason.type : nil)
    report.reason.signal = signal
    for thread in value.list("threads").prefix(FormatLimits.stacks) where thread.object != nil {
      read(thread: thread)
    }
    moveNativeStack(signal, threadName: first?.text("thread_name"))
  }

  /// A signal is not a language's exception: its stack is that of the crashed thread.
  private mutating func moveNativeStack(_ signal: String?, threadName: String?) {
    guard let exception = report.reason.exception,
      exception.frames.contains(where: { $0.image != nil })
    else {
      return
    }
    let isSignal =
      signal != nil && (exception.type == signal || exception.type?.hasPrefix("SIG") == true)
    guard isSignal else { return }
    var frames = exception.frames
    if !frames.isEmpty { frames[0].position = .exact }
    if let index = report.threads.firstIndex(where: { $0.crashed }) {
      report.threads[index].frames = frames
      report.crashedThread = index
    } else {
      report.threads.insert(
        CrashThread(index: 0, name: threadName, crashed: true, frames: frames), at: 0)
      report.crashedThread = 0
    }
    report.reason.exception = nil
    report.reason.type = nil
  }

  /// Exceptions of Rollbar: the oldest frame first.
  private mutating func readRollbar(_ body: JSONValue) {
    let chain = body.list("trace_chain")
    let traces = chain.isEmpty ? [body.member("trace") ?? .null] : chain
    setChain(
      traces.prefix(32).map { trace in
        var result = LanguageException(
          type: trace.member("exception")?.text("class"),
          message: trace.member("exception")?.text("message"))
        result.frames = frames(trace.list("frames").reversed())
        return result
      })
  }

  private mutating func raygun(_ error: JSONValue, depth: Int) -> LanguageException {
    var result = LanguageException(type: error.text("className"), message: error.text("message"))
    result.frames = frames(error.list("stackTrace"))
    if depth < 32, let inner = error.member("innerError"), inner.object != nil {
      result.inner = [raygun(inner, depth: depth + 1)]
    }
    return result
  }

  /// gdb's stack of the crashed thread.
  private mutating func readStack(_ value: JSONValue) {
    var thread = CrashThread(index: 0, crashed: true, frames: frames(value.list("stacktrace")))
    if !thread.frames.isEmpty { thread.frames[0].position = .exact }
    report.threads = [thread]
    report.crashedThread = 0
    if let number = value.number("Signal") {
      report.reason.signal =
        [4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"][number]
    }
    report.reason.message = value.text("Title")?.cutMessage
  }

  // MARK: Exceptions, threads and frames

  private mutating func exception(_ value: JSONValue, frames key: String) -> LanguageException {
    var result = LanguageException(
      type: value.text("errorClass") ?? value.text("type") ?? value.text("name"),
      message: value.text("message"))
    result.frames = frames(value.list(key))
    return result
  }

  private mutating func setException(_ exception: LanguageException) {
    report.reason.exception = exception
    report.reason.type = exception.type
    report.reason.message = exception.message?.cutMessage
  }

  /// Sets the exceptions, the outermost first.
  private mutating func setChain(_ chain: [LanguageException]) {
    var result: LanguageException?
    for var exception in chain.reversed() {
      if let result { exception.inner = [result] }
      result = exception
    }
    if let result { setException(result) }
  }

  private mutating func read(thread value: JSONValue) {
    var thread = CrashThread(
      index: value.number("sequence") ?? value.number("id") ?? report.threads.count)
    thread.name = value.text("name")
    thread.crashed = value.member("errorReportingThread")?.truth ?? false
    let key = value.member("frames") == nil ? "stacktrace" : "frames"
    thread.frames = frames(value.list(key))
    if thread.frames.first?.image != nil { thread.frames[0].position = .exact }
    if thread.crashed, report.crashedThread == nil { report.crashedThread = report.threads.count }
    report.threads.append(thread)
  }

  private mutating func frames(_ list: [JSONValue]) -> [Frame] {
    list.compactMap { value in
      guard budget.takeFrame() else { return nil }
      if let text = value.string {
        return RubyLine(ByteView(text.utf8).bytes)?.frame ?? ManagedStackText.frame(text)
      }
      return value.object == nil ? nil : frame(value)
    }
  }

  private mutating func frame(_ value: JSONValue) -> Frame? {
    var frame = Frame(position: value.member("isPC")?.truth == true ? .exact : .returnAddress)
    let name =
      value.text("method") ?? value.text("method_name") ?? value.text("methodName")
      ?? value.text("function")
    let type = value.text("class_name") ?? value.text("className")
    if let type, let name, !name.hasPrefix(type + ".") {
      frame.function = "\(type).\(name)"
    } else {
      frame.function = name ?? type
    }
    frame.inApp = value.member("inProject")?.truth ?? value.member("in_app")?.truth
    readAddress(value, of: &frame)
    let file =
      value.text("file") ?? value.text("file_name") ?? value.text("fileName")
      ?? value.text("filename")
    if frame.image == nil {
      frame.file = file
      if let module = value.text("module_name"), let file { frame.file = module + file }
      let line = Self.first(["lineNumber", "line_num", "lineno", "line"], of: value)
      frame.line = line.flatMap { $0 > 0 ? $0 : nil }
      let column = Self.first(["columnNumber", "col_num", "colno", "column"], of: value)
      if frame.line != nil { frame.column = column.flatMap { $0 > 0 ? $0 : nil } }
      // gdb's `file.c:12` in one value.
      if frame.line == nil, let file {
        let location = SourceLocation(ByteView(file.utf8).bytes)
        if let line = location.line {
          frame.file = location.file
          frame.line = line
        }
      }
    }
    return frame.function == nil && frame.address == nil && frame.file == nil
      && frame.imageOffset == nil
      ? nil : frame
  }

  private static func first(_ keys: [String], of value: JSONValue) -> Int? {
    for key in keys { if let number = value.number(key) { return number } }
    return nil
  }

  // MARK: Addresses and images

  /// Reads the address of a native frame, and the image that it names.
  private mutating func readAddress(_ value: JSONValue, of frame: inout Frame) {
    let load =
      value.hex("loadAddress") ?? value.hex("machoLoadAddress") ?? value.hex("binary_address")
    // measure calls the instruction `symbol_address`.
    let isMeasure = value.member("binary_address") != nil
    let address =
      value.hex("frameAddress") ?? value.hex("instruction_address") ?? value.hex("address")
      ?? (isMeasure ? value.hex("symbol_address") : nil)
    guard let address, address > 0 else { return }
    frame.address = Address(address)
    if let symbol = value.hex("symbolAddress"), symbol <= address, symbol > 0 {
      frame.symbolOffset = address - symbol
    }
    let path =
      value.text("machoFile") ?? value.text("binary_name") ?? value.text("dylib")
      ?? (load == nil ? nil : value.text("file"))
    if let path, let index = image(path, load: load, value) {
      frame.image = index
      if let base = load ?? report.images[index].base?.value, address >= base {
        frame.imageOffset = ImageOffset(address - base)
      }
      return
    }
    for (index, image) in report.images.enumerated() {
      guard let offset = image.offset(of: Address(address)) else { continue }
      frame.image = index
      frame.imageOffset = offset
      return
    }
  }

  private mutating func image(_ path: String, load: UInt64?, _ value: JSONValue) -> Int? {
    let key = load.map { "\($0)" } ?? path
    if let known = images[key] ?? images[path] { return known }
    guard report.images.count < FormatLimits.images else { return nil }
    let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    var image = LoadedImage(name: name, path: path == name ? nil : path)
    image.base = load.map { Address($0) }
    if let uuid = value.text("machoUUID") {
      image.debugID = DebugID(uuid)
    } else if let code = value.text("codeIdentifier").flatMap({ CodeID($0) }) {
      image.codeID = code
      image.debugID = DebugID(buildID: code.bytes)
    }
    image.architecture = report.device.architecture
    images[key] = report.images.count
    report.images.append(image)
    return report.images.count - 1
  }

  private mutating func read(image value: JSONValue) {
    let path = value.text("path") ?? value.text("name") ?? "???"
    let name = value.text("name") ?? path.split(separator: "/").last.map(String.init) ?? path
    var image = LoadedImage(name: name, path: value.text("path"))
    image.architecture = value.text("arch").map { Architecture($0) }
    // Apple's are UUIDs, those of ELF files build ids.
    image.debugID = value.text("uuid").flatMap { text in
      value.text("path") == nil && report.os.name != "iOS"
        ? CodeID(text).map { DebugID(buildID: $0.bytes) } : DebugID(text)
    }
    if let base = value.hex("start_addr") ?? value.hex("base_addr") {
      image.base = Address(base)
      if let end = value.hex("end_addr"), end > base { image.size = end - base }
      images["\(base)"] = report.images.count
    }
    if images[name] == nil { images[name] = report.images.count }
    report.images.append(image)
  }
}

extension JSONValue {
  /// An address: a number, or hexadecimal digits with or without `0x`.
  fileprivate func hex(_ key: String) -> UInt64? {
    guard let value = member(key) else { return nil }
    guard let text = value.string else { return value.address }
    return text.hasPrefix("0x") ? value.address : UInt64(text, radix: 16)
  }
}
