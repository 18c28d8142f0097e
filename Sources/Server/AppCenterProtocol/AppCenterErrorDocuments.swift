package import CrashModel
internal import CrashService
package import CrashStore
package import Identifiers
package import JSON
package import ReportDocument
package import TriageModel

/// Errors as App Center's REST API writes them: groups and reports in camel case, stacks with
/// underscores.
extension JSONWriter {
  /// - Parameter exemplar: The group's exemplar, if a report is left.
  package mutating func write(
    _ group: GroupSummary, release: Release, exemplar: CrashReport?, annotation: String?
  ) {
    let exception = exemplar?.reason.exception
    let frame = exemplar?.appCenterReason
    beginObject()
    member("state", group.state.inAppCenter)
    member("annotation", annotation)
    member("errorGroupId", group.id)
    member("appVersion", release.version)
    member("appBuild", release.build)
    member("count", group.reports)
    member("deviceCount", group.installs ?? 0)
    member("firstOccurrence", (group.firstSeen ?? Timestamp(seconds: 0)).description)
    member("lastOccurrence", (group.lastSeen ?? Timestamp(seconds: 0)).description)
    member(
      "exceptionType", exception?.type ?? exemplar?.reason.type ?? exemplar?.reason.signal)
    member("exceptionMessage", exception?.message ?? exemplar?.reason.message ?? group.reason)
    member("exceptionClassName", frame?.className)
    member("exceptionClassMethod", frame?.isClassMethod)
    // A group without reports has only its signature left.
    member("exceptionMethod", exemplar == nil ? group.signature.text : frame?.method)
    member("exceptionAppCode", frame.map { $0.frame.inApp ?? false })
    member("exceptionFile", frame?.frame.file)
    member("exceptionLine", frame?.frame.line.map { "\($0)" })
    member("codeRaw", frame?.raw)
    writeReasonFrames(of: exemplar)
    member("hidden", false)
    endObject()
  }

  private mutating func writeReasonFrames(of report: CrashReport?) {
    key("reasonFrames")
    beginArray()
    if let report, let frame = report.appCenterReason {
      beginObject()
      member("className", frame.className)
      member("method", frame.method)
      member("classMethod", frame.isClassMethod)
      member("file", frame.frame.file)
      member("line", frame.frame.line)
      member("appCode", frame.frame.inApp ?? false)
      member("frameworkName", frame.image)
      member("codeFormatted", frame.formatted)
      member("codeRaw", frame.raw)
      member("language", frame.language)
      member("methodParams", frame.parameters)
      member("exceptionType", report.reason.exception?.type)
      let death = report.reason.signal ?? report.reason.type
      member("osExceptionType", death == report.reason.exception?.type ? nil : death)
      endObject()
    }
    endArray()
  }

  /// - Parameter isDetailed: Whether a single report is written, not an element of a list.
  package mutating func write(_ record: ReportRecord, _ stored: StoredReport, isDetailed: Bool) {
    let report = stored.report
    beginObject()
    member("errorId", record.summary.id)
    member("timestamp", record.summary.time.description)
    member("deviceName", report.device.model)
    member("osVersion", report.os.version)
    member("osType", report.os.name)
    member("country", report.tags[.carrierCountry])
    member("language", report.tags[.locale])
    member("userId", report.user)
    member("hasBreadcrumbs", !report.breadcrumbs.isEmpty)
    member("hasAttachments", !report.attachments.isEmpty)
    if isDetailed {
      member("name", report.reason.line ?? record.summary.signature)
      writeReasonFrames(of: report)
      member("appLaunchTimestamp", record.summary.launch(of: report)?.description)
      member("carrierName", report.tags[.carrierName])
      member("jailbreak", report.tags[.jailbreak].map { $0 == "true" })
      key("properties")
      beginObject()
      for (name, value) in report.properties.sorted(by: { $0.key < $1.key }) { member(name, value) }
      endObject()
    }
    endObject()
  }

  // MARK: Stacks

  /// - Parameter isRelevant: Whether only the crashed thread is written.
  package mutating func writeStacktrace(of report: CrashReport, isRelevant: Bool = false) {
    beginObject()
    member("title", report.signature?.text ?? report.reason.headline)
    member("reason", report.reason.line)
    key("threads")
    beginArray()
    for (index, thread) in report.threads.enumerated() {
      let isCrashed = thread.crashed || index == report.crashedThread
      guard isCrashed || !isRelevant else { continue }
      beginObject()
      member("title", thread.name ?? "Thread \(thread.index)")
      write(thread.frames, of: report)
      member("relevant", isCrashed)
      member("platform", report.appCenterPlatform)
      member("crashed", isCrashed && report.threadSummary == "crashed")
      endObject()
    }
    endArray()
    if let exception = report.reason.exception {
      key("exception")
      write(exception, of: report, depth: 0)
    }
    endObject()
  }

  private mutating func write(_ exception: LanguageException, of report: CrashReport, depth: Int) {
    beginObject()
    member("reason", exception.message)
    member("type", exception.type)
    write(exception.frames, of: report)
    member("relevant", true)
    // The same depth as in documents of reports.
    if !exception.inner.isEmpty, depth < CrashReport.maximumExceptionDepth {
      key("inner_exceptions")
      beginArray()
      for inner in exception.inner { write(inner, of: report, depth: depth + 1) }
      endArray()
    }
    member("platform", report.appCenterPlatform)
    endObject()
  }

  private mutating func write(_ frames: [Frame], of report: CrashReport) {
    key("frames")
    beginArray()
    for frame in frames {
      let parts = AppCenterFrame(frame, of: report)
      beginObject()
      member("address", frame.address?.description)
      member("class_name", parts.className)
      member("method", parts.method)
      member("class_method", parts.isClassMethod)
      member("file", frame.file)
      member("line", frame.line)
      member("app_code", frame.inApp ?? false)
      member("framework_name", parts.image)
      member("code_raw", parts.raw)
      member("code_formatted", parts.formatted)
      member("language", parts.language)
      member("relevant", frame.inApp ?? false)
      member("method_params", parts.parameters)
      endObject()
    }
    endArray()
  }
}

extension GroupState {
  /// App Center's name of the status; App Center has no regressed groups.
  package var inAppCenter: String {
    switch self {
    case .open, .regressed: "open"
    case .resolved: "closed"
    case .ignored: "ignored"
    }
  }
}
