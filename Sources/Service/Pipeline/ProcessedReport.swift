public import CrashModel
internal import CrashStore

/// A report with its signature, and the app that it belongs to.
public struct ProcessedReport: Sendable {
  public let app: String
  public let report: CrashReport

  public init(app: String, report: CrashReport) {
    self.app = app
    self.report = report
  }

  /// The report without the memory and details of a dump, which may be large, after unwinding.
  var withoutMemory: ProcessedReport {
    var report = report
    report.memory = nil
    report.dump = nil
    return ProcessedReport(app: app, report: report)
  }
}

extension [ProcessedReport] {
  /// Returns the ids of the reports of one submission; in each app they start from the submission's first.
  ///
  /// - Parameter digest: The SHA-256 of the submission.
  public func ids(digest: [UInt8]) -> [String] {
    var positions: [String: Int] = [:]
    return map { report in
      let position = positions[report.app, default: 0]
      positions[report.app] = position + 1
      return ReportID.id(digest: digest, app: report.app, position: position)
    }
  }
}
