internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension ReportFormat {
  /// A crash of Mozilla's server, or the JSON of minidump-stackwalk.
  static let socorro = ReportFormat("socorro")
}

/// Crashes as Socorro stores them, processed and raw, and the output of `minidump-stackwalk --json`.
///
///     {"crash_info": {"type": "SIGSEGV / SEGV_MAPERR", "address": "0x18", "crashing_thread": 0},
///      "system_info": {"os", "os_ver", "cpu_arch"}, "modules": [{"filename", "base_addr", "debug_id", …}],
///      "threads": [{"thread_name", "frames": [{"offset", "module", "module_offset", "function", "file", "line",
///                                              "inlines", "trust"}]}]}
///
/// A processed crash has these in `json_dump` or at the top level, beside `product`, `version` and `uuid`. A
/// raw crash has the annotations of the client, `ProductName` and others, with its own stacks as text in
/// `StackTraces`.
///
/// The address of a frame is inside the call: the stack walker has already stepped back.
///
/// Source: the schemas of mozilla-services/socorro and rust-minidump's json-schema.md.
enum SocorroReader: DocumentReader {
  static let format = ReportFormat.socorro
  static let fileExtension = "json"

  static func recognises(_ bytes: ByteView) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    if keys.contains("crash_info") || keys.contains("json_dump") {
      return !keys.isDisjoint(with: [
        "threads", "modules", "crashing_thread", "json_dump", "system_info",
      ])
    }
    return keys.contains("ProductName")
      && !keys.isDisjoint(with: [
        "StackTraces", "CrashTime", "BuildID", "MinidumpSha256Hash", "minidump_sha256_hash",
      ])
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try ObjectDocument(reading: bytes, name: "a crash of Socorro")
    var parser = SocorroParser()
    try parser.read(document.value)
    if let note = document.note { parser.report.notes.append(note) }
    return [parser.report]
  }
}

/// Parses a report from the object.
private struct SocorroParser {
  var report = CrashReport(format: .socorro)
  private var images: [String: Int] = [:]
  private var budget = StackBudget()

  mutating func read(_ value: JSONValue) throws(ParseError) {
    readAnnotations(value)
    var dump = value.member("json_dump") ?? value
    if let traces = value.member("StackTraces") {
      if let text = traces.string {
        dump = try ObjectDocument(reading: ByteView(text.utf8), name: "the stacks of a raw crash")
          .value
      } else {
        dump = traces
      }
    }
    readReason(dump, value)
    readSystem(dump.member("system_info") ?? .object([]))
    for module in dump.list("modules").prefix(FormatLimits.images) { readModule(module) }
    let crashing =
      dump.member("crash_info")?.number("crashing_thread") ?? value.number("crashing_thread")
      ?? dump.member("crashing_thread")?.number("threads_index")
    for (index, thread) in dump.list("threads").prefix(FormatLimits.stacks).enumerated() {
      read(thread: thread, index: index, isCrashed: index == crashing)
    }
    if let crashing, report.threads.indices.contains(crashing) {
      report.crashedThread = crashing
      let registers = dump.member("crashing_thread")?.list("frames").first?.member("registers")
      if report.threads[crashing].registers.isEmpty {
        report.threads[crashing].registers = self.registers(registers)
      }
    }
    if let main = dump.number("main_module"), report.images.indices.contains(main) {
      report.process.name = report.process.name ?? report.images[main].name
      report.app.name = report.app.name ?? report.images[main].name
    }
    if let pid = dump.number("pid") { report.process.pid = pid }
    if let note = budget.note { report.notes.append(note) }
  }

  private mutating func readAnnotations(_ value: JSONValue) {
    report.incident = value.text("uuid")
    report.app.name = value.text("product") ?? value.text("ProductName")
    report.app.version = value.text("version") ?? value.text("Version")
    report.app.build = value.text("build") ?? value.text("BuildID")
    if let seconds = value.number("crash_time") ?? value.number("CrashTime") {
      report.time = Timestamp(seconds: Int64(seconds))
    } else {
      report.time = value.time("date_processed") ?? value.time("client_crash_date")
    }
    report.process.uptime = value.member("uptime")?.double
    let names = [
      "ReleaseChannel", "release_channel", "ProcessType", "process_type", "Vendor", "URL", "Hang",
      "ShutdownReason",
    ]
    for name in names { report.properties[name] = value.text(name)?.cut(1024) }
    report.reason.message =
      (value.text("MozCrashReason") ?? value.text("moz_crash_reason") ?? value.text("AbortMessage")
      ?? value.text("abort_message"))?.cutMessage
  }

