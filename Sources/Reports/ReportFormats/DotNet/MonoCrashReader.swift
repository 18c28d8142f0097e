internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension ReportFormat {
  /// The file that Mono writes for the crash reporter of its system: `mono_crash.HASH.N.json`.
  static let monoCrash = ReportFormat("mono-crash")
}

/// Mono's crash files: one object with the runtime's configuration and the stacks of all threads.
///
///     {"protocol_version": "0.0.5", "configuration": {"version": "(6.8.0.105)", "architecture": "amd64"},
///      "threads": [{"is_managed": true, "crashed": true, "native_thread_id": "0x7f", "thread_name": "main",
///        "ctx": {"IP": "0x", "SP": "0x", "BP": "0x"},
///        "managed_frames": [{"guid": "E9CB…", "token": "0x6000001", "filename": "Till.exe", "il_offset": "0x2a"}],
///        "unmanaged_frames": [{"native_address": "0x55", "unmanaged_name": "abort"}]}]}
///
/// Source: mono-state.c of Mono.
enum MonoCrashReader: DocumentReader {
  static let format = ReportFormat.monoCrash
  static let fileExtension = "json"
  static func recognises(_ bytes: ByteView) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    return keys.contains("protocol_version")
      && !keys.isDisjoint(with: ["configuration", "threads"])
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try ObjectDocument(reading: bytes, name: "Mono's crash file")
    guard document.value.member("threads")?.array != nil else {
      throw ParseError(.notRecognised, in: "a file of Mono without threads", at: 0)
    }
    var parser = MonoCrashParser()
    parser.read(document.value)
    if let note = document.note { parser.report.notes.append(note) }
    return [parser.report]
  }
}

/// Parses a report from the object.
private struct MonoCrashParser {
  var report = CrashReport(format: .monoCrash)
  private var images: [String: Int] = [:]
  private var budget = StackBudget()

  mutating func read(_ value: JSONValue) {
    let configuration = value.member("configuration")
    if let version = configuration?.text("version") {
      report.tags[.wrapperRuntime] = "Mono \(version)"
    }
    if let name = configuration?.text("architecture") {
      report.device.architecture =
        switch name {
        case "amd64", "x86-64": .x86_64
        case "x86": .i386
        default: Architecture(name)
        }
    }
    report.device.model = configuration?.text("system_model")
    report.reason.type = value.text("exception_type") ?? "native crash"
    report.reason.message = value.text("assertion_message") ?? value.text("failfast_message")
    for thread in value.list("threads").prefix(FormatLimits.stacks) where thread.object != nil {
      read(thread: thread)
    }
    report.crashedThread = report.threads.firstIndex { $0.crashed }
    if let note = budget.note { report.notes.append(note) }
  }

  private mutating func read(thread value: JSONValue) {
    var thread = CrashThread(index: report.threads.count)
    thread.id = value.address("native_thread_id")
    thread.name = value.text("thread_name")
    thread.crashed = value.member("crashed")?.truth ?? false
    for name in ["IP", "SP", "BP"] {
      guard let content = value.member("ctx")?.address(name) else { continue }
      thread.registers.append(Register(name.lowercased(), content))
    }
    let managed = value.list("managed_frames").compactMap {
      budget.takeFrame() ? self.managed($0) : nil
    }
    let native = value.list("unmanaged_frames").compactMap {
      budget.takeFrame() ? self.native($0) : nil
    }
    thread.frames = managed.isEmpty ? native : managed
    if !managed.isEmpty, !native.isEmpty, thread.crashed {
      report.otherStacks.append(
        NamedStack(title: "Native stack of the crashed thread", frames: native))
    }
    report.threads.append(thread)
  }

  /// A method by its token, with the offset into its intermediate code.
  private mutating func managed(_ value: JSONValue) -> Frame? {
    guard value.object != nil else { return nil }
    if value.member("is_managed")?.truth == false { return native(value) }
    var frame = Frame(position: .returnAddress)
    frame.symbolOffset = value.address("il_offset")
    let file = value.text("filename")
    if let name = file ?? value.text("guid") { frame.image = image(name, value) }
    if let token = value.address("token"), token != 0, let name = file {
      frame.function = "\(name)!0x" + String(token, radix: 16)
    }
    return frame.image == nil && frame.function == nil ? nil : frame
  }

  private func native(_ value: JSONValue) -> Frame? {
    guard let address = value.address("native_address") else { return nil }
    var frame = Frame(address: Address(address), position: .returnAddress)
    frame.function = value.text("unmanaged_name")
    return frame
  }

  private mutating func image(_ name: String, _ value: JSONValue) -> Int? {
    if let known = images[name] { return known }
    guard report.images.count < FormatLimits.images else { return nil }
    var image = LoadedImage(name: name)
    image.debugID = value.text("guid").flatMap { DebugID($0) }
    image.size = value.address("sizeofimage")
    report.images.append(image)
    images[name] = report.images.count - 1
    return report.images.count - 1
  }
}
