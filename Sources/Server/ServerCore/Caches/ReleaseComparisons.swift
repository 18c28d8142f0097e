package import CrashStore

/// The releases of an app, compared for pages.
package struct ReleaseComparisons: Sendable {
  package let summaries: ReleaseSummaries
  /// The groups that are more frequent since a release.
  package let regressions: AppRegressions

  package init(summaries: ReleaseSummaries, regressions: AppRegressions) {
    self.summaries = summaries
    self.regressions = regressions
  }
}
