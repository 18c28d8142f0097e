package import CrashStore

/// The amount of stored data of an app.
package struct AppStats: Hashable, Sendable {
  package var app: String
  package var groups: Int
  /// The number of reports ever stored.
  package var reports: Int
  package var reportsKept: Int
  /// The submissions that are still stored.
  package var submissions: LedgerAmount
  package var refused: Int

  package init(
    app: String, groups: Int, reports: Int, reportsKept: Int, submissions: LedgerAmount,
    refused: Int
  ) {
    self.app = app
    self.groups = groups
    self.reports = reports
    self.reportsKept = reportsKept
    self.submissions = submissions
    self.refused = refused
  }
}

extension AppStats {
  package init(_ account: LedgerAccount, app: String, groups: Int) {
    self.init(
      app: app, groups: groups, reports: account.reportsStored, reportsKept: account.reportsKept,
      submissions: account.kept, refused: account.refused.amount.count)
  }
}

/// The amount of stored data.
package struct StoreStatistics: Equatable, Sendable {
  package var apps: [AppStats]
  /// The number of files whose app was unknown.
  package var refusedWithoutApp: Int
  package var debugFiles: LedgerAmount?
  /// The disk space used; `nil` if only one app is considered.
  package var space: SpaceUse?

  package init(
    apps: [AppStats], refusedWithoutApp: Int, debugFiles: LedgerAmount?, space: SpaceUse?
  ) {
    self.apps = apps
    self.refusedWithoutApp = refusedWithoutApp
    self.debugFiles = debugFiles
    self.space = space
  }
}
