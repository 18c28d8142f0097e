internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension ReportFormat {
  /// Crashes and exceptions in OpenTelemetry's protocol.
  static let otlp = ReportFormat("otlp")
}

/// Log records and spans of OpenTelemetry that describe a crash or an exception, in the JSON of its protocol
/// (OTLP).
///
///     {"resourceLogs": [{
///        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "tern"}}]},
///        "scopeLogs": [{"logRecords": [{
///           "timeUnixNano": "1793200000000000000", "severityNumber": 21, "eventName": "app.crash",
///           "attributes": [{"key": "exception.stacktrace", "value": {"stringValue": "..."}}]}]}]}]}
///     {"resourceSpans": [{"resource", "scopeSpans": [{"spans": [{"events": [{"name": "exception", ...}]}]}]}]}
///
/// A file may hold several such objects, a line each, as the file exporter of the Collector writes them. The stack is
/// the text that the runtime prints.
///
/// Sources: opentelemetry-proto and the semantic conventions for exceptions and `app.crash`.
enum OTLPReader: DocumentReader {
  static let format = ReportFormat.otlp
  static let fileExtension = "json"

  static func recognises(_ bytes: ByteView) -> Bool {
    let keys = ObjectDocument.keys(of: bytes)
    guard
      !keys.isDisjoint(with: ["resourceLogs", "resource_logs", "resourceSpans", "resource_spans"])
    else { return false }
    do throws(ParseError) { return !(try records(in: bytes)).isEmpty } catch { return false }
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var reports: [CrashReport] = []
    for record in try records(in: bytes) { reports.append(record.report) }
    guard !reports.isEmpty else {
      throw ParseError(.notRecognised, in: "JSON, but no report of a known format", at: 0)
    }
    return reports
  }

  private static func records(in bytes: ByteView) throws(ParseError) -> [OTLPRecord] {
    var records: [OTLPRecord] = []
    for object in try JSONSequence(reading: bytes, limit: FormatLimits.reports).objects {
      for group in object.either("resourceLogs", "resource_logs") {
        let resource = OTLPAttributes(group.member("resource"))
        for scope in group.either("scopeLogs", "scope_logs") {
          for log in scope.either("logRecords", "log_records") {
            take(OTLPRecord(log: log, of: resource), &records)
          }
        }
      }
      for group in object.either("resourceSpans", "resource_spans") {
        let resource = OTLPAttributes(group.member("resource"))
        for scope in group.either("scopeSpans", "scope_spans") {
          for span in scope.list("spans") {
            for event in span.list("events") {
              take(OTLPRecord(event: event, of: resource), &records)
            }
          }
        }
      }
    }
    return records
  }

  private static func take(_ record: OTLPRecord?, _ records: inout [OTLPRecord]) {
    guard let record, records.count < FormatLimits.reports else { return }
    records.append(record)
  }
}

/// The attributes of a resource, a record or an event.
struct OTLPAttributes {
  private var values: [String: String] = [:]

  init(_ value: JSONValue?) {
    for attribute in value?.list("attributes").prefix(1024) ?? [] {
      guard let key = attribute.text("key"), let value = attribute.member("value") else { continue }
      let text = [
        "stringValue", "intValue", "boolValue", "doubleValue", "string_value", "int_value",
      ]
      .lazy.compactMap { value.text($0) }.first
      // Only stacks are long.
      if let text { values[key] = text }
    }
  }

  /// The first of `keys` that is given.
  subscript(keys: String...) -> String? { keys.lazy.compactMap { values[$0] }.first }

  func number(_ key: String) -> Int? { values[key].flatMap { Int($0) } }
}

/// A record or event that describes a crash or an exception.
private struct OTLPRecord {
  private let resource: OTLPAttributes
  private let attributes: OTLPAttributes
  private let name: String
  private let time: Timestamp?
  private let isFatal: Bool

  /// - Returns: `nil` for any other record.
  init?(log: JSONValue, of resource: OTLPAttributes) {
    attributes = OTLPAttributes(log)
    self.resource = resource
    name =
      log.text("eventName") ?? log.text("event_name") ?? attributes["event.name", "name"] ?? ""
    time = Self.time(
      log.text("timeUnixNano") ?? log.text("time_unix_nano") ?? log.text("observedTimeUnixNano"))
    // 21 to 24 are the levels of FATAL.
    isFatal = (log.number("severityNumber") ?? 0) >= 21 || log.text("severityText") == "FATAL"
    guard isCrash || isHang || attributes["exception.type", "exception.stacktrace"] != nil else {
      return nil
    }
  }

