extension OTLPReader {
  static let about = FormatDescription(
    title: "OpenTelemetry", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: """
      Log records of OpenTelemetry with the event `app.crash` or an exception, and exceptions of spans, in the JSON of \
      its protocol (OTLP): a request, or what the Collector's file exporter writes. Each is a report.
      """,
    facts: [
      (
        "recognised by",
        "`resourceLogs` or `resourceSpans` with a record named `app.crash`, `app.anr`, `device.crash` or"
          + " `device.anr`, or with `exception.type` or `exception.stacktrace`"
      ),
      (
        "identity",
        "service, build, installation, system, device, process and session, by the semantic conventions; the"
          + " record's time"
      ),
      (
        "reason, stacks, images",
        "of `exception.stacktrace`, which is read as text of the runtime that wrote it; `exception.type` and"
          + " `exception.message`"
      ),
      (
        "kind",
        "a crash, a hang for `anr`; `handled` for an exception in a span or a record below FATAL"
      ),
      ("positions", "as in the runtime's text"),
      ("not read", "other records, spans and metrics; the protocol's binary form"),
    ])
}
