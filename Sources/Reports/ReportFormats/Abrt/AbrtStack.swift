internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

/// The stacks of satyr, of each kind of problem.
///
///     core:       {"signal": 6, "executable", "stacktrace": [{"crash_thread": true, "frames": [{"address",
///                  "build_id", "build_id_offset", "function_name", "file_name": the module}]}]}
///     python,     {"exception_name", "stacktrace": [{"file_name", "file_line", "function_name",
///     ruby, js:    "special_function", …}]}       the youngest first
///     java:       {"threads": [{"name", "frames": [{"name", "file_name", "file_line", "is_exception",
///                  "message"}]}]}                the root cause first
///     kerneloops: {"raw_oops"} or {"frames": [{"address", "function_name", "function_offset",
///                  "function_length", "module_name", "reliable"}]}
enum AbrtStack {
  static func reports(
    of problem: JSONValue, kind: String?
  ) throws(ParseError) -> [CrashReport] {
    let kind = kind?.lowercased() ?? ""
    if let oops = problem.text("raw_oops") {
      var reports: [CrashReport] = []
      do throws(ParseError) {
        reports = try FormatRegistry.builtIn.reports(in: ByteView(oops.utf8))
      } catch {
        // The frames are valid all the same.
      }
      if !reports.isEmpty { return reports }
    }
    if problem.member("frames")?.array != nil { return [kernel(problem)] }
    if problem.member("threads")?.array != nil { return [java(problem)] }
    let stacks = problem.list("stacktrace")
    let isCore =
      kind == "core" || kind == "ccpp" || stacks.contains { $0.member("frames") != nil }
    if isCore { return [core(problem)] }
    guard !stacks.isEmpty || problem.text("exception_name") != nil else {
      throw ParseError(.notRecognised, in: "a problem of ABRT without a stack", at: 0)
    }
    return [managed(problem, kind: kind)]
  }

  static func setProgram(_ path: String, of report: inout CrashReport) {
    report.process.path = path.cut(FormatLimits.nameBytes)
    report.process.name = path.split(separator: "/").last.map { String($0).cut(1024) }
  }

  // MARK: Native programs

  private static func core(_ problem: JSONValue) -> CrashReport {
    var report = CrashReport(format: .abrt)
    var budget = StackBudget()
    var images: [String: Int] = [:]
    report.os.name = "Linux"
    if let number = problem.number("signal").flatMap({ UInt32(exactly: $0) }) {
      report.reason.signal = LinuxSignal.name(number)
    }
    if let path = problem.text("executable") ?? problem.member("executable")?.text("path") {
      setProgram(path, of: &report)
    }
    for (index, thread) in problem.list("stacktrace").prefix(FormatLimits.stacks).enumerated() {
      var result = CrashThread(index: index)
      for frame in thread.list("frames") where budget.takeFrame() {
        result.frames.append(
          native(frame, isFirst: result.frames.isEmpty, &report, &images))
      }
      if thread.member("crash_thread")?.truth == true, report.crashedThread == nil {
        report.crashedThread = index
      }
      report.threads.append(result)
    }
    if report.crashedThread == nil, !report.threads.isEmpty { report.crashedThread = 0 }
    if let crashed = report.crashedThread { report.threads[crashed].crashed = true }
    if let note = budget.note { report.notes.append(note) }
    return report
  }

  private static func native(
    _ value: JSONValue, isFirst: Bool, _ report: inout CrashReport, _ images: inout [String: Int]
  ) -> Frame {
    var frame = Frame(
      address: value.address("address").map { Address($0) },
      position: isFirst ? .exact : .returnAddress, function: value.text("function_name"))
    let offset = value.address("build_id_offset")
    let path = value.text("file_name")
    let id = value.text("build_id").flatMap { CodeID($0) }
    guard path != nil || id != nil else { return frame }
    let key = path ?? id?.description ?? ""
    var index = images[key]
    if index == nil, report.images.count < FormatLimits.images {
      let name = path?.split(separator: "/").last.map(String.init) ?? path ?? "unknown"
      var image = LoadedImage(name: name, path: path == name ? nil : path)
      image.codeID = id
      image.debugID = id.map { DebugID(buildID: $0.bytes) }
      index = report.images.count
      report.images.append(image)
      images[key] = index
    }
    frame.image = index
    frame.imageOffset = offset.map { ImageOffset($0) }
    if let index, let offset, let address = frame.address, address.value >= offset,
      report.images[index].base == nil
    {
      report.images[index].base = Address(address.value - offset)
    }
    return frame
  }

