internal import CrashModel
internal import Identifiers
internal import JSON

/// Parses a report from its document.
struct KSCrashParser {
  private let value: JSONValue
  private let system: JSONValue
  private let crash: JSONValue
  var report = CrashReport(format: .ksCrash)
  private var map = AppleAddressMap([])
  private var frameCount = 0
  /// Images that only frames name.
  private var added: [String: Int] = [:]

  private init(_ value: JSONValue) {
    self.value = value
    system = value.member("system") ?? .object([])
    crash = value.member("crash") ?? .object([])
  }

  /// The report, and after it that of a crash of KSCrash itself while it wrote the report. One is nested in the
  /// other; versions of KSCrash differ in which.
  static func reports(of value: JSONValue) -> [CrashReport] {
    var parser = KSCrashParser(value)
    parser.read()
    var reports = [parser.report]
    if let nested = value.member("recrash_report"), nested.object != nil {
      var inner = KSCrashParser(nested)
      inner.read()
      // The second crash has one thread and neither images nor system.
      inner.complete(from: parser.report)
      reports.append(inner.report)
      let isFirstOuter =
        value.member("incomplete") != nil || !parser.crash.list("threads").isEmpty
      let handler = isFirstOuter ? 1 : 0
      reports[handler].notes.append("This is a crash of the crash reporter itself.")
      reports[1 - handler].notes.append("The crash reporter itself crashed while it wrote this.")
      if !isFirstOuter { reports.swapAt(0, 1) }
    }
    return reports
  }

  /// Adds the facts that this report lacks from another one of the same process.
  private mutating func complete(from other: CrashReport) {
    if report.images.isEmpty {
      report.images = other.images
      map = AppleAddressMap(other.images)
      added.removeAll()
      report.threads.removeAll()
      frameCount = 0
      readThreads()
      finishThreads()
    }
    if report.app == AppIdentity() { report.app = other.app }
    if report.os == OperatingSystem() { report.os = other.os }
    if report.device.model == nil { report.device = other.device }
    report.time = report.time ?? other.time
    report.install = report.install ?? other.install
    report.process.name = report.process.name ?? other.process.name
    report.process.path = report.process.path ?? other.process.path
    report.process.pid = report.process.pid ?? other.process.pid
  }

  private mutating func read() {
    readHead()
    readSystem()
    readImages()
    readThreads()
    readReason()
    finishThreads()
    if report.crashedThread == nil, !report.threads.isEmpty { chooseThread() }
    readUser()
    if report.threads.isEmpty { report.notes.append("the report has no thread") }
  }

  // MARK: Identity

  private mutating func readHead() {
    guard let head = value.member("report") else { return }
    report.incident = head.text("id")
    report.time = Self.time(head.member("timestamp"))
    if report.time == nil, let text = head.text("timestamp") {
      report.notes.append("the time is unreadable: \(text.prefix(64))")
    }
    report.process.name = head.text("process_name")
    report.tags[.sdkName] = "KSCrash"
    if let version = head.text("version") {
      report.tags[.sdkVersion] = version
    } else if let version = head.member("version"), let major = version.number("major") {
      report.tags[.sdkVersion] = "\(major).\(version.number("minor") ?? 0)"
    }
  }

  /// Seconds or microseconds since 1970, or a date.
  private static func time(_ value: JSONValue?) -> Timestamp? {
    guard let value else { return nil }
    if case .string(let text) = value { return Timestamp(text) }
    if case .double(let seconds) = value, seconds > 0, seconds < 1e11 {
      return Timestamp(microseconds: Int(seconds * 1_000_000))
    }
    guard let number = value.integer, number > 0 else { return nil }
    return number < 100_000_000_000
      ? Timestamp(seconds: Int64(number)) : Timestamp(microseconds: number)
  }

