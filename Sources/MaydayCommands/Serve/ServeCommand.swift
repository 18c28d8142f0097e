import Arguments
import Bytes
import CrashModel
import CrashStore
import Glibc
import HTTP
import JSON
import Pipeline
import Scrubbing
import ServerStore

/// `mayday serve`
struct ServeCommand: SandboxedCommand {
  static let name = "serve"
  static let summary = "Receive crash reports and debug files over HTTP, and answer questions."
  static let discussion = """
    A report is acknowledged when it is on the disk; a second process, which runs while there is work, \
    files it. On SIGTERM the server \
    finishes what it began; what is not filed by then is filed after the next start. A request is \
    a line of JSON on standard error.

    On a fresh home an admin token is made and printed once. Behind a proxy name it with \
    --trusted-proxy; with systemd, sockets that it hands over are used in place of --listen.
    """
  static let examples = [
    Example("mayday serve", "On this machine only, port 8080."),
    Example(
      "mayday serve --listen :443 --tls-cert fullchain.pem --tls-key key.pem",
      "For everybody, with a certificate."),
    Example(
      "mayday serve --listen /run/mayday.sock --trusted-proxy unix", "Behind a proxy here."),
  ]

  @Option("--listen", help: "Port, address and port, or the path of a Unix socket.")
  var listen = ListenOption(port: 8080)
  @Option("--tls-cert", help: "The certificate and those that vouch for it, PEM.", value: "FILE")
  var certificate: String?
  @Option("--tls-key", help: "The certificate's key, PEM.", value: "FILE") var key: String?
  @Option(
    "--trusted-proxy", help: "Whose X-Forwarded-For is believed: address, network, or unix.",
    value: "ADDRESS")
  var proxies: [String] = []
  @Option(
    "--connections-per-address",
    help: """
      Open connections from one address, or from one IPv6 network of 64 bits; 0 is no limit. Else 100, and no \
      limit behind a proxy.
      """,
    value: "N")
  var connectionsPerAddress: Int?
  @Option("--workers", help: "How many threads file reports; else one a processor.", value: "N")
  var workers: Int?
  @Option(
    "--queue", help: "How many submissions may wait to be filed; then 503.", value: "N")
  var queueLimit = 1_000_000
  @Option(
    "--set-aside", help: "How many submissions are kept that cannot be filed; then the oldest go.",
    value: "N")
  var setAside = 10_000
  @Option("--set-aside-bytes", help: "How much room they may take.", value: "SIZE")
  var setAsideBytes = ByteSize(2_000_000_000)
  @Option(
    "--disk-reserve",
    help:
      "How much of the disk stays free: before it, nothing more is accepted; else 512 MiB, or a tenth.",
    value: "SIZE")
  var reserve: ByteSize?
  @Option(
    "--rate", help: "Submissions a minute from one address or key; then 429. 0 is no limit.",
    value: "N")
  var rate = 6_000
  @Option(
    "--unknown-apps",
    help: "Logs with a secret that nobody has named: keep them apart, or refuse them until then.")
  var unknownApps = UnknownApps.keep
  @Option("--stop-within", help: "Seconds that requests may take to end on SIGTERM.", value: "N")
  var patience = 30
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var home = HomeOptions()

  func validate() throws(UsageError) {
    if (certificate == nil) != (key == nil) {
      throw UsageError("--tls-cert and --tls-key belong together")
    }
    if let workers, workers < 1 { throw UsageError("--workers must be 1 or more") }
    if queueLimit < 1 { throw UsageError("--queue must be 1 or more") }
    if setAside < 0 { throw UsageError("--set-aside cannot be below 0") }
    if patience < 0 { throw UsageError("--stop-within cannot be below 0") }
    if let connectionsPerAddress, connectionsPerAddress < 0 {
      throw UsageError("--connections-per-address cannot be below 0")
    }
    if rate < 0 { throw UsageError("--rate cannot be below 0") }
  }

