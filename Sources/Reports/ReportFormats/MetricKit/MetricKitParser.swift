internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

/// Parses a report from a diagnostic of a payload.
struct MetricKitParser {
  /// The subject of a diagnostic.
  enum Diagnostic {
    case crash, hang, processor, disk, launch, memory
    /// A tree of calls of which nothing else is known.
    case unknown
  }

  /// The lists of a payload.
  static let lists: [(key: StaticString, kind: Diagnostic)] = [
    ("crashDiagnostics", .crash), ("hangDiagnostics", .hang),
    ("cpuExceptionDiagnostics", .processor), ("diskWriteExceptionDiagnostics", .disk),
    ("appLaunchDiagnostics", .launch), ("memoryExceptionDiagnostics", .memory),
  ]

  private let kind: Diagnostic
  private let trees: [MetricKitTree]
  private var report = CrashReport(format: .metricKit)
  private var images: [String: Int] = [:]
  /// The names of images by their UUIDs, if they are in a table.
  private var names: [String: String] = [:]

  static func reports(of document: MetricKitDocument) -> [CrashReport] {
    var reports: [CrashReport] = []
    for payload in document.payloads {
      for (diagnostic, kind) in diagnostics(of: payload) where reports.count < AppleLimits.reports {
        var parser = MetricKitParser(kind, document.trees)
        parser.readTime(payload)
        parser.readFacts(diagnostic.member("diagnosticMetaData") ?? .object([]))
        parser.readTree(diagnostic.member("callStackTree") ?? .object([]))
        reports.append(parser.report)
      }
      for other in MetricKitReport.all(in: payload) where reports.count < AppleLimits.reports {
        var parser = MetricKitParser(other.kind, document.trees)
        parser.report.time = other.time
        parser.readFacts(other.facts)
        parser.names = other.names
        parser.readTree(other.tree)
        reports.append(parser.report)
      }
    }
    return reports
  }

  /// The diagnostics of a payload; the payload itself, if it is one or a single call tree.
  private static func diagnostics(of payload: JSONValue) -> [(value: JSONValue, kind: Diagnostic)] {
    var found: [(value: JSONValue, kind: Diagnostic)] = []
    for (key, kind) in lists {
      for diagnostic in payload.list(key.description) where diagnostic.object != nil {
        found.append((diagnostic, kind))
      }
    }
    if !found.isEmpty { return found }
    if payload.member("callStackTree") != nil {
      return [(payload, kind(of: payload.member("diagnosticMetaData")))]
    }
    guard payload.member("callStacks") != nil else { return [] }
    return [(.object([JSONMember("callStackTree", payload)]), .unknown)]
  }

  /// The subject of a single diagnostic, by a fact that only its kind has.
  private static func kind(of facts: JSONValue?) -> Diagnostic {
    guard let facts else { return .unknown }
    if facts.member("exceptionType") != nil || facts.member("signal") != nil { return .crash }
    if facts.member("hangDuration") != nil { return .hang }
    if facts.member("totalCPUTime") != nil { return .processor }
    if facts.member("writesCaused") != nil { return .disk }
    return facts.member("launchDuration") != nil ? .launch : .unknown
  }

  private init(_ kind: Diagnostic, _ trees: [MetricKitTree]) {
    self.kind = kind
    self.trees = trees
    report.kind =
      switch kind {
      case .crash: .crash
      case .hang: .hang
      case .memory: .oom
      case .processor, .disk, .launch, .unknown: .other
      }
  }

  /// Reads the time; a payload covers a day with several events.
  private mutating func readTime(_ payload: JSONValue) {
    guard let text = payload.text("timeStampEnd") ?? payload.text("timeStampBegin") else { return }
    report.time = Timestamp(text)
    if report.time == nil { report.notes.append("the time is unreadable: \(text.prefix(64))") }
  }

  // MARK: Facts

