internal import CrashModel
internal import JSON

extension AppCenterParser {
  /// `managedError` and `handledError`.
  mutating func readManaged() {
    readThreads()
    guard let value = log.member("exception"), value.object != nil else {
      report.notes.append("the report has no exception")
      return
    }
    if value.text("type") == "minidump" {
      report.reason.type = "native crash"
      keepTag(.wrapperName, value.text("wrapperSdkName"))
      report.tags[.minidump] = CrashReport.awaitedDump
      report.notes.append(CrashReport.waiting)
      return
    }
    report.reason.exception = exception(value)
    report.reason.type = report.reason.exception?.type
    report.reason.message = report.reason.exception?.message?.cutMessage
  }
}
