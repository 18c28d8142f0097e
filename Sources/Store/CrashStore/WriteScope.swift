/// What a transaction changes. A database that several write to at once locks just that; SQLite has one
/// writer at a time and needs no lock of its own.
enum WriteScope: Hashable, Sendable {
  /// What belongs to these apps, by name: submissions, reports, groups, releases, sessions, the ledger.
  case apps(Set<String>)
  /// Debug files, which apps they are for, and the reports that wait for them.
  case debugFiles
  /// Anything: names and prefixes of apps, settings, what belongs to reports or groups of any app.
  case global

  /// The tables that only transactions on debug files, or on everything, change.
  private static let ofDebugFiles: Set = [
    "debug_files", "debug_file_apps", "debug_file_releases", "debug_file_bundles", "arrivals",
  ]
  /// Those that only a transaction on everything changes.
  private static let ofAll: Set = ["settings", "watched", "former_prefixes"]
  /// Those of reports and groups, which debug files leave alone until reports are reprocessed.
  private static let ofReports: Set = [
    "submissions", "reports", "groups", "group_history", "origins", "group_keys", "ledger",
    "refused",
    "sessions", "session_events", "attachments",
  ]

  /// The tables that the transaction changed and should have left alone.
  func tables(outside changed: Set<String>) -> Set<String> {
    switch self {
    case .apps: changed.intersection(Self.ofDebugFiles.union(Self.ofAll))
    case .debugFiles: changed.intersection(Self.ofReports.union(Self.ofAll))
    case .global: []
    }
  }
}

/// A transaction that changes more than it says, which the tests look for.
struct WriteOutsideScope: Error {
  let scope: WriteScope
  let tables: [String]
}
