internal import Bytes
internal import CrashModel
internal import Identifiers

extension AppleTextParser {
  /// The key of a `Key: value` line whose key is known, and where the value begins.
  static func headerParts(_ line: RawSpan) -> (AppleHeaderKey, Int)? {
    let limit = min(line.byteCount, 32)
    var colon = 0
    while colon < limit, line.byte(colon) != UInt8(ascii: ":") { colon += 1 }
    guard colon < limit, colon > 1 else { return nil }
    var end = colon
    while end > 0, line.byte(end - 1).isBlank { end -= 1 }
    guard let key = AppleHeaderKey.byName[line.upTo(end).text] else { return nil }
    return (key, colon + 1)
  }

  /// Takes a `Key: value` line; only the first of repeated keys counts.
  ///
  /// - Returns: Whether the key is known.
  mutating func takeHeader(_ line: RawSpan) -> Bool {
    guard let (key, start) = Self.headerParts(line) else {
      // Below `VM Region Info`, the arrow marks the region of the fault among its neighbours.
      if line.has("--->"), let region = report.tags[.vmRegion], !region.contains("--->") {
        report.tags[.vmRegion] = region + " " + line.text
        return true
      }
      if line.has("leaks Report Version") {
        isLeaks = true
        isSample = true
        return true
      }
      if line.has("Analysis of sampling") {
        isSample = true
        return true
      }
      if line.has("Process "), isLeaks, line.contains(" total leaked bytes") {
        keepFirst(&eventDetail, line.from((line.find(": ") ?? -2) + 2).text)
        return true
      }
      if line.has("panic(cpu "), !isPastHead {
        isPanic = true
        panicText = line.text + "\n"
        return true
      }
      if spindump.takeMark(line) { return true }
      if panicTime == nil, !hasContent { panicTime = Timestamp(asctime: line.upTo(32).text) }
      return false
    }
    let bytes = line.from(start).trimmed
    let isNone = bytes.byteCount == 0 || bytes.byteCount == 3 && bytes.has("???")
    guard !isNone else { return true }
    let value = bytes.text
    if spindump.isOne {
      if key == .process {
        let (name, pid) = Self.nameAndNumber(value)
        spindump.begin(name, pid, of: report)
      }
      if !spindump.isTarget, Self.processKeys.contains(key) { return true }
    }
    switch key {
    case .incident, .reporterKey, .anonymousID, .hardwareModel, .hardwareModelOfResource, .model,
      .process, .command, .processID, .path, .identifier, .version, .codeType, .architecture, .role,
      .parentProcess, .dateTime, .date, .launchTime, .system, .analysisTool:
      takeIdentity(key, value)
    default:
      takeReason(key, value)
    }
    return true
  }

  /// The keys of the facts that a spindump gives about each process.
  private static let processKeys: Set<AppleHeaderKey> = [
    .process, .path, .identifier, .version, .codeType, .architecture, .parentProcess, .role,
  ]

  private mutating func takeIdentity(_ key: AppleHeaderKey, _ value: String) {
    switch key {
    case .incident: keepFirst(&report.incident, value)
    case .reporterKey, .anonymousID:
      // PLCrashReporter's formatter never implemented it.
      if value != "TODO" { keepFirst(&report.install, value) }
    case .hardwareModel, .hardwareModelOfResource: keepFirst(&report.device.model, value)
    case .model:
      // `iMac15,1, BootROM 235.0.0, 4 processors, …`
      let end = value.firstRange(of: ", ")?.lowerBound ?? value.endIndex
      keepFirst(&report.device.model, String(value[..<end]))
    case .process, .command:
      let (name, pid) = Self.nameAndNumber(value)
      keepFirst(&report.process.name, name)
      keepFirst(&report.process.pid, pid)
    case .processID: keepFirst(&report.process.pid, Int(value))
    case .path: keepFirst(&report.process.path, value)
    case .identifier: keepFirst(&report.app.identifier, value)
    case .version: keepFirst(&version, value)
    case .codeType, .architecture:
      keepFirst(&report.device.architecture, Architecture(appleCodeType: value))
      if value.firstRange(of: "(Translated)") != nil { keepTag(.processTranslated, "true") }
    case .role: keepTag(.processRole, value)
    case .parentProcess:
      let name = Self.nameAndNumber(value).name
      if name != "?" && name != "???" { keepTag(.processParent, name) }
    case .dateTime, .date: keepFirst(&timeText, value)
    case .launchTime: keepFirst(&launchTime, value)
    case .system:
      let system = OperatingSystem(apple: value)
      keepFirst(&report.os.name, system.name)
      keepFirst(&report.os.version, system.version)
      keepFirst(&report.os.build, system.build)
    case .analysisTool: isSample = true
    default: break
    }
  }

