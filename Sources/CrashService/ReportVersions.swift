package import CrashStore

/// The earlier states of a report, one for each time it was reprocessed.
package struct ReportVersions: Sendable {
  /// The whole id.
  package let report: String
  /// The group that it is in now.
  package let group: String
  /// Oldest first, without the current state.
  package let versions: [ReportVersion]

  package init(report: String, group: String, versions: [ReportVersion]) {
    self.report = report
    self.group = group
    self.versions = versions
  }
}