  private mutating func readReason(_ dump: JSONValue, _ value: JSONValue) {
    let info = dump.member("crash_info") ?? .object([])
    if let type = info.text("type") ?? value.text("reason") {
      let parts = type.split(separator: "/").map { String($0[...].trimmed) }
      if let first = parts.first {
        if first.hasPrefix("SIG") {
          report.reason.signal = first
        } else {
          report.reason.type = first
        }
      }
      if parts.count > 1 { report.reason.code = parts[1] }
    }
    report.reason.address = (info.address("address") ?? value.address("address")).map {
      Address($0)
    }
    if report.reason.message == nil { report.reason.message = info.text("assertion")?.cutMessage }
  }

  private mutating func readSystem(_ system: JSONValue) {
    let version = system.text("os_ver")
    report.os.name = system.text("os").map {
      $0 == "Windows NT" ? "Windows" : $0 == "Mac OS X" ? "macOS" : $0
    }
    if let version {
      let words = version.split(separator: " ", maxSplits: 1)
      report.os.version = words.first.map(String.init)
      report.os.build = words.count > 1 ? String(words[1]) : nil
    }
    if let name = system.text("cpu_arch") {
      report.device.architecture =
        switch name {
        case "amd64", "x86-64": .x86_64
        case "x86": .i386
        default: Architecture(name)
        }
    }
    if let count = system.number("cpu_count") { report.tags[.cpuCount] = String(count) }
    report.tags[.cpuInfo] = system.text("cpu_info")
    report.tags[.cpuMicrocode] = system.text("cpu_microcode_version")
  }

  private mutating func readModule(_ value: JSONValue) {
    let path = value.text("filename") ?? value.text("debug_file") ?? "???"
    let name = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
    var image = LoadedImage(name: name, path: name == path ? nil : path)
    image.architecture = report.device.architecture
    image.version = value.text("version")
    image.codeID = value.text("code_id").flatMap { CodeID($0) }
    image.debugID = value.text("debug_id").flatMap { DebugID(breakpad: $0) }
    if let base = value.address("base_addr") {
      image.base = Address(base)
      if let end = value.address("end_addr"), end >= base { image.size = end - base }
    }
    if images[path] == nil { images[path] = report.images.count }
    report.images.append(image)
  }

  private mutating func read(thread value: JSONValue, index: Int, isCrashed: Bool) {
    var thread = CrashThread(index: index)
    thread.name = value.text("thread_name")
    thread.id = value.number("thread_id").flatMap { UInt64(exactly: $0) }
    thread.lastError = value.text("last_error_value")
    thread.crashed = isCrashed
    let frames = value.list("frames")
    thread.registers = registers(frames.first?.member("registers"))
    for frame in frames where frame.object != nil && budget.takeFrame() {
      read(frame: frame, into: &thread.frames)
    }
    report.threads.append(thread)
  }

  private func registers(_ value: JSONValue?) -> [Register] {
    (value?.object ?? []).prefix(FormatLimits.registers).compactMap { member in
      member.value.address.map { Register(member.key, $0) }
    }
  }

  /// A frame after the calls that were inlined into it.
  private mutating func read(frame value: JSONValue, into frames: inout [Frame]) {
    var frame = Frame(position: .adjusted)
    switch value.text("trust") {
    case "context":
      frame.trust = .context
      frame.position = .exact
    case "cfi": frame.trust = .callFrameInformation
    case "frame_pointer": frame.trust = .framePointer
    case "scan", "cfi_scan": frame.trust = .scan
    default: break
    }
    frame.address = (value.address("offset") ?? value.address("ip")).map { Address($0) }
    let module = value.text("module").flatMap { images[$0] } ?? value.number("module_index")
    if let module, report.images.indices.contains(module) { frame.image = module }
    frame.imageOffset = value.address("module_offset").map { ImageOffset($0) }
    if frame.imageOffset == nil, let image = frame.image, let address = frame.address {
      frame.imageOffset = report.images[image].offset(of: address)
    }
    for inline in value.list("inlines") where inline.object != nil && budget.takeFrame() {
      var call = frame
      call.inlined = true
      call.function = inline.text("function")
      setFile(inline, of: &call)
      frames.append(call)
    }
    frame.function = value.text("function")
    frame.symbolOffset = value.address("function_offset")
    setFile(value, of: &frame)
    frames.append(frame)
  }

  /// `hg:hg.mozilla.org/mozilla-central:ipc/glue/Protocol.cpp:a523d4c7efe2`, or a path.
  private func setFile(_ value: JSONValue, of frame: inout Frame) {
    if let file = value.text("file") {
      let parts = file.split(separator: ":", omittingEmptySubsequences: false)
      let isVersioned = parts.count >= 4 && ["hg", "git", "s3", "svn"].contains(parts[0])
      frame.file = isVersioned ? String(parts[2]) : file
    }
    frame.line = value.number("line").flatMap { $0 > 0 ? $0 : nil }
  }
}
