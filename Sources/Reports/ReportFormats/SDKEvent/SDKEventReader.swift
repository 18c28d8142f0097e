internal import Bytes
internal import CrashModel
internal import JSON

extension ReportFormat {
  /// An event of an SDK for crash reports.
  static let sdkEvent = ReportFormat("sdk-event")
}

/// Events of SDKs for crash reports, as JSON: as they are sent, or as servers return them.
///
///     Bugsnag    {"exceptions": [{"errorClass", "message", "stacktrace": [{"method", "file", "lineNumber", …}]}],
///                 "threads", "app", "device", …}, one or several in "events"
///     measure    {"exceptions": [{"type", "message", "frames": [{"method_name", "file_name", …}]}], "threads",
///                 "binary_images"}, alone or in "exception" or "anr" beside "attribute"
///     Rollbar    {"data": {"body": {"trace": {"exception", "frames"}}}}, or "trace_chain"; oldest frame first
///     Raygun     {"details": {"error": {"className", "message", "stackTrace", "innerError"}}}
///     Airbrake   {"errors": [{"type", "message", "backtrace": [{"file", "function", "line"}]}], "context"}
///     AppSignal  {"error": {"name", "message", "backtrace": ["till.rb:4:in `total'"]}}
///     gdb stacks of Launchpad {"stacktrace": [{"function", "address", "dylib", "file"}], "Signal"}
///
/// Sources: the documentation of the services' APIs.
enum SDKEventReader: DocumentReader {
  static let format = ReportFormat.sdkEvent
  static let fileExtension = "json"

  /// Keys, one of which every event has.
  private static let keys: Set<String> = [
    "exceptions", "exception", "anr", "events", "data", "details", "errors", "error", "stacktrace",
  ]

  static func recognises(_ bytes: ByteView) -> Bool {
    guard !ObjectDocument.keys(of: bytes).isDisjoint(with: keys) else { return false }
    do throws(ParseError) {
      return !events(in: try ObjectDocument(reading: bytes, name: "an SDK's event").value).isEmpty
    } catch {
      return false
    }
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let document = try ObjectDocument(reading: bytes, name: "an SDK's event")
    var reports: [CrashReport] = []
    for event in events(in: document.value).prefix(FormatLimits.reports) {
      var parser = SDKEventParser()
      parser.read(event)
      reports.append(parser.finished().withScriptStack())
    }
    guard let last = reports.indices.last else {
      throw ParseError(.notRecognised, in: "JSON, but no report of a known format", at: 0)
    }
    if let note = document.note { reports[last].notes.append(note) }
    return reports
  }

  private static func events(in value: JSONValue) -> [SDKEvent] {
    if hasExceptions(value) { return [SDKEvent(form: .exceptions, body: value, around: value)] }
    for key in ["exception", "anr"] {
      if let inner = value.member(key), hasExceptions(inner) {
        return [SDKEvent(form: .exceptions, body: inner, around: value)]
      }
    }
    let events = value.list("events").filter(hasExceptions)
    if !events.isEmpty { return events.map { SDKEvent(form: .exceptions, body: $0, around: $0) } }
    if let data = value.member("data"), let body = data.member("body"),
      body.member("trace")?.list("frames").isEmpty == false || !body.list("trace_chain").isEmpty
    {
      return [SDKEvent(form: .rollbar, body: body, around: data)]
    }
    if let details = value.member("details"), let error = details.member("error"),
      error.member("stackTrace")?.array != nil
    {
      return [SDKEvent(form: .raygun, body: error, around: details)]
    }
    if value.list("errors").contains(where: { $0.member("backtrace")?.array != nil }) {
      return [SDKEvent(form: .airbrake, body: value, around: value.member("context") ?? value)]
    }
    if let error = value.member("error"), error.text("name") != nil,
      error.member("backtrace")?.array != nil
    {
      return [SDKEvent(form: .appSignal, body: error, around: value)]
    }
    if value.list("stacktrace").contains(where: {
      $0.member("address") != nil && $0.member("depth") != nil
    }) {
      return [SDKEvent(form: .stack, body: value, around: value)]
    }
    return []
  }

  private static func hasExceptions(_ value: JSONValue) -> Bool {
    value.list("exceptions").contains {
      $0.member("errorClass") != nil && $0.member("stacktrace")?.array != nil
        || $0.member("frames")?.array != nil
    }
  }
}
