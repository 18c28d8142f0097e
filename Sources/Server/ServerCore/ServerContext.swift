package import CrashService
package import CrashStore
package import Crypto
package import HTTP
internal import Pipeline
internal import Rendering
package import ServerStore
package import Synchronization
package import Uploads

/// The shared state of a server's routes.
package final class ServerContext: Sendable {
  package let store: CrashStore
  let local: LocalService
  package let queue: IntakeQueue
  package let tokens: TokensTable
  package let accounts: AccountsTable
  package let audit: AuditLog
  package let links: IntakeLinksTable
  package let alerts: AlertsTable
  package let uploads: BlobUploads
  package let parts: PartialUploads
  /// Room for what a request sends.
  package let scratch: ScratchSpace
  package let finisher: UploadFinisher
  package let access: Access
  package let rates: RateLimits
  package let secrets: AppSecrets
  package let updates: UpdateCatalogs
  package let fixes: KnownFixCounter
  package let sightings: TesterSightings
  package let downloads: DownloadLinks
  package let downloadCounts: DownloadCounter
  package let metrics: ServerMetrics
  package let signIn: SignInSettings
  package let signInLimits: SignInLimits
  package let commandSignIns: CommandSignIns
  package let passwords: PasswordGate
  package let locations: LocationCache
  package let regressions: RegressionCache
  package let appRegressions: AppRegressionCache
  package let savedSearches: SavedSearchesTable
  package let releases: ResultCache<ReleaseComparisons>
  /// The values that groups have more of than their apps.
  package let correlations: ResultCache<Correlations>
  /// Held while a resource with an entity tag is changed.
  package let changes = Mutex<Void>(())
  /// Held as long as the server lives.
  private let lease: ServerLease
  private let bell = Mutex<NotifierBox?>(nil)
  /// When the rate limits were last charged for the content of submissions, in seconds.
  private let charged = Mutex(0.0)

  /// A closure in a type of its own: stored directly in a `Mutex` it is wrapped once more at each access, and
  /// every call goes through all wrappers.
  private struct NotifierBox: Sendable {
    let ring: @Sendable () -> Void
  }

  /// - Parameters:
  ///   - rate: Submissions per minute and client; 0 for no limit.
  ///   - unknownAppLimit: The maximum number of unnamed apps that unknown secrets may create.
  ///   - old: The previous context, whose counts continue.
  package init(
    home: String, store: CrashStore, limits: IntakeLimits, rate: Int, unknownApps: UnknownApps,
    unknownAppLimit: Int, uploadLimits: UploadLimits = UploadLimits(),
    signIn: SignInSettings = SignInSettings(), after old: ServerContext? = nil
  ) throws {
    self.signIn = signIn
    finisher = old?.finisher ?? UploadFinisher()
    metrics = old?.metrics ?? ServerMetrics()
    signInLimits = old?.signInLimits ?? SignInLimits()
    commandSignIns = old?.commandSignIns ?? CommandSignIns()
    passwords = old?.passwords ?? PasswordGate()
    locations = old?.locations ?? LocationCache()
    regressions = old?.regressions ?? RegressionCache()
    appRegressions = old?.appRegressions ?? AppRegressionCache()
    releases = old?.releases ?? ResultCache()
    correlations = old?.correlations ?? ResultCache()
    self.store = store
    updates = try old?.updates ?? UpdateCatalogs(store)
    fixes = old?.fixes ?? KnownFixCounter()
    downloadCounts = old?.downloadCounts ?? DownloadCounter()
    sightings = old?.sightings ?? TesterSightings()
    downloads = try old?.downloads ?? DownloadLinks(key: store.downloadKey())
    secrets = AppSecrets(store, unknownApps, limit: unknownAppLimit)
    local = LocalService(home: home, store: store, archive: ReportArchive.bytes(of:in:))
    queue = IntakeQueue(in: try ServerStore(opening: home), limits: limits)
    // A separate connection: token checks do not wait for a sync of the queue.
    let other = try ServerStore(opening: home)
    lease = try ServerLease(in: other)
    tokens = TokensTable(in: other)
    accounts = AccountsTable(in: other)
    audit = AuditLog(in: other)
    links = IntakeLinksTable(in: other)
    savedSearches = SavedSearchesTable(in: other)
    alerts = AlertsTable(in: other)
    uploads = BlobUploads(in: other, limits: uploadLimits)
    parts = PartialUploads(home: home, limits: uploadLimits)
    scratch = other.scratch
    access = Access(tokens: tokens, store: store)
    rates = RateLimits(perMinute: rate)
  }

  /// Reads the data that responses need, so that a damaged database is an error before any request is
  /// answered.
  func readThrough() throws {
    try queue.readThrough()
    _ = try store.apps.list()
  }

  /// Returns the service for the sender of `head`, as used by commands that work on the home; for a token for
  /// one app, limited to this app. It hides what the token's role does not see.
  package func service(for head: RequestHead) throws -> any CrashService {
    service(
      ofApp: try access.app(of: head), hiding: try withholding(from: try access.role(of: head)))
  }

  /// Returns the service for work of the server itself.
  ///
  /// - Parameters:
  ///   - app: The only visible app; `nil` for all.
  ///   - withholding: What it hides of reports.
  package func service(
    ofApp app: String?, hiding withholding: Withholding = .nothing
  ) -> any CrashService {
    var whole = local
    whole.withholding = withholding
    guard let app else { return whole }
    return ScopedService(app: app, whole: whole)
  }

  /// Returns what a role does not see of reports.
  package func withholding(from role: Account.Role) throws -> Withholding {
    try Withholding(from: role, in: store)
  }

  /// Returns a refusal for an app whose name differs from another's only in letter case; `nil` if the app
  /// exists or may be created.
  package func refusal(ofApp name: String) throws -> Response? {
    do {
      try store.apps.checkName(ofApp: name)
      return nil
    } catch let error as StoreError {
      guard case .alike = error else { throw error }
      // A token for one app must not learn the other app's name.
      return .problem(
        .conflict, "\(name): another app's name differs only in letter case",
        code: .nameTaken)
    }
  }

  /// Counts a submission of a client, with or without a token, and of an app.
  ///
  /// - Parameters:
  ///   - app: The app that is charged, too.
  ///   - isPublic: Whether anyone could have sent it: then its bytes are counted, too.
  /// - Returns: `nil` if it is allowed; otherwise the seconds until it is.
  package func wait(for head: RequestHead, app: String?, isPublic: Bool) -> Int? {
    chargeRates()
    let host = RateLimits.Client.host(head.network)
    if let wait = rates.take(host) { return wait }
    if isPublic, let wait = rates.take(bytes: head.contentLength ?? 0, of: host) { return wait }
    return app.flatMap { rates.take(.app($0)) }
  }

  /// Charges the rate limits for what the worker found in submissions, at most once a second.
  private func chargeRates() {
    let now = RateLimits.now
    let isDue = charged.withLock { last in
      guard now - last >= 1 else { return false }
      last = now
      return true
    }
    // On a full or failing disk, limiting continues without these charges; clients get an error.
    guard isDue, let charges = try? queue.takeCharges() else { return }
    charges.forEach { rates.charge($0) }
  }

  /// Returns facts about the sender of `head`, so that it can be charged for its submission's content.
  ///
  /// - Parameter app: The rate limit's name for the app.
  package func shareFacts(of head: RequestHead, app: String?) -> [String: String] {
    var facts = [IntakeFact.client: rates.tag(of: head.network)]
    facts[IntakeFact.share] = app
    return facts
  }

  /// - Parameter body: Called when there is something to store or to reprocess.
  package func onArrival(_ body: @escaping @Sendable () -> Void) {
    bell.withLock { $0 = NotifierBox(ring: body) }
    queue.onArrival(body)
  }

  /// Reports work that is not a submission: the queue reports those itself.
  package func announceArrival() { bell.withLock { $0 }?.ring() }
}

extension ServerContext {
  /// Stores what was counted in memory: answers with known fixes, downloads, and when testers were last seen.
  ///
  /// - Throws: `DatabaseError`; what could not be stored stays counted.
  package func storeCounts() throws {
    try fixes.store(in: store, at: .now)
    try downloadCounts.store(in: store)
    try sightings.store(in: store)
  }
}