  // MARK: Kernels

  private static func kernel(_ problem: JSONValue) -> CrashReport {
    var report = CrashReport(format: .linuxKernel)
    var budget = StackBudget()
    report.os.name = "Linux"
    report.os.version = problem.text("version")
    let flags = problem.list("taint_flags").prefix(64).compactMap { $0.text }
    if !flags.isEmpty { report.tags[.kernelTainted] = flags.joined(separator: " ").cut(1024) }
    var frames: [Frame] = []
    for value in problem.list("frames") where budget.takeFrame() {
      var frame = Frame(
        address: value.address("address").map { Address($0) },
        position: frames.isEmpty ? .exact : .returnAddress, function: value.text("function_name"),
        symbolOffset: value.address("function_offset"),
        trust: value.member("reliable")?.truth == false ? .scan : .given)
      if let size = value.address("function_length"), size > 0 { frame.symbolSize = size }
      let name = value.text("module_name").map { $0 + ".ko" } ?? "vmlinux"
      var index = report.images.firstIndex { $0.name == name }
      if index == nil, report.images.count < 1024 {
        index = report.images.count
        report.images.append(LoadedImage(name: name))
      }
      frame.image = index
      frames.append(frame)
    }
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    if let note = budget.note { report.notes.append(note) }
    return report
  }

  // MARK: Languages

  private static func managed(_ problem: JSONValue, kind: String) -> CrashReport {
    var report = CrashReport(format: .abrt)
    var budget = StackBudget()
    var exception = LanguageException(type: problem.text("exception_name"))
    for value in problem.list("stacktrace") where budget.takeFrame() {
      exception.frames.append(call(value))
    }
    report.reason.exception = exception
    if !kind.isEmpty { report.tags[.language] = kind.cut(64) }
    if let runtime = problem.member("platform")?.text("runtime") {
      report.tags[.runtimeName] = runtime.cut(256)
    }
    if let note = budget.note { report.notes.append(note) }
    return report
  }

  private static func call(_ value: JSONValue) -> Frame {
    Frame(
      position: .adjusted,
      function: value.text("function_name") ?? value.text("special_function"),
      file: value.text("file_name") ?? value.text("special_file").map { "<\($0)>" },
      line: line(value.number("file_line")), column: line(value.number("line_column")))
  }

  private static func line(_ number: Int?) -> Int? {
    number.flatMap { $0 > 0 && $0 <= Int(Int32.max) ? $0 : nil }
  }

  private static func java(_ problem: JSONValue) -> CrashReport {
    var report = CrashReport(format: .abrt)
    var budget = StackBudget()
    report.tags[.language] = "java"
    for (index, thread) in problem.list("threads").prefix(FormatLimits.stacks).enumerated() {
      // Each exception precedes its calls, the root cause first.
      var chain: [LanguageException] = []
      var calls: [Frame] = []
      for value in thread.list("frames") where budget.takeFrame() {
        if value.member("is_exception")?.truth == true {
          chain.append(
            LanguageException(type: value.text("name"), message: value.text("message")))
          continue
        }
        let frame = Frame(
          position: .adjusted, function: value.text("name"), file: value.text("file_name"),
          line: line(value.number("file_line")))
        if chain.isEmpty {
          calls.append(frame)
        } else {
          chain[chain.count - 1].frames.append(frame)
        }
      }
      if report.reason.exception == nil, !chain.isEmpty {
        report.reason.exception = LanguageException.chain(chain.reversed())
        if let name = thread.text("name") { report.tags[.threadName] = name.cut(1024) }
      } else if !calls.isEmpty {
        report.threads.append(
          CrashThread(index: index, name: thread.text("name"), frames: calls))
      }
    }
    if let note = budget.note { report.notes.append(note) }
    return report
  }
}
