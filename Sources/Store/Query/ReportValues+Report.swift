public import CrashModel
public import Identifiers

extension ReportValues {
  /// The values of `report` that a query compares.
  ///
  /// - Parameters:
  ///   - time: The stored time of the crash: a report's own time may be missing or in the future.
  ///   - source: The source of the submission.
  public init(
    _ report: CrashReport, id: String, app: String, time: Timestamp, received: Timestamp,
    source: String
  ) {
    self.id = id
    self.app = app
    self.time = time
    self.received = received
    self.source = Self.bounded(source)
    version = Self.bounded(report.app.version)
    build = Self.bounded(report.app.build)
    kind = report.kind
    format = Self.bounded(report.format.description)
    osName = Self.bounded(report.os.name)
    osVersion = Self.bounded(report.os.version)
    osBuild = Self.bounded(report.os.build)
    device = Self.bounded(report.device.model)
    arch = Self.bounded(report.device.architecture?.description)
    process = Self.bounded(report.process.name)
    // A whole number of milliseconds, as in the index.
    uptime = report.process.uptime.flatMap {
      (0..<1e12).contains($0) ? ($0 * 1000).rounded() / 1000 : nil
    }
    signal = Self.bounded(report.reason.signal)
    type = Self.bounded(report.reason.type)
    exception = Self.bounded(report.reason.exception?.type)
    code = Self.bounded(report.reason.code)
    var reason = report.reason
    reason.address = nil
    headline = Self.bounded(reason.headline)
    message = Self.bounded(Self.messages(of: report.reason).joined(separator: "\n"))
    if let signature = report.signature {
      self.signature = Self.bounded(signature.text)
      category = signature.category.rawValue
      isProvisional = signature.isProvisional
      variant = NormalisedStack(signature, type: report.reason.shortType).variant
    }
    user = Self.bounded(report.user)
    install = report.install ?? ""
    incident = Self.canonical(incident: report.incident ?? "")
    symbols = SymbolCoverage(of: report)
    for (key, value) in report.tags.sorted(by: { $0.key < $1.key }) {
      tags[Self.bounded(key.description)] = Self.bounded(value)
    }
    for (key, value) in report.properties.sorted(by: { $0.key < $1.key }) {
      tags[Self.bounded(Self.propertyPrefix + key)] = Self.bounded(value)
      // Also searchable as a tag, unless a tag has that name.
      if report.tags[ReportTag(key)] == nil,
        !ReportTag.besideProperties.contains(ReportTag(key.lowercased()))
      {
        tags[Self.bounded(key)] = Self.bounded(value)
      }
    }
    attachments = report.attachments.map(\.name)
    collectNames(of: report)
  }

  /// The part of a text that is compared: limited in length, and without characters that end a text
  /// in the database or that the index uses as a placeholder, U+001A.
  public static func bounded(_ text: String?) -> String {
    guard let text else { return "" }
    if text.utf8.count <= QueryLimits.valueLength,
      !text.utf8.contains(where: { $0 == 0 || $0 == 0x1a })
    {
      return text
    }
    var end =
      text.utf8.index(text.startIndex, offsetBy: QueryLimits.valueLength, limitedBy: text.endIndex)
      ?? text.endIndex
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    var kept: [UInt8] = []
    kept.reserveCapacity(QueryLimits.valueLength)
    for byte in text[..<end].utf8 {
      if byte == 0 || byte == 0x1a { kept += "\u{fffd}".utf8 } else { kept.append(byte) }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// A reporter's id of a crash in canonical form: lower case, a UUID with dashes and without braces.
  public static func canonical(incident text: String) -> String {
    let digits = text.lowercased().filter { $0 != "-" && $0 != "{" && $0 != "}" }
    guard digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit) else {
      return bounded(text).lowercased()
    }
    var parts: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  /// The distinct messages of the exception, its causes and the system.
  private static func messages(of reason: CrashReason) -> [String] {
    var messages: [String] = []
    var exceptions = reason.exception.map { [$0] } ?? []
    while let exception = exceptions.popLast(), messages.count < 32 {
      if let message = exception.message, !messages.contains(message) { messages.append(message) }
      exceptions += exception.inner.reversed()
    }
    if let message = reason.message, !messages.contains(message) { messages.append(message) }
    if let fault = reason.fault { messages.append(fault.summary) }
    return messages
  }

  /// Collects functions, files and images of the crashed thread, or of all threads if none is
  /// marked, of the exceptions, and of stacks without a thread.
  private mutating func collectNames(of report: CrashReport) {
    var functions = NameSet()
    var files = NameSet()
    var images = NameSet()
    func add(_ frames: [Frame]) {
      for frame in frames {
        if let function = frame.function { functions.add(function) }
        if let file = frame.file { files.add(file) }
        if let image = frame.image, report.images.indices.contains(image) {
          images.add(report.images[image].name)
        }
      }
    }
    let crashed = report.crashedThread.flatMap {
      report.threads.indices.contains($0) ? [report.threads[$0]] : nil
    }
    for thread in crashed ?? report.threads { add(thread.frames) }
    var exceptions = report.reason.exception.map { [$0] } ?? []
    while let exception = exceptions.popLast() {
      add(exception.frames)
      exceptions += exception.inner.reversed()
    }
    for stack in report.otherStacks { add(stack.frames) }
    self.functions = functions.names
    self.files = files.names
    self.images = images.names
  }

  /// Distinct names in order of appearance, up to the limit.
  private struct NameSet {
    private var seen: Set<String> = []
    private(set) var names: [String] = []

    mutating func add(_ name: String) {
      guard names.count < QueryLimits.names, !name.isEmpty, seen.insert(name).inserted else {
        return
      }
      names.append(bounded(name))
    }
  }
}
