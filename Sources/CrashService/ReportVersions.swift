package import CrashStore

/// What was known of a report before it was reprocessed, each time.
package struct ReportVersions: Sendable {
  /// The whole id.
  package let report: String
  /// The group that it is in now.
  package let group: String
  /// Oldest first; what is known now is none of them.
  package let versions: [ReportVersion]

  package init(report: String, group: String, versions: [ReportVersion]) {
    self.report = report
    self.group = group
    self.versions = versions
  }
}
