internal import Files
internal import Synchronization

/// The state shared with the callbacks of libmicrohttpd.
final class ServerCore: Sendable {
  let configuration: ServerConfiguration
  /// A class of its own, so that a read copies one reference.
  private final class Routes: Sendable {
    let router: Router

    init(_ router: Router) { self.router = router.prepared() }
  }

  private let routes: Mutex<Routes>
  let pool: HandlerPool
  let connections = Connections()
  /// Bytes of bodies in memory, and in the spool folder.
  let memory: Budget
  let spool: Budget
  /// Requests that have begun and are not answered.
  let requests: Budget
  let isSecure: Bool
  let isStopping = Atomic<Bool>(false)
  private let proxies: TrustedProxies
  private let isMissingSchemeNoted = Atomic<Bool>(false)
  private let number = Atomic<UInt64>(0)
  /// Distinguishes the requests of this process from those of another.
  private let prefix: String

  init(_ configuration: ServerConfiguration, _ router: Router) throws(HTTPError) {
    self.configuration = configuration
    routes = Mutex(Routes(router))
    isSecure = configuration.tls != nil
    proxies = try TrustedProxies(configuration.trustedProxies)
    pool = try HandlerPool(width: configuration.workers, queue: configuration.queue)
    let bytes = configuration.bodyMemory.bytes
    memory = Budget(
      .init(
        total: bytes, address: bytes / 2, anonymous: bytes / 2, anonymousAddress: bytes / 8))
    let room = configuration.anonymousSpool.bytes
    spool = Budget(.init(total: .max, anonymous: room, anonymousAddress: room / 4))
    // A small server has so few that all may come from one address.
    let limit = max(configuration.connections, Self.minimum)
    requests = Budget(
      .init(
        total: .max, address: max(limit / 2, Self.minimum),
        anonymous: max(limit / 2, Self.minimum),
        anonymousAddress: max(limit / 16, Self.minimum)))
    prefix = String(UInt32.random(in: .min ... .max), radix: 36)
  }

  var router: Router { routes.withLock { $0 }.router }

  /// Answers new requests by other routes.
  func use(_ router: Router) {
    let routes = Routes(router)
    self.routes.withLock { $0 = routes }
  }

  private static let minimum = 32

  func nextID() -> String {
    "\(prefix)-\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  func tell(_ peer: ConnectionPeer?, to head: inout RequestHead) {
    head.publicAddress = configuration.publicAddress
    proxies.tell(peer, isSecure: isSecure, to: &head)
    // A proxy's own checks forward nothing.
    guard head.isFromTrustedProxy, !head.isSecure, head.publicAddress == nil,
      head.headers["X-Forwarded-Proto"] == nil, head.headers["X-Forwarded-For"] != nil,
      !isMissingSchemeNoted.load(ordering: .relaxed),
      !isMissingSchemeNoted.exchange(true, ordering: .relaxed)
    else { return }
    configuration.noteMissingScheme()
  }

  /// The client that a request is charged to. A Unix socket has no client address.
  func client(of head: RequestHead, isAnonymous: Bool) -> Client {
    Client(
      address: head.peer == "unix" ? "" : head.network, isAnonymous: isAnonymous)
  }

  /// The deadline of a head that may begin after `silence`.
  func headDeadline(after silence: Duration) -> UInt64 {
    UInt64(SteadyClock.nanoseconds) + silence.nanoseconds + configuration.headDeadline.nanoseconds
  }

  func report(_ error: any Error, _ id: String) {
    if case .problem? = error as? HTTPError { return }
    configuration.report(error, id)
  }
}