  private mutating func takeReason(_ key: AppleHeaderKey, _ value: String) {
    switch key {
    case .exceptionType:
      guard !hasExceptionType else { return }
      hasExceptionType = true
      let (type, signal) = Self.nameAndGroup(value)
      // KSCrash, where nothing was raised: `0 (0)`.
      if type == "0" { return }
      // SDKs write only the signal.
      if type.hasPrefix("SIG"), signal == nil {
        keepFirst(&report.reason.signal, type)
      } else {
        report.reason.type = type
      }
      keepFirst(&report.reason.signal, signal)
    case .exceptionSubtype: report.reason.applyAppleCode(value)
    case .exceptionCodes, .exceptionCode:
      hasExceptionType = true
      keepFirst(&exceptionCodes, value)
    case .exceptionMessage: keepFirst(&exceptionMessage, value)
    case .exceptionNote:
      // The system reports such events for processes that continue.
      if value.firstRange(of: "SIMULATED") != nil || value.firstRange(of: "NON-FATAL") != nil {
        report.kind = .handled
      }
    case .terminationReason: takeTermination(value)
    case .terminationDescription, .terminationDetails: keepFirst(&terminationText, value)
    case .terminatingProcess: keepTag(.terminationBy, Self.nameAndNumber(value).name)
    case .crashedThread, .triggeredThread, .highlightedThread, .highlightedByThread:
      keepFirst(&namedThread, Int(value.prefix { $0.isNumber }))
    case .region: keepTag(.vmRegion, value)
    case .event: keepFirst(&event, value)
    case .cpu, .writes, .wakeups: keepFirst(&eventDetail, value)
    case .reason: if isStackshot { keepFirst(&eventDetail, value) }
    default: break
    }
  }

  /// `Namespace SIGNAL, Code 0x5`, `SIGNAL 5 Trace/BPT trap: 5`,
  /// `FRONTBOARD 2343432205 <RBSTerminateContext| …>`, `DYLD, [0x1] Library missing`.
  private mutating func takeTermination(_ value: String) {
    guard report.tags[.terminationNamespace] == nil else { return }
    var words = value.split(separator: " ", maxSplits: 4)
    if words.first == "Namespace", words.count > 1 { words.removeFirst() }
    guard let namespace = words.first.map({ String($0.filter { $0 != "," }) }) else { return }
    keepTag(.terminationNamespace, namespace)
    words.removeFirst()
    if words.first == "Code", words.count > 1 { words.removeFirst() }
    var rest = ""
    if let number = words.first?.filter({ $0 != "[" && $0 != "]" && $0 != "," }),
      let code = number.hasPrefix("0x") ? UInt64(number.dropFirst(2), radix: 16) : UInt64(number)
    {
      keepTag(.terminationCode, code.hexadecimal)
      words.removeFirst()
    }
    if let first = words.first { rest = String(value[first.startIndex...]) }
    keepTag(.terminationReason, rest)
    // `Trace/BPT trap: 5` only repeats the signal; the other namespaces say what was wrong.
    guard namespace != "SIGNAL" else { return }
    keepFirst(&terminationText, rest.isEmpty ? nil : rest)
    block = .termination
  }

  /// Takes a line below a termination's header.
  ///
  /// - Returns: Whether it was one.
  mutating func takeTermination(line: RawSpan) -> Bool {
    // dyld's `Reason: tried: …` looks like a header.
    if let (key, _) = Self.headerParts(line), key != .reason { return false }
    if terminationLines.count < AppleLimits.textLines { terminationLines.append(line.name) }
    return true
  }

  /// The text of a termination: the lines below its header, which repeat its text in full unless they
  /// continue it.
  var terminationMessage: String? {
    guard !terminationLines.isEmpty else { return terminationText }
    var lines = terminationLines
    if let terminationText, terminationText.hasPrefix("<") {
      lines.insert(terminationText, at: 0)
    }
    return lines.joined(separator: "\n").cutMessage
  }

  /// `NAME [NUMBER]`.
  static func nameAndNumber(_ value: String) -> (name: String, number: Int?) {
    guard value.hasSuffix("]"), let open = value.lastIndex(of: "["), open > value.startIndex,
      let number = Int(value[value.index(after: open)...].dropLast())
    else { return (value, nil) }
    return (String(value[..<open]).trimmingBlankEnds(), number)
  }

  /// `NAME (GROUP)`.
  static func nameAndGroup(_ value: String) -> (name: String, group: String?) {
    guard value.hasSuffix(")"), let open = value.firstRange(of: " (") else { return (value, nil) }
    return (String(value[..<open.lowerBound]), String(value[open.upperBound...].dropLast()))
  }
}
