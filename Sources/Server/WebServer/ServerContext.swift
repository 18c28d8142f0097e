package import Uploads
internal import Pipeline
internal import Rendering
package import CrashService
internal import CrashModel
package import CrashStore
package import HTTP
package import ServerStore
package import Passwords
internal import Synchronization

/// What the routes of a server work with.
package final class ServerContext: Sendable {
  package let store: CrashStore
  let local: LocalService
  package let queue: IntakeQueue
  package let tokens: TokensTable
  package let accounts: AccountsTable
  package let audit: AuditLog
  package let alerts: AlertsTable
  package let uploads: BlobUploads
  package let parts: PartialUploads
  package let finisher: UploadFinisher
  package let access: Access
  package let rates: RateLimits
  package let secrets: AppSecrets
  package let updates: UpdateCatalogs
  package let fixes: KnownFixCounter
  package let downloads: DownloadLinks
  package let metrics: ServerMetrics
  package let signIn: SignInSettings
  package let signInLimits: SignInLimits
  package let passwords: PasswordGate
  package let places: PlaceMemory
  package let regressions: RegressionMemory
  /// Held while something with an entity tag is changed.
  let changes = Mutex<Void>(())
  /// Held as long as the server lives.
  private let lease: ServerLease
  private let bell = Mutex<Bell?>(nil)
  /// When the rate was last charged with what submissions turned out to hold, in seconds.
  private let charged = Mutex(0.0)

  /// A closure in a case of its own: one that lies in a `Mutex` itself is wrapped once more each time
  /// that it is looked at, and every call goes through all the wrappings.
  private struct Bell: Sendable {
    let ring: @Sendable () -> Void
  }

  /// - Parameters:
  ///   - rate: Submissions a minute of one client; 0 for any number.
  ///   - unknownAppLimit: The most apps of secrets that nobody has named.
  ///   - old: The one before it, whose counts go on.
  package init(
    home: String, store: CrashStore, limits: IntakeLimits, rate: Int, unknownApps: UnknownApps,
    unknownAppLimit: Int, uploadLimits: UploadLimits = UploadLimits(),
    signIn: SignInSettings = SignInSettings(), after old: ServerContext? = nil
  ) throws {
    self.signIn = signIn
    finisher = old?.finisher ?? UploadFinisher()
    metrics = old?.metrics ?? ServerMetrics()
    signInLimits = old?.signInLimits ?? SignInLimits()
    passwords = old?.passwords ?? PasswordGate()
    places = old?.places ?? PlaceMemory()
    regressions = old?.regressions ?? RegressionMemory()
    self.store = store
    updates = try old?.updates ?? UpdateCatalogs(store)
    fixes = old?.fixes ?? KnownFixCounter()
    downloads = try old?.downloads ?? DownloadLinks(key: store.downloadKey())
    secrets = AppSecrets(store, unknownApps, limit: unknownAppLimit)
    local = LocalService(home: home, store: store, archive: ReportArchive.bytes(of:in:))
    queue = IntakeQueue(in: try ServerStore(opening: home), limits: limits)
    // A connection of their own: who is asked for a token does not wait for a sync of the queue.
    let other = try ServerStore(opening: home)
    lease = try ServerLease(in: other)
    tokens = TokensTable(in: other)
    accounts = AccountsTable(in: other)
    audit = AuditLog(in: other)
    alerts = AlertsTable(in: other)
    uploads = BlobUploads(in: other, limits: uploadLimits)
    parts = PartialUploads(home: home, limits: uploadLimits)
    access = Access(tokens: tokens, store: store)
    rates = RateLimits(perMinute: rate)
  }

  /// Reads what answers need, so that a damaged database is an error before anybody is answered.
  func readThrough() throws {
    try queue.readThrough()
    _ = try store.apps.list()
  }

  /// What the API answers to whoever sends `head`, as commands do that work on the home; of a token for
  /// one app, that of this app.
  package func service(for head: RequestHead) throws -> any CrashService {
    service(ofApp: try access.app(of: head))
  }

  /// - Parameter app: The one app that somebody may know of; `nil` for all.
  package func service(ofApp app: String?) -> any CrashService {
    guard let app else { return local }
    return ScopedService(app: app, whole: local)
  }

  /// Why nothing is taken for an app: its name differs from that of another only in letter case. `nil` where
  /// it may be an app of its own, or is there.
  package func refusal(ofApp name: String) throws -> Response? {
    do {
      try store.apps.checkName(ofApp: name)
      return nil
    } catch let error as StoreError {
      guard case .alike = error else { throw error }
      // Which other one there is, a token of one app does not learn.
      return .problem(
        .conflict, "\(name): another app's name differs from this one only in letter case",
        code: .nameTaken)
    }
  }

  /// Counts a submission of a client for whom nobody vouches, or that has a token, and of an app.
  ///
  /// - Parameters:
  ///   - app: Whose share it takes too.
  ///   - isPublic: Whether anybody could have sent it: then its bytes count too.
  /// - Returns: `nil` if it may come; else after how many seconds it may.
  package func wait(for head: RequestHead, app: String?, isPublic: Bool) -> Int? {
    chargeRates()
    let host = RateLimits.Client.host(head.network)
    if let wait = rates.take(host) { return wait }
    if isPublic, let wait = rates.take(bytes: head.contentLength ?? 0, of: host) { return wait }
    return app.flatMap { rates.take(.app($0)) }
  }

  /// Charges the rate with what the worker found in submissions, once a second.
  private func chargeRates() {
    let now = RateLimits.now
    let isDue = charged.withLock { last in
      guard now - last >= 1 else { return false }
      last = now
      return true
    }
    // On a full or failing disk the rate goes on without; whoever submits is told.
    guard isDue, let charges = try? queue.takeCharges() else { return }
    charges.forEach { rates.charge($0) }
  }

  /// What the rate is told of who sends `head`, for what its submission turns out to hold.
  ///
  /// - Parameter app: The app as the rate names it.
  package func shareFacts(of head: RequestHead, app: String?) -> [String: String] {
    var facts = [IntakeFact.client: rates.tag(of: head.network)]
    facts[IntakeFact.share] = app
    return facts
  }

  /// - Parameter body: Called when there is something to file or to do again.
  package func onArrival(_ body: @escaping @Sendable () -> Void) {
    bell.withLock { $0 = Bell(ring: body) }
  }

  package func announceArrival() { bell.withLock { $0 }?.ring() }
}
