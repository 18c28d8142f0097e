/// The contents and queries of a store, by concept.
extension CrashStore {
  /// The apps, their names and secrets.
  public var apps: Apps { Apps(store: self) }
  /// Submissions and the reports read from them.
  public var reports: Reports { Reports(store: self) }
  /// The groups of reports with one signature.
  public var groups: Groups { Groups(store: self) }
  /// The decisions that users make about groups.
  public var triage: Triage { Triage(store: self) }
  /// The releases of apps and their order.
  public var releases: Releases { Releases(store: self) }
  /// Releases as files, and their recipients.
  public var distribution: Distribution { Distribution(store: self) }
  /// Configurations for apps with the RemoteConfiguration library.
  public var remoteConfigurations: RemoteConfigurations { RemoteConfigurations(store: self) }
  /// The rules that group the reports of apps.
  public var rules: Rules { Rules(store: self) }
  /// Debug files, and the images that lack them.
  public var debugFiles: DebugFiles { DebugFiles(store: self) }
  /// The files beside reports.
  public var attachments: Attachments { Attachments(store: self) }
  /// Session data that installations sent.
  public var sessions: Sessions { Sessions(store: self) }
  /// Counts of everything that was received, and its outcome.
  public var ledger: Accounts { Accounts(store: self) }
  /// How long reports are kept, and what deletes them.
  public var retention: Expiry { Expiry(store: self) }
  /// Queries over all reports.
  public var search: Search { Search(store: self) }
  /// Everything that is stored, for backups and for transfer to other homes.
  public var archive: Archive { Archive(store: self) }

  public struct Apps: Sendable { let store: CrashStore }
  public struct Reports: Sendable { let store: CrashStore }
  public struct Groups: Sendable { let store: CrashStore }
  public struct Triage: Sendable { let store: CrashStore }
  public struct Releases: Sendable { let store: CrashStore }
  public struct Distribution: Sendable { let store: CrashStore }
  public struct RemoteConfigurations: Sendable { let store: CrashStore }
  public struct Rules: Sendable { let store: CrashStore }
  public struct DebugFiles: Sendable { let store: CrashStore }
  public struct Attachments: Sendable { let store: CrashStore }
  public struct Sessions: Sendable { let store: CrashStore }
  public struct Accounts: Sendable { let store: CrashStore }
  public struct Expiry: Sendable { let store: CrashStore }
  public struct Search: Sendable { let store: CrashStore }
  public struct Archive: Sendable { let store: CrashStore }
}
