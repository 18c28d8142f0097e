package import CrashStore

/// How much is stored of an app.
package struct AppStats: Sendable {
  package let app: String
  package let groups: Int
  /// All that were ever stored.
  package let reports: Int
  package let reportsKept: Int
  /// Those that are kept.
  package let submissions: LedgerAmount
  package let refused: Int

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
package struct StoreStatistics: Sendable {
  package let apps: [AppStats]
  /// Files that no app was known of.
  package let refusedWithoutApp: Int
  package let debugFiles: LedgerAmount?
  /// `nil` where only one app is looked at.
  package let space: SpaceUse?

  package init(
    apps: [AppStats], refusedWithoutApp: Int, debugFiles: LedgerAmount?, space: SpaceUse?
  ) {
    self.apps = apps
    self.refusedWithoutApp = refusedWithoutApp
    self.debugFiles = debugFiles
    self.space = space
  }
}
