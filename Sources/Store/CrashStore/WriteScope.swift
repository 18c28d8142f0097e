/// The data that a transaction changes. A database with concurrent writers locks just that; SQLite has
/// one writer at a time and needs no further lock.
enum WriteScope: Hashable, Sendable {
  /// Data of these apps, by name: submissions, reports, groups, releases, sessions, the ledger.
  case apps(Set<String>)
  /// Debug files, their apps, and the reports that wait for them.
  case debugFiles
  /// Anything: names and prefixes of apps, settings, data of reports or groups of any app.
  case global

  /// The tables that only transactions on debug files, or with global scope, change.
  private static let ofDebugFiles: Set = [
    "debug_files", "debug_file_apps", "debug_file_releases", "debug_file_bundles", "arrivals",
  ]
  /// The tables that only a transaction with global scope changes.
  private static let ofAll: Set = ["settings", "watched", "former_prefixes"]
  /// The tables of reports and groups, which debug files leave alone until reports are reprocessed.
  private static let ofReports: Set = [
    "submissions", "reports", "groups", "group_history", "origins", "group_keys", "ledger",
    "refused",
    "sessions", "session_events", "attachments",
  ]

  /// The tables that the transaction changed outside its scope.
  func tables(outside changed: Set<String>) -> Set<String> {
    switch self {
    case .apps: changed.intersection(Self.ofDebugFiles.union(Self.ofAll))
    case .debugFiles: changed.intersection(Self.ofReports.union(Self.ofAll))
    case .global: []
    }
  }
}

/// A transaction that changed more than its scope allows; the tests check for this.
struct WriteOutsideScope: Error {
  let scope: WriteScope
  let tables: [String]
}
