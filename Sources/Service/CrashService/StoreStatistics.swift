package import CrashStore

/// How much is stored of an app.
package struct AppStats: Hashable, Sendable {
  package var app: String
  package var groups: Int
  /// All that were ever stored.
  package var reports: Int
  package var reportsKept: Int
  /// Those that are kept.
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

/// How much is stored.
package struct StoreStatistics: Equatable, Sendable {
  package var apps: [AppStats]
  /// Files that no app was known of.
  package var refusedWithoutApp: Int
  package var debugFiles: LedgerAmount?
  /// `nil` where only one app is looked at.
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
