internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension ReportFormat {
  /// A diagnostic report of Node: `report.*.json`.
  static let nodeReport = ReportFormat("node-report")
}

/// Node's diagnostic reports: one JSON object.
///
///     {"header": {"reportVersion": 4, "event": "Exception", "trigger": "Exception", "nodejsVersion": "v20.20.2", …},
///      "javascriptStack": {"message": "TypeError: …", "stack": ["at total (/src/till.js:4:39)"]},
///      "nativeStack": [{"pc": "0x00d5", "symbol": "node::TriggerNodeReport(…) [node]"}],
///      "sharedObjects": ["/lib/libc.so.6"]}
///
/// Source: the chapter "Diagnostic report" of Node's documentation.
enum NodeReportReader: DocumentReader {
  static let format = ReportFormat.nodeReport
  static let fileExtension = "json"

  static func recognises(_ bytes: ByteView) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    return keys.contains("header")
      && !keys.isDisjoint(with: ["javascriptStack", "nativeStack", "javascriptHeap"])
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try ObjectDocument(reading: bytes, name: "a diagnostic report of Node")
    var report = CrashReport(format: .nodeReport)
    readHeader(document.value.member("header") ?? .object([]), into: &report)
    readScript(document.value, into: &report)
    readNative(document.value, into: &report)
    if let note = document.note { report.notes.append(note) }
    return [report]
  }

  private static func readHeader(_ header: JSONValue, into report: inout CrashReport) {
    let event = header.text("event")
    switch header.text("trigger") {
    case "Exception": report.kind = .crash
    case "FatalError", "OOMError":
      report.kind =
        event?.contains("emory") ?? false || header.text("trigger") == "OOMError" ? .oom : .crash
    default: report.kind = .other
    }
    report.reason.type = event ?? header.text("trigger")
    if let time = header.number("dumpEventTimeStamp") {
      report.time = Timestamp(microseconds: time.multipliedReportingOverflow(by: 1000).partialValue)
    } else {
      report.time = header.time("dumpEventTime")
    }
    report.process.pid = header.number("processId")
    let command = header.list("commandLine").compactMap { $0.text }
    report.process.name = command.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    report.process.path = command.first
    if command.count > 1, let script = command.dropFirst().first(where: { !$0.hasPrefix("-") }) {
      report.app.name = script.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }
    report.tags[.wrapperRuntime] = header.text("nodejsVersion").map { "Node.js \($0)" }
    report.os = OperatingSystem(name: header.text("osName"), version: header.text("osRelease"))
    report.os.build = header.text("osVersion")
    if let name = header.text("arch") {
      report.device.architecture =
        switch name {
        case "x64": .x86_64
        case "ia32": .i386
        case "arm64": .arm64
        default: Architecture(name)
        }
    }
    report.tags[.cpuCount] = header.member("cpus")?.array.map { String($0.count) }
  }

  private static func readScript(_ value: JSONValue, into report: inout CrashReport) {
    guard let stack = value.member("javascriptStack") else { return }
    let lines = stack.list("stack").prefix(FormatLimits.framesPerStack)
    let frames = lines.compactMap { $0.text.flatMap { ManagedStackText.frame($0) } }
    let message = stack.text("message")
    guard !frames.isEmpty || message != nil && message != "No stack." else { return }
    var exception = LanguageException(frames: frames)
    if let message {
      let header = ScriptHeader(ByteView(message.utf8).bytes)
      exception.type = header.type
      exception.message = header.message
      report.reason.code = header.code
    }
    if let properties = stack.member("errorProperties")?.object {
      for property in properties.prefix(64) where property.key != "code" {
        report.properties[property.key.cut(256)] = property.value.text?.cut(1024)
      }
      report.reason.code = stack.member("errorProperties")?.text("code") ?? report.reason.code
    }
    guard report.kind == .crash || report.kind == .oom else {
      report.otherStacks.append(NamedStack(title: "JavaScript stack", frames: frames))
      return
    }
    report.reason.exception = exception
    report.reason.type = exception.type ?? report.reason.type
    report.reason.message = exception.message?.cutMessage
  }

  private static func readNative(_ value: JSONValue, into report: inout CrashReport) {
    var images: [String: Int] = [:]
    for path in value.list("sharedObjects").prefix(FormatLimits.images).compactMap({ $0.text }) {
      let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
      images[path] = report.images.count
      report.images.append(LoadedImage(name: name, path: path))
    }
    var frames: [Frame] = []
    for value in value.list("nativeStack").prefix(FormatLimits.framesPerStack) {
      guard let address = value.address("pc") else { continue }
      var frame = Frame(address: Address(address), position: .returnAddress)
      if var symbol = value.text("symbol").map({ $0[...].trimmed }) {
        if symbol.last == "]", let open = symbol.utf8.lastIndex(of: UInt8(ascii: "[")) {
          let name = String(symbol[symbol.utf8.index(after: open)...].dropLast())
          if images[name] == nil, report.images.count < FormatLimits.images {
            images[name] = report.images.count
            report.images.append(
              LoadedImage(
                name: name.split(separator: "/").last.map(String.init) ?? name, path: name))
          }
          frame.image = images[name]
          symbol = symbol[..<open].trimmed
        }
        frame.function = symbol.isEmpty ? nil : String(symbol)
      }
      frames.append(frame)
    }
    guard !frames.isEmpty else { return }
    // The thread that writes the report is the one that failed; an exception has its own stack.
    let isFatal = report.reason.exception == nil && report.kind != .other
    report.crashedThread = isFatal ? 0 : nil
    report.threads = [CrashThread(index: 0, crashed: isFatal, frames: frames)]
  }
}
