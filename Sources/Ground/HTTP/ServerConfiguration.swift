/// How a server listens, and every limit that is not a route's own.
public struct ServerConfiguration: Sendable {
  /// PEM files of a certificate chain and its key.
  public struct TLS: Sendable {
    public var certificatePath: String
    public var keyPath: String

    public init(certificatePath: String, keyPath: String) {
      self.certificatePath = certificatePath
      self.keyPath = keyPath
    }
  }

  public var listen: ListenAddress
  public var tls: TLS?
  /// Where large bodies are kept while a request is served; must exist.
  public var spoolFolder = "/tmp"

  /// Whether the disk of the spool folder may take more; asked every 16 MiB of a body.
  public var hasRoom: @Sendable () -> Bool = { true }

  /// Open connections; further clients wait in the system's queue.
  public var connections = 1_000
  /// Open connections from one address, or from one IPv6 network of 64 bits; 0 for no limit, as behind a
  /// proxy.
  public var connectionsPerAddress = 100
  /// Request line and headers together, in each connection.
  public var headMemory: ByteCount = .kibibytes(64)
  /// How long a connection may be silent.
  public var idleTimeout: Duration = .seconds(15)
  /// How long a request may take up to the end of its headers.
  public var headDeadline: Duration = .seconds(20)
  /// The least speed, in bytes a second, at which a client must take a response.
  public var leastSpeed = 16_384
  /// The least speed, in bytes a second, at which a client must send a body, and over how long it is
  /// measured; then 408. 0 is any speed.
  public var leastBodySpeed = 1_024
  public var bodySpeedWindow: Duration = .seconds(20)
  /// All bodies that are held in memory at a time; those that find no room go to the spool folder.
  public var bodyMemory: ByteCount = .mebibytes(128)
  /// A body that is larger goes to the spool folder.
  public var bodyInMemory: ByteCount = .kibibytes(256)
  /// Bodies in the spool folder, at a time, of requests without a token.
  public var anonymousSpool: ByteCount = .gibibytes(2)
  /// The most bytes that one byte of a compressed body may become, beyond the first MiB.
  public var inflationRatio = 250

  /// Threads that move bytes.
  public var networkThreads = 2
  /// Threads that run handlers.
  public var workers = 4
  /// Requests that wait for a worker; more are refused with 503.
  public var queue = 1_000

  /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses, networks
  /// (`10.0.0.0/8`), or `unix` for whoever reaches a Unix socket.
  public var trustedProxies: [String] = []

  /// The server's address in all that it writes, without a slash at its end; `nil` for the one that the client
  /// reached, which is the client's own word.
  public var publicAddress: String?

  /// Pages of other origins that may use the API.
  public var cors = CORSPolicy()

  /// Gets a record of each request, on a network thread.
  public var log: @Sendable (AccessRecord) -> Void = { _ in }
  /// Gets what a handler threw that was not meant for the client.
  public var report: @Sendable (_ error: any Error, _ id: String) -> Void = { _, _ in }

  /// Called once, when a trusted proxy forwards a request without `X-Forwarded-Proto` and there is no
  /// ``publicAddress``: addresses that the server writes then begin with `http`.
  public var noteMissingScheme: @Sendable () -> Void = {}

  /// The answer to an error of a authorization or a handler that is not an ``HTTPError``; `nil` for 500 without
  /// a word. What it shows, clients see.
  public var answer: @Sendable (_ error: any Error) -> Response? = { _ in nil }

  public init(listen: ListenAddress) { self.listen = listen }
}