  private mutating func readSystem() {
    let name = system.text("system_name") ?? ""
    let version = system.text("system_version") ?? ""
    report.os = OperatingSystem(apple: "\(name) \(version)")
    report.os.build = system.text("os_version")
    if name.isEmpty { report.os.name = nil }
    report.device.model = system.text("machine") ?? system.text("model")
    if system.text("model") == "simulator" { report.tags[.platform] = "simulator" }
    report.install = system.text("device_app_hash")
    report.process.name = system.text("process_name") ?? report.process.name
    report.process.pid = system.number("process_id")
    report.process.path = system.text("CFBundleExecutablePath")
    report.tags[.processParent] = system.text("parent_process_name")
    report.tags[.kernelVersion] = system.text("kernel_version")?.cutMessage
    if system.member("jailbroken")?.truth == true { report.tags[.jailbreak] = "true" }
    if let isInFront = system.member("application_stats")?.member("application_in_foreground")?
      .truth
    {
      report.tags[.processRole] = isInFront ? "Foreground" : "Background"
    }
    let executable = system.text("CFBundleExecutable") ?? report.process.name
    report.app = AppIdentity(
      name: system.text("CFBundleName") ?? executable,
      identifier: system.text("CFBundleIdentifier"),
      version: system.text("CFBundleShortVersionString"), build: system.text("CFBundleVersion"))
    if let start = Self.time(system.member("app_start_time")), let time = report.time {
      report.process.uptime = start.seconds(to: time)
    }
    report.device.architecture =
      Self.architecture(system, type: "binary_cpu_type", subtype: "binary_cpu_subtype")
      ?? system.text("binary_architecture").flatMap { Architecture(appleCodeType: $0) }
      ?? system.text("cpu_arch").flatMap { Architecture(appleCodeType: $0) }
  }

  private static func architecture(
    _ value: JSONValue, type: String, subtype: String
  ) -> Architecture? {
    guard let type = value.number(type).flatMap({ UInt32(exactly: $0) }), type != 0 else {
      return nil
    }
    let subtype = value.number(subtype) ?? 0
    return Architecture(machCPU: type, subtype: UInt32(truncatingIfNeeded: subtype))
  }

  // MARK: Images

  private mutating func readImages() {
    let images = value.list("binary_images")
    if images.count > AppleLimits.images { reach(AppleLimits.images, of: "images") }
    for value in images.prefix(AppleLimits.images) where value.object != nil {
      let path = value.text("name")
      var image = LoadedImage(name: path.map { AppleNames.lastPart($0) } ?? "???", path: path)
      image.debugID = value.text("uuid").flatMap { DebugID($0) }.flatMap { $0.isZero ? nil : $0 }
      image.base = value.address("image_addr").map { Address($0) }
      image.size = value.address("image_size")
      image.architecture = Self.architecture(value, type: "cpu_type", subtype: "cpu_subtype")
      let parts = ["major_version", "minor_version", "revision_version"].map {
        value.number($0) ?? 0
      }
      if parts.contains(where: { $0 > 0 }) {
        image.version = parts.map { String($0) }.joined(separator: ".")
      }
      report.images.append(image)
    }
    map = AppleAddressMap(report.images)
    let uuid = system.text("app_uuid").flatMap { DebugID($0) }
    let own =
      report.images.first { $0.path != nil && $0.path == report.process.path }
      ?? report.images.first { uuid != nil && $0.debugID == uuid } ?? report.images.first
    // `cpu_arch` is the family alone.
    if let architecture = own?.architecture { report.device.architecture = architecture }
  }

  // MARK: Threads

  private mutating func readThreads() {
    var threads = crash.list("threads")
    if threads.isEmpty, let thread = crash.member("crashed_thread") { threads = [thread] }
    if threads.count > AppleLimits.threads { reach(AppleLimits.threads, of: "threads") }
    // An exception is thrown by a call, and so is an error that an app reports itself.
    let type = crash.member("error")?.text("type") ?? ""
    let isRaised = ["nsexception", "cpp_exception", "user"].contains(type)
    for value in threads.prefix(AppleLimits.threads) where value.object != nil {
      var thread = CrashThread(index: value.number("index") ?? report.threads.count)
      thread.name = value.text("name") ?? value.text("dispatch_queue")
      thread.crashed = value.member("crashed")?.truth ?? (threads.count == 1)
      let backtrace = value.member("backtrace")
      thread.frames = frames(
        backtrace?.list("contents") ?? [],
        first: thread.crashed && isRaised ? .returnAddress : .exact)
      if let skipped = backtrace?.number("skipped"), skipped > 0 {
        note("\(skipped) frames of thread \(thread.index) were left out by the crash reporter")
      }
      let registers = value.member("registers")?.member("basic")?.object ?? []
      for member in registers.prefix(AppleLimits.registers) {
        // Some writers print them as signed numbers.
        let signed = member.value.integer.map { UInt64(bitPattern: Int64($0)) }
        if let value = member.value.address ?? signed {
          thread.registers.append(Register(member.key, value))
        }
      }
      report.threads.append(thread)
    }
  }

