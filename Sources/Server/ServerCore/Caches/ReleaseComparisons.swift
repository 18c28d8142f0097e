package import CrashStore
package import Identifiers

/// The releases of an app, compared for pages.
package struct ReleaseComparisons: Sendable {
  package let summaries: ReleaseSummaries
  /// The groups that are more frequent since a release.
  package let regressions: AppRegressions
  /// The crash-free figures of the last ``CrashStore/Releases/figureDays``, without those of users.
  package let crashFree: [Release: CrashFree]

  package init(
    summaries: ReleaseSummaries, regressions: AppRegressions, crashFree: [Release: CrashFree]
  ) {
    self.summaries = summaries
    self.regressions = regressions
    self.crashFree = crashFree
  }
}
