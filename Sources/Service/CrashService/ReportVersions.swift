package import CrashStore

/// The earlier states of a report, one for each time it was reprocessed.
package struct ReportVersions: Hashable, Sendable {
  /// The report's full id.
  package var report: String
  /// The report's current group.
  package var group: String
  /// Oldest first, without the current state.
  package var versions: [ReportVersion]

  package init(report: String, group: String, versions: [ReportVersion]) {
    self.report = report
    self.group = group
    self.versions = versions
  }
}