  func run() throws {
    let console = Console(colour: .auto)
    let folder = try HomeOptions.folder(named: home.home)
    let opening = HomeOpening(home: folder, limits: limits, rate: rate, unknownApps: unknownApps)
    let stop = try Interrupt.stopDescriptor()
    let opened = try opening.open()
    let server = Server(
      configuration(of: folder), router: opened.map(ServerRoutes.router) ?? WaitingRoutes.router)
    try server.start()
    let url = listen.url(port: server.port, isSecure: certificate != nil)
    console.say("Listening on \(url), home \(folder.printable)")
    let service: Service
    if let opened {
      service = opened
    } else {
      ServiceManager.tellReady()
      guard let late = try waitForRoom(opening, stop, console) else {
        server.stop(within: .seconds(patience))
        return
      }
      service = late
      server.use(ServerRoutes.router(of: service))
    }
    clearLeftovers(of: service, console)
    try greet(service, url, console)
    let worker = WorkerProcess(
      home: folder, threads: workers, queue: service.queue, store: service.store
    ) { console.warn($0) }
    service.onArrival { worker.wake() }
    worker.start()
    ServiceManager.tellReady()
    _ = wait(for: stop)
    ServiceManager.tellStopping()
    console.say("Stopping: finishing what began.")
    let isDone = server.stop(within: .seconds(patience))
    worker.stop(within: patience)
    console.say(isDone ? "Stopped." : "Stopped; some requests were cut off.")
  }

  private var limits: IntakeLimits {
    var limits = IntakeLimits()
    limits.waiting = queueLimit
    limits.setAside = setAside
    limits.setAsideBytes = setAsideBytes.bytes
    limits.reserve = reserve?.bytes
    return limits
  }

  /// Waits for room on the disk, where there is too little even to open the home.
  ///
  /// - Returns: `nil` when it is time to stop.
  private func waitForRoom(
    _ opening: HomeOpening, _ stop: Int32, _ console: Console
  ) throws -> Service? {
    console.warn(
      "the disk of \(opening.home.printable) is full: every request is answered 503 until there is room;"
        + " nothing that is stored is lost")
    while !wait(for: stop, milliseconds: 1_000) {
      if let service = try opening.open() {
        console.say("There is room on the disk again.")
        return service
      }
    }
    return nil
  }

  /// Takes back what servers before left; where the disk is full, later.
  private func clearLeftovers(of service: Service, _ console: Console) {
    do {
      try service.queue.admit(0)
    } catch {
      console.warn(
        "\(error)".printable + "; nothing is accepted until there is room, the rest is answered")
    }
    do {
      try service.queue.reclaim()
      try service.uploads.clearLeftovers(now: .now)
      service.parts.clearLeftovers(now: .now)
    } catch {
      console.warn("what an earlier run left is not taken back yet: \(error)".printable)
    }
  }

  private func configuration(of folder: String) -> ServerConfiguration {
    let inherited = ListenAddress.inherited().first
    var configuration = ServerConfiguration(listen: inherited ?? listen.address)
    if let certificate, let key {
      configuration.tls = .init(certificatePath: certificate, keyPath: key)
    }
    configuration.spoolFolder = folder + "/intake"
    configuration.workers = 64
    configuration.trustedProxies = proxies
    if !proxies.isEmpty { configuration.connectionsPerAddress = 0 }
    if let connectionsPerAddress { configuration.connectionsPerAddress = connectionsPerAddress }
    configuration.log = { ServerLog.write($0.json) }
    configuration.report = { StorageAnswer.note($0, $1) }
    let reserve = DiskReserve(home: folder, bytes: reserve?.bytes)
    configuration.hasRoom = { (try? reserve.admit(0)) != nil }
    configuration.answer = { StorageAnswer.response(to: $0) }
    return configuration
  }

  /// On a fresh home makes the first token.
  private func greet(_ service: Service, _ url: String, _ console: Console) throws {
    guard try service.tokens.all().isEmpty else { return }
    let (_, text) = try service.tokens.make(label: "first", scopes: [.admin], now: .now)
    console.say(
      """
      An admin token, shown this once:

        \(text)

      Hand in a report:

        curl -H "Authorization: Bearer \(text)" --data-binary @crash.ips \(url)/api/v1/reports

      """)
  }

  /// - Returns: Whether there is something to read.
  private func wait(for descriptor: Int32, milliseconds: Int32 = -1) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var result: Int32
    repeat { result = Glibc.poll(&poll, 1, milliseconds) } while result < 0 && errno == EINTR
    return result > 0
  }
}