  private mutating func readFacts(_ facts: JSONValue) {
    report.app = AppIdentity(
      name: facts.text("bundleIdentifier"), identifier: facts.text("bundleIdentifier"),
      version: facts.text("appVersion"), build: facts.text("appBuildVersion"))
    report.os = facts.text("osVersion").map { OperatingSystem(apple: $0) } ?? OperatingSystem()
    report.device = Device(
      model: facts.text("deviceType"),
      architecture: facts.text("platformArchitecture").flatMap { Architecture(appleCodeType: $0) })
    report.process.pid = facts.number("pid")
    report.tags[.locale] = facts.text("regionFormat")
    if facts.member("isTestFlightApp")?.truth == true { report.tags[.osReleaseType] = "TestFlight" }
    switch kind {
    case .crash: readReason(facts)
    case .hang:
      report.reason.type = "hang"
      report.reason.message = facts.text("hangDuration").map { "The app hung for \($0)" }
      report.reason.code = facts.text("hangType")
    case .processor:
      report.reason.type = "EXC_RESOURCE"
      report.reason.code = "CPU"
      if let time = facts.text("totalCPUTime"), let sampled = facts.text("totalSampledTime") {
        report.reason.message = "\(time) of processor time in \(sampled)"
      }
    case .disk:
      report.reason.type = "EXC_RESOURCE"
      report.reason.code = "IO"
      report.reason.message = facts.text("writesCaused").map { "\($0) written" }
    case .launch:
      report.reason.type = "slow launch"
      report.reason.message = facts.text("launchDuration").map { "The launch took \($0)" }
    case .memory:
      report.reason.type = "EXC_RESOURCE"
      report.reason.code = "MEMORY"
      let use = facts.text("peakMemory") ?? facts.text("memoryUsage") ?? facts.text("footprint")
      report.reason.message = use.map { "\($0) of memory used" }
    case .unknown: break
    }
  }

  private mutating func readReason(_ facts: JSONValue) {
    let type = facts.number("exceptionType").flatMap { UInt32(exactly: $0) }
    let signal = facts.number("signal").flatMap { UInt32(exactly: $0) }
    if let type, type > 0 { report.reason.type = MachException.name(type) }
    if let signal, signal > 0 {
      report.reason.signal = LinuxSignal.nameOnBSD(signal) ?? "signal \(signal)"
    }
    if let type, let code = facts.member("exceptionCode")?.unsigned, code > 0 {
      let isARM = report.device.architecture?.description.hasPrefix("arm") ?? true
      let name = MachException.code(
        UInt32(truncatingIfNeeded: code), of: type, wide: code, isARM: isARM)
      if !name.hasPrefix("0x") { report.reason.code = name }
      report.tags[.exceptionCodes] = "0x" + String(code, radix: 16)
    }
    if let region = facts.text("virtualMemoryRegionInfo") {
      report.tags[.vmRegion] = region.cut(AppCenterLimits.textBytes)
      let word = region.prefix { $0.isHexDigit || $0 == "x" }
      let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word
      if type == 1 { report.reason.address = UInt64(digits, radix: 16).map { Address($0) } }
    }
    if let text = facts.text("terminationReason") { readTermination(text) }
    let raised = facts.member("exceptionReason") ?? facts.member("objectiveCexceptionReason")
    if let raised, raised.object != nil {
      report.reason.exception = LanguageException(
        type: raised.text("exceptionName") ?? raised.text("className"),
        message: (raised.text("composedMessage") ?? raised.text("formatString"))?.cutMessage)
      report.reason.message = report.reason.exception?.message
    }
  }

  /// `Namespace SIGNAL, Code 0xb`, `FRONTBOARD 2343432205 <RBSTerminateContext| …>`.
  private mutating func readTermination(_ text: String) {
    var words = text.split(separator: " ", maxSplits: 5).map { $0.filter { $0 != "," } }
    if words.first == "Namespace" {
      words.removeFirst()
      words.removeAll { $0 == "Code" }
    }
    guard words.count > 1 else { return }
    report.tags[.terminationNamespace] = words[0]
    let number =
      words[1].hasPrefix("0x") ? UInt64(words[1].dropFirst(2), radix: 16) : UInt64(words[1])
    if let number { report.tags[.terminationCode] = "0x" + String(number, radix: 16) }
    let rest = words.dropFirst(2).joined(separator: " ")
    if !rest.isEmpty { report.tags[.terminationReason] = rest.cut(AppCenterLimits.textBytes) }
  }

  // MARK: Stacks

  private mutating func readTree(_ tree: JSONValue) {
    let isPerThread =
      tree.member("callStackPerThread")?.truth ?? (kind == .crash || kind == .memory)
    var isFull = false
    for stack in tree.list("callStacks") + tree.list("callStackThreads") where stack.object != nil {
      guard report.threads.count < AppleLimits.threads else {
        report.notes.append("only the first \(AppleLimits.threads) threads were read")
        break
      }
      let number = stack.number("callStackRootFrames") ?? stack.number("rootFrames")
      guard let number, trees.indices.contains(number) else { continue }
      let calls = trees[number]
      isFull = isFull || calls.isFull
      var thread = CrashThread(index: report.threads.count)
      thread.crashed = stack.member("threadAttributed")?.truth ?? false
      thread.frames = frames(calls)
      if !isPerThread || calls.hasBranches {
        thread.name = "heaviest stack"
        note("the stack is the heaviest path through \(calls.samples) samples")
      }
      report.threads.append(thread)
    }
    if isFull { report.notes.append("only the first \(AppleLimits.frames) frames were read") }
    report.crashedThread = report.threads.firstIndex { $0.crashed }
    // Samples belong to no thread.
    if report.crashedThread == nil, !isPerThread || report.threads.count == 1 {
      report.crashedThread = report.threads.indices.first
    }
    for index in report.threads.indices {
      report.threads[index].crashed = index == report.crashedThread
    }
    if report.threads.isEmpty { report.notes.append("the report has no stack") }
  }

