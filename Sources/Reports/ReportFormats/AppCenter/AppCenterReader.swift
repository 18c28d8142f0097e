internal import Bytes
internal import CrashModel
internal import JSON

/// Requests of apps with App Center's SDK: `appleError`, `managedError` and `handledError` logs.
///
/// Source: the SDKs of Microsoft for Apple, Android and .NET, and their `ingestion.yaml`.
enum AppCenterReader: DocumentReader {
  static let format = ReportFormat.appCenter
  static let fileExtension = "json"

  static func recognises(_ bytes: ByteView) -> Bool { AppCenterContainer.recognises(bytes) }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let container = try AppCenterContainer(reading: bytes)
    let dumps = AppCenterLogs.dumps(among: container.logs)
    var reports: [CrashReport] = []
    for log in container.logs where isReport(log) {
      var report = report(of: log, in: container)
      if report.awaitsDump, let id = log.text("id")?.canonicalUUID, let dump = dumps[id] {
        report.read(dump: dump)
      }
      reports.append(report)
    }
    guard let last = reports.indices.last else {
      throw ParseError(
        .notRecognised, in: "App Center logs without a crash or an error", at: 0)
    }
    if let note = container.note { reports[last].notes.append(note) }
    return reports
  }

  static func isReport(_ log: JSONValue) -> Bool {
    log.member("type")?.string.map(AppCenterContainer.reportTypes.contains) ?? false
  }

  static func report(of log: JSONValue, in container: AppCenterContainer) -> CrashReport {
    var parser = AppCenterParser(log)
    parser.report.install = container.installID
    parser.readCommon()
    if let clock = container.clock {
      parser.keepTag(.clock, clock.rawValue)
      parser.note(clock.note)
    }
    parser.readImages()
    switch parser.type {
    case "appleError": parser.readApple()
    default: parser.readManaged()
    }
    return parser.finished().withScriptStack()
  }
}