  private mutating func finishThreads() {
    report.crashedThread = report.threads.firstIndex { $0.crashed }
    for index in report.threads.indices {
      report.threads[index].crashed = index == report.crashedThread
    }
  }

  mutating func frames(_ contents: [JSONValue], first: CodePosition) -> [Frame] {
    var frames: [Frame] = []
    for value in contents where value.object != nil {
      guard frameCount < AppleLimits.frames else {
        reach(AppleLimits.frames, of: "frames")
        break
      }
      frameCount += 1
      guard let address = value.address("instruction_addr") else { continue }
      var frame = map.frame(
        at: address, position: frames.isEmpty || first == .adjusted ? first : .returnAddress)
      if frame.image == nil, let name = value.text("object_name") {
        frame.image = image(named: name, base: value.address("object_addr"))
        let base = frame.image.flatMap { report.images[$0].base?.value }
        if let base, address >= base { frame.imageOffset = ImageOffset(address - base) }
      }
      if let symbol = value.text("symbol_name"), let start = value.address("symbol_addr") {
        frame.takeSymbol(symbol, start: start)
      }
      frames.append(frame)
    }
    return frames
  }

  /// The image that only frames name.
  private mutating func image(named name: String, base: UInt64?) -> Int? {
    let known = base.flatMap { $0 == 0 ? nil : $0 }
    let key = "\(known ?? 0) \(name)"
    if let index = added[key] { return index }
    guard report.images.count < AppleLimits.images else { return nil }
    let path = name.hasPrefix("/") ? name : nil
    report.images.append(
      LoadedImage(
        name: AppleNames.lastPart(name), path: path, architecture: report.device.architecture,
        base: known.map { Address($0) }))
    added[key] = report.images.count - 1
    return report.images.count - 1
  }

  // MARK: Reason

  private mutating func readReason() {
    guard let error = crash.member("error") else {
      report.notes.append("the report does not say what happened")
      readImageMessages()
      return
    }
    let mach = error.member("mach")
    if let number = mach?.number("exception"), number > 0 {
      report.reason.type =
        mach?.text("exception_name") ?? UInt32(exactly: number).map { MachException.name($0) }
    }
    if let signal = error.member("signal"), let number = signal.number("signal"), number != 0 {
      report.reason.signal =
        signal.text("name") ?? UInt32(exactly: number).flatMap { LinuxSignal.nameOnBSD($0) }
    }
    // The code of `EXC_CRASH` is not a kernel return code.
    let isCode = mach?.number("exception") != 10
    report.reason.code = isCode ? Self.known(mach?.text("code_name")) ?? machCode(mach) : nil
    if report.reason.code == nil, report.reason.type == nil {
      report.reason.code = Self.known(error.member("signal")?.text("code_name"))
    }
    report.reason.message = error.text("reason")?.cutMessage
    report.tags[.cause] = crash.text("diagnosis")?.cutMessage
    readKind(error)
    readExit(error)
    let hasFault =
      report.reason.exception == nil && report.kind == .crash
      && !["SIGABRT", "SIGTERM", "SIGKILL"].contains(report.reason.signal)
    if hasFault, let address = error.address("address") {
      report.reason.address = Address(address)
    }
    readImageMessages()
  }

  /// The name, unless it is a placeholder.
  private static func known(_ name: String?) -> String? {
    guard let name, !name.hasSuffix("_NOOP"), name != "0" else { return nil }
    return name
  }

  private func machCode(_ mach: JSONValue?) -> String? {
    guard let mach, let code = mach.address("code"), code != 0,
      let exception = mach.number("exception").flatMap({ UInt32(exactly: $0) })
    else { return nil }
    let isARM = report.device.architecture?.description.hasPrefix("arm") ?? true
    let name = MachException.code(
      UInt32(truncatingIfNeeded: code), of: exception, wide: code, isARM: isARM)
    return name.hasPrefix("0x") ? nil : name
  }

