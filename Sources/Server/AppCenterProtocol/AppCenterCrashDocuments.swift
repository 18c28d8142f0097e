package import CrashModel
internal import CrashService
package import CrashStore
package import Identifiers
package import JSON
package import ReportDocument
package import TriageModel

/// Groups and crashes in the format that App Center's REST API had before `errors`: with underscores.
extension JSONWriter {
  /// - Parameter exemplar: The group's exemplar, if a report is left.
  package mutating func writeCrashGroup(
    _ group: GroupSummary, release: Release, exemplar: CrashReport?, annotation: String?
  ) {
    let reason = exemplar?.reason
    beginObject()
    member("crash_group_id", group.id)
    member("new_crash_group_id", group.id)
    member("display_id", group.id)
    member("app_version", release.version)
    member("build", release.build)
    member("status", group.state.inAppCenter)
    member("count", group.reports)
    member("impacted_users", group.installs ?? 0)
    member("first_occurrence", (group.firstSeen ?? Timestamp(seconds: 0)).description)
    member("last_occurrence", (group.lastSeen ?? Timestamp(seconds: 0)).description)
    member("exception", reason?.exception?.type ?? reason?.type ?? reason?.signal)
    member("crash_reason", reason?.line ?? group.reason ?? group.signature.text)
    if let exemplar, let frame = exemplar.appCenterReason {
      key("reason_frame")
      beginObject()
      member("class_name", frame.className)
      member("method", frame.method)
      member("class_method", frame.isClassMethod)
      member("file", frame.frame.file)
      member("line", frame.frame.line)
      member("app_code", frame.frame.inApp ?? false)
      member("framework_name", frame.image)
      member("code_formatted", frame.formatted)
      member("code_raw", frame.raw)
      member("language", frame.language)
      member("method_params", frame.parameters)
      member("exception_type", exemplar.reason.exception?.type)
      member("os_exception_type", exemplar.reason.signal ?? exemplar.reason.type)
      endObject()
    }
    member("fatal", group.kind != .handled)
    member("annotation", annotation ?? "")
    endObject()
  }

  /// - Parameter isRelevant: Whether only the crashed stack is written.
  package mutating func writeCrash(
    _ record: ReportRecord, _ stored: StoredReport, hasStack: Bool, isRelevant: Bool
  ) {
    let report = stored.report
    beginObject()
    member("new_crash_group_id", record.summary.group)
    member("crash_id", record.summary.id)
    member("new_crash_id", record.summary.id)
    member("display_id", record.summary.id)
    member("timestamp", record.summary.time.description)
    member("version", report.app.version ?? "")
    member("build", report.app.build ?? "")
    member("device", report.device.model ?? "")
    member("device_name", report.device.model)
    member("os_version", report.os.version ?? "")
    member("os_type", report.os.name)
    if hasStack {
      key("stacktrace")
      writeStacktrace(of: report, isRelevant: isRelevant)
    }
    member("user_name", report.user ?? "")
    member("user_email", "")
    key("details")
    beginObject()
    member("carrier_country", report.tags[.carrierCountry])
    member("carrier_name", report.tags[.carrierName])
    member("locale", report.tags[.locale] ?? "")
    member("os_build", report.os.build)
    member("rooted", report.tags[.jailbreak] == "true")
    member("screen_size", report.tags[.screen] ?? "")
    member("app_start_timestamp", record.summary.launch(of: report)?.description)
    endObject()
    endObject()
  }
}

extension ReportSummary {
  /// Returns when the process started; `nil` if the report does not say.
  package func launch(of report: CrashReport) -> Timestamp? {
    guard let uptime = report.process.uptime, uptime.isFinite, abs(uptime) < 1e9 else { return nil }
    return Timestamp(microseconds: time.microseconds - Int(uptime * 1_000_000))
  }
}