  private mutating func note(_ text: String) {
    if !report.notes.contains(text) { report.notes.append(text) }
  }

  private mutating func frames(_ tree: MetricKitTree) -> [Frame] {
    var path = tree.heaviestPath
    if !names.isEmpty {
      for index in path.indices where path[index].binaryName == nil {
        path[index].binaryName = path[index].binaryUUID.flatMap { names[$0.lowercased()] }
      }
    }
    if isOutermostFirst(path, tree) { path.reverse() }
    return path.prefix(FormatLimits.framesPerStack).enumerated().map { index, node in
      frame(node, position: index == 0 ? .exact : .returnAddress)
    }
  }

  /// The images in which threads begin.
  private static let entries: Set<String> = ["dyld", "libdyld.dylib", "libsystem_pthread.dylib"]

  /// Crashes begin with the innermost call, samples with the outermost; the image in which threads begin
  /// distinguishes them, if only one end is in it.
  private func isOutermostFirst(_ path: [MetricKitTree.Node], _ tree: MetricKitTree) -> Bool {
    let first = path.first?.binaryName.map(Self.entries.contains) ?? false
    let last = path.last?.binaryName.map(Self.entries.contains) ?? false
    if first != last, path.count > 1 { return first }
    switch kind {
    case .crash, .memory: return false
    case .hang, .processor, .disk, .launch: return true
    case .unknown: return tree.hasBranches
    }
  }

  private mutating func frame(_ node: MetricKitTree.Node, position: CodePosition) -> Frame {
    var frame = Frame(address: node.address.map { Address($0) }, position: position)
    guard let offset = node.offset else {
      frame.image = image(of: node, base: nil)
      return frame
    }
    let (base, imageOffset) = Self.location(offset: offset, address: node.address)
    frame.image = image(of: node, base: base)
    frame.imageOffset = imageOffset.map { ImageOffset($0) }
    if frame.image == nil { frame.imageOffset = nil }
    frame.inApp = isOwn(node, base)
    return frame
  }

  /// Whether the code is the app's own: no image has a path, but the system's lie in the shared cache, above
  /// the app's. `nil` if that does not decide.
  ///
  /// Source: `SHARED_REGION_BASE_ARM64` in `mach/shared_region.h` of XNU.
  private func isOwn(_ node: MetricKitTree.Node, _ base: UInt64?) -> Bool? {
    guard let base, base > 0, let name = node.binaryName, name != "dyld", !name.hasSuffix(".dylib")
    else { return nil }
    return (0x1_0000_0000..<0x1_8000_0000).contains(base) ? true : nil
  }

  /// The offset is the image's address in crashes of iOS 14, and an offset from there on.
  private static func location(
    offset: UInt64, address: UInt64?
  ) -> (base: UInt64?, offset: UInt64?) {
    guard let address else { return (nil, offset) }
    if offset >= 0x1_0000_0000 {
      guard address >= offset, address - offset < 512 << 20 else { return (nil, nil) }
      return (offset, address - offset)
    }
    return (address >= offset ? address - offset : nil, offset)
  }

  private mutating func image(of node: MetricKitTree.Node, base: UInt64?) -> Int? {
    guard let key = node.binaryUUID ?? node.binaryName else { return nil }
    if let index = images[key] {
      if report.images[index].base == nil { report.images[index].base = base.map { Address($0) } }
      return index
    }
    guard report.images.count < AppleLimits.images else { return nil }
    let name = node.binaryName ?? "???"
    var image = LoadedImage(
      name: AppleNames.lastPart(name), path: name.hasPrefix("/") ? name : nil,
      architecture: report.device.architecture, base: base.map { Address($0) })
    image.debugID = node.binaryUUID.flatMap { DebugID($0) }.flatMap { $0.isZero ? nil : $0 }
    images[key] = report.images.count
    report.images.append(image)
    return report.images.count - 1
  }
}
