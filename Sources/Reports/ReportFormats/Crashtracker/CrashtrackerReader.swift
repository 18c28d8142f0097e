internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension ReportFormat {
  /// A report of Datadog's crash tracker.
  static let crashtracker = ReportFormat("datadog-crashtracker")
}

/// Reports of libdatadog's crash tracker, which all of Datadog's tracers write:
///
///     {"data_schema_version": "1.4", "uuid", "timestamp", "incomplete",
///      "error": {"is_crash", "kind", "message", "stack": {"frames": [
///         {"ip", "module_base_address", "relative_address", "build_id", "path", "function", "file", "line"}]},
///         "threads": [{"crashed", "name", "stack"}]},
///      "sig_info": {"si_signo_human_readable", "si_code_human_readable", "si_addr"},
///      "metadata": {"tags": ["service:tern", "version:1.2.0"]}, "os_info", "proc_info": {"pid"}}
///
/// Older ones have `stacktrace` and `siginfo` in the outermost object.
///
/// Source: `libdd-crashtracker/src/crash_info` and its schemas of libdatadog.
enum CrashtrackerReader: DocumentReader {
  static let format = ReportFormat.crashtracker
  static let fileExtension = "json"

  static func recognises(_ bytes: ByteView) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    return keys.contains("data_schema_version")
      && !keys.isDisjoint(with: ["error", "stacktrace", "sig_info", "siginfo"])
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try ObjectDocument(reading: bytes, name: "a report of the crash tracker")
    var parser = CrashtrackerParser()
    parser.read(document.value)
    if let note = document.note { parser.report.notes.append(note) }
    return [parser.report]
  }
}

/// Parses a report from the object.
private struct CrashtrackerParser {
  var report = CrashReport(format: .crashtracker)
  private var images: [String: Int] = [:]
  private var budget = StackBudget()

  mutating func read(_ value: JSONValue) {
    report.incident = value.text("uuid")
    report.time = value.time("timestamp")
    let error = value.member("error") ?? .object([])
    readIdentity(value)
    readReason(error, value)
    readStacks(error, value)
    if value.member("incomplete")?.truth == true
      || error.member("stack")?.member("incomplete")?.truth == true
    {
      report.notes.append("the tracker could not finish the report")
    }
    if let note = budget.note { report.notes.append(note) }
  }

  private mutating func readIdentity(_ value: JSONValue) {
    let metadata = value.member("metadata")
    report.tags[.sdkName] =
      metadata?.text("library_name") ?? metadata?.text("profiling_library_name")
    report.tags[.sdkVersion] =
      metadata?.text("library_version") ?? metadata?.text("profiling_library_version")
    report.tags[.language] = metadata?.text("family")
    for tag in metadata?.list("tags").prefix(256) ?? [] {
      guard let text = tag.string, let colon = text.firstIndex(of: ":") else { continue }
      let name = String(text[..<colon])
      let content = String(text[text.index(after: colon)...])
      switch name {
      case "service": report.app.name = content
      case "version": report.app.version = content
      case "runtime_version": report.tags[.runtimeVersion] = content
      default: report.properties[name.cut(256)] = content.cut(1024)
      }
    }
    let system = value.member("os_info")
    let name = system?.text("os_type")
    let isLinux = !["Windows", "Macos", "macOS", "Mac OS"].contains(name ?? "")
    report.os.name = name == "Macos" || name == "Mac OS" ? "macOS" : isLinux ? "Linux" : name
    if isLinux {
      report.tags[.distribution] = [name, system?.text("version")].compactMap { $0 }
        .joined(separator: " ")
    } else {
      report.os.version = system?.text("version")
    }
    report.device.architecture = system?.text("architecture").flatMap {
      ["aarch64": Architecture.arm64, "x86_64": .x86_64, "amd64": .x86_64][$0]
        ?? Architecture($0.cut(32))
    }
    report.process.pid = value.member("proc_info")?.number("pid")
  }