  init?(event: JSONValue, of resource: OTLPAttributes) {
    guard event.text("name") == "exception" else { return nil }
    attributes = OTLPAttributes(event)
    self.resource = resource
    name = "exception"
    time = Self.time(event.text("timeUnixNano") ?? event.text("time_unix_nano"))
    isFatal = false
    guard attributes["exception.type", "exception.stacktrace"] != nil else { return nil }
  }

  private var isCrash: Bool { name == "app.crash" || name == "device.crash" }
  private var isHang: Bool { name == "app.anr" || name == "device.anr" || name == "app.hang" }

  private static func time(_ text: String?) -> Timestamp? {
    guard let text, let nanoseconds = UInt64(text), nanoseconds > 0 else { return nil }
    return Timestamp(microseconds: Int(clamping: nanoseconds / 1000))
  }

  var report: CrashReport {
    var report = stack ?? CrashReport(format: .otlp)
    report.format = .otlp
    report.kind = isHang ? .hang : isCrash || isFatal ? .crash : .handled
    report.time = time ?? report.time
    readReason(&report)
    readIdentity(&report)
    return report
  }

  /// The report read from the stack's text by the reader of its runtime.
  private var stack: CrashReport? {
    // A text, not a document that contains further records.
    guard let text = attributes["exception.stacktrace"],
      !["{", "["].contains(text.first { !$0.isWhitespace })
    else { return nil }
    var texts = [text]
    // Some clients send only the frames.
    if let type = attributes["exception.type"] {
      let title = attributes["exception.message"].map { "\(type): \($0)" } ?? type
      if !text.hasPrefix(type) { texts.append("\(title)\n\(text)") }
    }
    var found: CrashReport?
    for text in texts {
      do throws(ParseError) {
        let reports = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
        guard let report = reports.first, report.format != .otlp else { continue }
        if report.reason.exception?.frames.isEmpty == false || !report.threads.isEmpty {
          return report
        }
        found = found ?? report
      } catch {
        continue
      }
    }
    return found
  }

  private func readReason(_ report: inout CrashReport) {
    let type = attributes["exception.type"]?.cut(FormatLimits.nameBytes)
    let message = attributes["exception.message"]?.cutMessage
    if type != nil || message != nil, report.reason.exception == nil, report.threads.isEmpty {
      report.reason.exception = LanguageException(type: type, message: message)
    }
    if var exception = report.reason.exception {
      exception.type = exception.type ?? type
      exception.message = exception.message ?? message
      report.reason.exception = exception
    }
    report.reason.type = report.reason.type ?? (isHang ? "ANR" : type)
    report.reason.message = report.reason.message ?? message
    if report.threads.isEmpty, report.reason.exception?.frames.isEmpty ?? true {
      report.notes.append("the record has no stack that could be read")
    }
  }

  private func readIdentity(_ report: inout CrashReport) {
    func text(_ key: String) -> String? { (attributes[key] ?? resource[key])?.cut(1024) }
    report.app.name = text("service.name") ?? report.app.name
    report.app.version = text("service.version") ?? report.app.version
    report.app.build = text("app.build_id") ?? report.app.build
    report.install = text("app.installation.id") ?? report.install
    let type = text("os.type").map {
      ["darwin": "macOS", "linux": "Linux", "windows": "Windows"][$0] ?? $0
    }
    report.os.name = text("os.name") ?? report.os.name ?? type
    report.os.version = text("os.version") ?? report.os.version
    report.os.build = text("os.build_id") ?? report.os.build
    report.device.model =
      text("device.model.identifier") ?? text("device.model.name") ?? report.device.model
    report.tags[.deviceMaker] = text("device.manufacturer")
    report.device.architecture =
      text("host.arch").map {
        ["amd64": Architecture.x86_64, "arm64": .arm64][$0] ?? Architecture($0.cut(32))
      } ?? report.device.architecture
    report.process.name = text("process.executable.name") ?? report.process.name
    report.process.path = text("process.executable.path") ?? report.process.path
    report.process.pid = resource.number("process.pid") ?? report.process.pid
    report.incident = text("app.crash.id") ?? text("log.record.uid") ?? report.incident
    report.tags[.threadName] = text("thread.name") ?? report.tags[.threadName]
    report.tags[.threadID] = text("thread.id") ?? report.tags[.threadID]
    report.tags[.session] = text("session.id")
    report.tags[.sdkName] = text("telemetry.sdk.name")
    report.tags[.sdkVersion] = text("telemetry.sdk.version")
    report.properties["environment"] =
      text("deployment.environment.name") ?? text("deployment.environment")
  }
}

extension JSONValue {
  /// The list under its JSON name, or under that of the protocol.
  fileprivate func either(_ name: String, _ other: String) -> [JSONValue] {
    let list = self.list(name)
    return list.isEmpty ? self.list(other) : list
  }
}