  private mutating func readKind(_ error: JSONValue) {
    switch error.text("type") {
    case "nsexception":
      let exception = error.member("nsexception")
      report.reason.exception = LanguageException(
        type: exception?.text("name"),
        message: (exception?.text("reason") ?? error.text("reason"))?.cutMessage)
      report.reason.message = report.reason.exception?.message
    case "cpp_exception":
      report.reason.exception = LanguageException(
        type: error.member("cpp_exception")?.text("name"), message: error.text("reason")?.cutMessage
      )
    case "user":
      let reported = error.member("user_reported")
      report.reason.exception = LanguageException(
        type: reported?.text("name"), message: error.text("reason")?.cutMessage,
        frames: userFrames(reported))
      // Apps report errors that they handled; only some end themselves afterwards.
      report.kind = .handled
    case "deadlock":
      report.kind = .hang
      report.reason.type = nil
      report.reason.signal = nil
      if report.reason.message == nil {
        report.reason.message = "Application main thread deadlocked"
      }
    case "hang": report.kind = .hang
    case "profile": readProfile(error.member("profile"))
    case "memory_termination":
      report.kind = .oom
      report.reason.type = "memory termination"
      let facts = error.member("memory_termination")
      report.reason.code = facts?.text("memory_pressure") ?? facts?.text("memory_level")
    case "termination": readTermination(error.text("termination_reason"))
    default: break
    }
    if error.member("is_fatal")?.truth == false, report.kind == .crash { report.kind = .handled }
  }

  private mutating func readTermination(_ reason: String?) {
    report.reason.type = "termination"
    report.reason.code = reason
    report.kind = .other
    guard let reason else { return }
    if reason.contains("memory") { report.kind = .oom }
    if reason.contains("hang") || reason.contains("watchdog") { report.kind = .hang }
  }

  /// The frames that an app's own language gives: lines, or frames with a file and a line.
  private func userFrames(_ reported: JSONValue?) -> [Frame] {
    var lines: [String] = []
    for value in reported?.list("backtrace") ?? [] {
      if let text = value.text { lines.append(text) }
    }
    if lines.isEmpty, let text = reported?.text("backtrace") { lines = [text] }
    let limit = FormatLimits.framesPerStack
    let frames = ManagedStackText.frames(of: lines.joined(separator: "\n"), limit: limit)
    if !frames.isEmpty { return frames }
    return lines.prefix(limit).map {
      Frame(position: .returnAddress, function: $0.cut(FormatLimits.nameBytes))
    }
  }

  /// Reads messages of libraries that end the process: Swift's runtime, dyld, the C library.
  private mutating func readImageMessages() {
    var lines: [String] = []
    for image in value.list("binary_images").prefix(AppleLimits.images) {
      for key in ["crash_info_message", "crash_info_message2"] {
        guard let text = image.text(key), lines.count < AppleLimits.textLines else { continue }
        // AppKit and others write status messages all the time.
        let name = image.text("name").map { AppleNames.lastPart($0) } ?? ""
        if ["AppKit", "UIKitCore", "CoreFoundation"].contains(name) { continue }
        lines += text.split(whereSeparator: \.isNewline).map(String.init).prefix(
          AppleLimits.textLines)
      }
    }
    if !lines.isEmpty { report.reason.applyApplicationInformation(lines) }
  }

  // MARK: What the app added

  private mutating func readUser() {
    guard let user = value.member("user") else { return }
    addProperties(user, path: "", depth: 0)
  }

  /// Adds numbers, Booleans and text, under the names of the objects that contain them.
  private mutating func addProperties(_ value: JSONValue, path: String, depth: Int) {
    guard depth < 4 else { return }
    for member in value.object ?? [] {
      let name = path.isEmpty ? member.key : "\(path).\(member.key)"
      if let text = member.value.text {
        guard report.properties.count < AppCenterLimits.properties else {
          note("only the first \(AppCenterLimits.properties) properties were read")
          return
        }
        report.properties[name.cut(AppCenterLimits.textBytes)] = text.cut(AppCenterLimits.textBytes)
      } else {
        addProperties(member.value, path: name, depth: depth + 1)
      }
    }
  }

  mutating func note(_ text: String) {
    if report.notes.count < 64, !report.notes.contains(text) { report.notes.append(text) }
  }

  private mutating func reach(_ limit: Int, of what: String) {
    note("only the first \(limit) \(what) were read")
  }
}