  private mutating func readReason(_ error: JSONValue, _ value: JSONValue) {
    let signal = value.member("sig_info") ?? value.member("siginfo")
    report.reason.signal =
      signal?.text("si_signo_human_readable") ?? signal?.text("signame")
      ?? (signal?.number("si_signo") ?? signal?.number("signum")).flatMap { UInt32(exactly: $0) }
      .flatMap { LinuxSignal.name($0) }
    report.reason.code = signal?.text("si_code_human_readable")
    let isFault = ["SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP"].contains(
      report.reason.signal)
    if isFault, !["SI_USER", "SI_TKILL", "SI_QUEUE"].contains(report.reason.code) {
      let address = signal?.address("si_addr") ?? signal?.address("faulting_address")
      report.reason.address = address.map { Address($0) }
    }
    report.reason.message = (error.text("message") ?? value.text("message"))?.cutMessage
    switch error.text("kind") {
    case "UnixSignal", nil: break
    case let kind?: report.reason.type = kind
    }
    if error.member("is_crash")?.truth == false { report.kind = .handled }
  }

  private mutating func readStacks(_ error: JSONValue, _ value: JSONValue) {
    let own = error.member("stack")?.list("frames") ?? value.list("stacktrace")
    let threads = error.list("threads")
    if !own.isEmpty {
      var thread = CrashThread(index: 0, name: error.text("thread_name"), crashed: true)
      thread.frames = frames(own)
      report.threads.append(thread)
      report.crashedThread = 0
    }
    for thread in threads.prefix(FormatLimits.stacks) where thread.object != nil {
      let isCrashed = thread.member("crashed")?.truth == true
      if isCrashed, report.crashedThread != nil {
        // Its stack is the error's.
        report.threads[0].name = report.threads[0].name ?? thread.text("name")
        continue
      }
      var result = CrashThread(index: report.threads.count, name: thread.text("name"))
      result.frames = frames(thread.member("stack")?.list("frames") ?? [])
      result.crashed = isCrashed
      if isCrashed { report.crashedThread = report.threads.count }
      report.threads.append(result)
    }
    if report.threads.isEmpty { report.notes.append("the report has no stack") }
  }

  private mutating func frames(_ values: [JSONValue]) -> [Frame] {
    var frames: [Frame] = []
    for value in values where value.object != nil {
      // Older ones list the names of the calls that were inlined.
      let names = value.list("names").filter { $0.object != nil }
      var frame = Frame(position: frames.isEmpty ? .exact : .returnAddress)
      frame.address = value.address("ip").map { Address($0) }
      frame.image = image(value)
      frame.imageOffset = value.address("relative_address").map { ImageOffset($0) }
      if frame.imageOffset == nil, let base = value.address("module_base_address"),
        let ip = value.address("ip"), ip >= base, frame.image != nil
      {
        frame.imageOffset = ImageOffset(ip - base)
      }
      if frame.image == nil { frame.imageOffset = nil }
      if let start = value.address("symbol_address"), let ip = value.address("ip"), ip >= start {
        frame.symbolOffset = ip - start
      }
      for (index, name) in names.enumerated() where budget.takeFrame() {
        var call = frame
        call.inlined = index + 1 < names.count
        set(name, "name", "filename", "lineno", "colno", of: &call)
        frames.append(call)
      }
      guard names.isEmpty, budget.takeFrame() else { continue }
      set(value, "function", "file", "line", "column", of: &frame)
      frames.append(frame)
    }
    return frames
  }

  private func set(
    _ value: JSONValue, _ name: String, _ file: String, _ line: String, _ column: String,
    of frame: inout Frame
  ) {
    frame.function = value.text(name)?.cut(FormatLimits.nameBytes)
    if frame.function == nil { frame.symbolOffset = nil }
    frame.file = value.text(file)
    frame.line = value.number(line).flatMap { $0 > 0 ? $0 : nil }
    frame.column = value.number(column).flatMap { $0 > 0 ? $0 : nil }
  }

  private mutating func image(_ value: JSONValue) -> Int? {
    let path = value.text("path")
    let base = value.address("module_base_address")
    guard path != nil || base.map({ $0 > 0 }) == true && value.text("build_id") != nil else {
      return nil
    }
    let key = "\(base ?? 0) \(path ?? "")"
    if let index = images[key] { return index }
    guard report.images.count < FormatLimits.images else { return nil }
    let name = path?.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "???"
    var image = LoadedImage(name: name, path: path, base: base.map { Address($0) })
    image.architecture = report.device.architecture
    if let id = value.text("build_id") {
      if value.text("build_id_type") == "PDB" {
        image.debugID = DebugID(breakpad: id)
      } else if let code = CodeID(id) {
        image.codeID = code
        image.debugID = DebugID(buildID: code.bytes)
      }
    }
    images[key] = report.images.count
    report.images.append(image)
    return report.images.count - 1
  }
}
