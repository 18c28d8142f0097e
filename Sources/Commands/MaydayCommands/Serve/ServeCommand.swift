import Alerts
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Glibc
import HTTP
import JSON
import Pipeline
import Scrubbing
import ServerAPI
import ServerCore
import ServerStore
import Terminal
import Uploads
import Updates

/// `mayday serve`
struct ServeCommand: SandboxedCommand {
  static let name = "serve"
  static let summary = "Receive crash reports and debug files over HTTP; serve pages and the API."
  static let discussion = """
    A report is acknowledged once it is on disk; a second process, which runs while there is work, \
    processes it. On SIGTERM the server finishes what it has begun; waiting submissions are \
    processed after the next start. On SIGHUP it reloads certificates, the configuration file and \
    rules. Each request is logged as a line of JSON on standard error.

    In a new home it creates a link that signs in to the pages, an admin token and a key for \
    reports, and prints them once. Behind a proxy, give --trusted-proxy; under systemd, sockets that it passes are used instead of \
    --listen.
    """
  static let examples = [
    Example("mayday serve", "On port 8080, for this machine only."),
    Example(
      "mayday serve --listen :443 --tls-cert fullchain.pem --tls-key key.pem",
      "For everyone, over HTTPS."),
    Example(
      "mayday serve --listen /run/mayday.sock --trusted-proxy unix", "Behind a proxy here."),
  ]

  @Option("--listen", help: "Port, address and port, or the path of a Unix socket.")
  var listen = ListenOption(port: 8080)
  @Option("--tls-cert", help: "Certificate chain (PEM).", value: "FILE")
  var certificate: String?
  @Option("--tls-key", help: "Private key of the certificate (PEM).", value: "FILE") var key:
    String?
  @Option(
    "--trusted-proxy",
    help: "Trust X-Forwarded-For from this proxy: an address, a network, or unix.",
    value: "ADDRESS")
  var proxies: [String] = []
  @Option(
    "--connections-per-address",
    help: """
      Open connections from one address, or from one IPv6 network of 64 bits; 0 means no limit. Else 100, and no \
      limit behind a proxy.
      """,
    value: "N")
  var connectionsPerAddress: Int?
  @Option(
    "--workers", help: "Threads that process reports; by default one per processor.", value: "N")
  var workers: Int?
  @Option(
    "--queue", help: "How many submissions may wait for processing before the server answers 503.",
    value: "N")
  var queueLimit = 1_000_000
  @Option(
    "--quarantined",
    help: "How many submissions to keep in quarantine; then the oldest are deleted.",
    value: "N")
  var quarantined = 10_000
  @Option(
    "--quarantined-bytes", help: "Disk space the quarantine may use.", value: "SIZE")
  var quarantinedBytes = ByteSize(2_000_000_000)
  @Option(
    "--disk-reserve",
    help:
      "Disk space to keep free: below it, nothing is accepted. By default 512 MiB, or a tenth of the disk.",
    value: "SIZE")
  var reserve: ByteSize?
  @Option(
    "--keep-per-day",
    help: """
      Reports of a group and build to store a day; further ones are only counted. 0 means no limit. By default the \
      home's setting, at first 1000.
      """,
    value: "N")
  var perDay: Int?
  @Option(
    "--max-report",
    help: """
      The most bytes of a report, up to 16GiB. Only dumps may have more than 256 MiB; above 100 MiB they come in \
      parts, as `mayday upload` sends them.
      """,
    value: "SIZE")
  var maxReport = ByteSize(IntakeLimits().report)
  @Option(
    "--rate",
    help:
      "Submissions per minute from one address, and ten times as many for one app; 0 means no limit.",
    value: "N")
  var rate = 6_000
  @Option(
    "--unknown-apps",
    help:
      "What to do with logs of unknown App Center secrets: store them as apps of their own, or refuse them."
  )
  var unknownApps = UnknownApps.keep
  @Option(
    "--unknown-app-limit",
    help: "How many apps unknown secrets may create; beyond that their logs are refused.",
    value: "N")
  var unknownAppLimit = 1_000
  @Option(
    "--upload-bytes", help: "Disk space for unfinished uploads in parts; one token may use half.",
    value: "SIZE")
  var uploadBytes = ByteSize(64_000_000_000)
  @Option(
    "--debug-files",
    help: "Whether apps share debug files: shared or per-app; by default the home's setting.",
    value: "MODE")
  var sharing: String?
  @Option(
    "--cors",
    help:
      "Let pages of this origin use the API from a browser: https://dashboard.example.com.",
    value: "ORIGIN")
  var origins: [String] = []
  @Option(
    "--server-url",
    help:
      "The server's public address, for all links; by default where it listens or was reached.",
    value: "URL")
  var publicURL: String?
  @Option("--stop-within", help: "Seconds that requests get to finish after SIGTERM.", value: "N")
  var patience = 30
  @OptionGroup var submission = SubmissionOptions()
  @OptionGroup var signIn = SignInOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var home = HomeOptions()

  func validate() throws(UsageError) {
    if (certificate == nil) != (key == nil) {
      throw UsageError("--tls-cert and --tls-key belong together")
    }
    if let workers, workers < 1 { throw UsageError("--workers must be 1 or more") }
    if queueLimit < 1 { throw UsageError("--queue must be 1 or more") }
    if quarantined < 0 { throw UsageError("--quarantined cannot be below 0") }
    if patience < 0 { throw UsageError("--stop-within cannot be below 0") }
    if let connectionsPerAddress, connectionsPerAddress < 0 {
      throw UsageError("--connections-per-address cannot be below 0")
    }
    if let sharing, CrashStore.Sharing(rawValue: sharing) == nil {
      throw UsageError("--debug-files is shared or per-app, not '\(sharing)'")
    }
    if let publicURL, !AlertLinks.isServer(publicURL) {
      throw UsageError(
        "--server-url: '\(publicURL)' is not the address of a server; use one such as https://crashes.example.com"
      )
    }
    if let wrong = origins.first(where: { !CORSPolicy.isOrigin($0) }) {
      throw UsageError(
        "--cors: '\(wrong)' is not an origin; give scheme and host, such as https://dashboard.example.com"
      )
    }
    if unknownAppLimit < 0 { throw UsageError("--unknown-app-limit cannot be below 0") }
    if let perDay, perDay < 0 { throw UsageError("--keep-per-day cannot be below 0") }
    try ReportSizeOption.check(maxReport)
    if rate < 0 { throw UsageError("--rate cannot be below 0") }
    try submission.check()
    try signIn.check(proxies: proxies)
  }

  func run() throws {
    let console = Console(colour: .auto)
    let folder = try HomeOptions.folder(named: home.home)
    let opening = try opening(of: folder)
    let signals = try Interrupt.stopDescriptor(reloads: true)
    let opened = try opening.open()
    let server = Server(
      configuration(of: folder),
      router: opened.map { ServerRoutes.router(of: $0, protocols: ServedProtocols.all) }
        ?? StartupRoutes.router)
    try server.start()
    let url = listen.url(port: server.port, isSecure: certificate != nil)
    console.say("Listening on \(url), home \(folder.printable)")
    var context: ServerContext
    if let opened {
      context = opened
    } else {
      ServiceManager.tellReady()
      guard let late = try waitForRoom(opening, signals, console) else {
        server.stop(within: .seconds(patience))
        return
      }
      context = late
      server.use(ServerRoutes.router(of: context, protocols: ServedProtocols.all))
    }
    clearLeftovers(of: context, console)
    try greet(context, url, console)
    warnOfAddress(url, context.updates.catalog, console)
    // Commands ask for the address as soon as the server is ready.
    let alerts = try alerts(of: folder, at: url)
    let worker = WorkerProcess(
      home: folder, threads: workers, limits: submission.limits, queue: context.queue,
      store: context.store
    ) { console.warn($0) }
    context.onArrival { worker.wake() }
    worker.start()
    ServiceManager.tellReady()
    var upkeep = Maintenance()
    upkeep.run(of: context) { console.warn($0) }
    alerts.tick(context.store) { console.warn($0) }
    loop: while true {
      switch Interrupt.event(from: signals, within: Maintenance.interval) {
      case .stop: break loop
      case .reload:
        context = reload(context, server, worker, console)
      case nil:
        upkeep.run(of: context) { console.warn($0) }
        alerts.tick(context.store) { console.warn($0) }
      }
    }
    ServiceManager.tellStopping()
    context.finisher.stop()
    alerts.stop()
    console.say("Stopping: finishing requests in progress.")
    let isDone = server.stop(within: .seconds(patience))
    worker.stop(within: patience)
    do {
      try context.storeCounts()
    } catch {
      console.warn("counts of downloads are lost: \(error)".printable)
    }
    console.say(isDone ? "Stopped." : "Stopped; some requests were cut off.")
  }

  /// Reloads certificates, configuration and rules. If they contain an error, the server continues
  /// as before.
  ///
  /// - Returns: The server that answers from now on.
  private func reload(
    _ context: ServerContext, _ server: Server, _ worker: WorkerProcess, _ console: Console
  ) -> ServerContext {
    ServiceManager.tellReloading()
    defer { ServiceManager.tellReady() }
    do {
      guard let new = try MaydayProgram.currentCommand() as? ServeCommand else { return context }
      _ = try Scrubber(of: context.store.settings)
      let next = try new.opening(of: context.store.home).context(after: context)
      if certificate != nil, let certificate = new.certificate, let key = new.key {
        try server.use(.init(certificatePath: certificate, keyPath: key))
      }
      next.onArrival { worker.wake() }
      server.use(ServerRoutes.router(of: next, protocols: ServedProtocols.all))
      worker.reload(threads: new.workers, limits: new.submission.limits, queue: next.queue)
      let rest = changes(to: new)
      console.say(
        "Read certificates, configuration and rules again."
          + (rest.isEmpty
            ? "" : " For \(rest.joined(separator: ", ")) the server has to be started again."))
      return next
    } catch {
      console.warn("nothing is reloaded: " + (Exit.describe(error).message ?? "\(error)"))
      return context
    }
  }

  /// The changed options that take effect only after a restart.
  private func changes(to new: ServeCommand) -> [String] {
    var names: [String] = []
    if new.listen.argument != listen.argument { names.append("--listen") }
    if (new.certificate == nil) != (certificate == nil) { names.append("--tls-cert") }
    if new.proxies != proxies { names.append("--trusted-proxy") }
    if new.home.home != home.home { names.append("--home") }
    if new.publicURL != publicURL { names.append("--server-url") }
    if new.patience != patience { names.append("--stop-within") }
    return names
  }

  private func opening(of folder: String) throws -> HomeOpening {
    var signIn = try signIn.settings()
    signIn.serverURL = publicAddress
    return HomeOpening(
      home: folder, limits: limits, rate: rate, unknownApps: unknownApps,
      unknownAppLimit: unknownAppLimit, uploadLimits: uploadLimits,
      sharing: sharing.flatMap(CrashStore.Sharing.init(rawValue:)), dailyLimit: perDay,
      signIn: signIn)
  }

  /// `--server-url` without a trailing slash.
  private var publicAddress: String? {
    publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  private var uploadLimits: UploadLimits {
    var limits = UploadLimits()
    limits.bytes = uploadBytes.bytes
    return limits
  }

  private var limits: IntakeLimits {
    var limits = IntakeLimits()
    limits.waiting = queueLimit
    limits.quarantined = quarantined
    limits.quarantinedBytes = quarantinedBytes.bytes
    limits.reserve = reserve?.bytes
    limits.report = maxReport.bytes
    return limits
  }

  /// Waits for disk space if there is too little even to open the home.
  ///
  /// - Returns: `nil` when it is time to stop.
  private func waitForRoom(
    _ opening: HomeOpening, _ signals: Int32, _ console: Console
  ) throws -> ServerContext? {
    console.warn(
      "the disk of \(opening.home.printable) is full: every request is answered 503 until there is room;"
        + " nothing that is stored is lost")
    while Interrupt.event(from: signals, within: 1_000) != .stop {
      if let context = try opening.open() {
        console.say("There is free disk space again.")
        return context
      }
    }
    return nil
  }

  /// Deletes what previous servers left; later if the disk is full.
  private func clearLeftovers(of context: ServerContext, _ console: Console) {
    do {
      try context.queue.admit(0)
    } catch {
      console.warn(
        "\(error)".printable + "; nothing is accepted until there is room, the rest is answered")
    }
    do {
      try context.queue.reclaim()
    } catch {
      console.warn("the queue of an earlier run is not recovered yet: \(error)".printable)
    }
  }

  private func configuration(of folder: String) -> ServerConfiguration {
    let inherited = ListenAddress.inherited().first
    var configuration = ServerConfiguration(listen: inherited ?? listen.address)
    if let certificate, let key {
      configuration.tls = .init(certificatePath: certificate, keyPath: key)
    }
    configuration.spoolFolder = ScratchSpace(of: folder).path
    configuration.workers = 64
    configuration.trustedProxies = proxies
    configuration.publicAddress = publicAddress
    configuration.cors = CORSPolicy(origins: origins)
    if !proxies.isEmpty { configuration.connectionsPerAddress = 0 }
    if let connectionsPerAddress { configuration.connectionsPerAddress = connectionsPerAddress }
    configuration.log = { ServerLog.write($0.line) }
    configuration.report = { StorageFailureResponse.note($0, $1) }
    configuration.noteMissingScheme = {
      Console(colour: .auto).warn(
        "the proxy sends no X-Forwarded-Proto, so that links begin with http and phones install nothing:"
          + " let it send that, or give --server-url")
    }
    let reserve = DiskReserve(home: folder, bytes: reserve?.bytes)
    configuration.hasRoom = { (try? reserve.admit(0)) != nil }
    configuration.answer = { StorageFailureResponse.response(to: $0) }
    return configuration
  }

  /// Creates the worker that sends alerts, with links that begin with `url`.
  private func alerts(of folder: String, at url: String) throws -> AlertWorker {
    let server = try ServerStore(opening: folder)
    try AlertsTable(in: server).setServerURL(publicURL ?? url)
    return AlertWorker(of: server)
  }

  /// Warns if phones install nothing from this server although it has releases for them.
  private func warnOfAddress(_ url: String, _ catalog: UpdateCatalog, _ console: Console) {
    // A proxy has an address of its own.
    guard let address = publicURL ?? (proxies.isEmpty ? url : nil),
      catalog.apps.values.contains(where: \.isPublishing),
      let problem = PhoneAddress.problem(of: address)
    else { return }
    console.warn(problem.printable)
  }

  /// Prints a sign-in link if no admin can sign in, and creates the first token and key in a new home.
  private func greet(_ context: ServerContext, _ url: String, _ console: Console) throws {
    let accounts = context.accounts
    let isNew = try accounts.all().isEmpty
    if try !accounts.hasAdminWhoCanSignIn(
      byProvider: signIn.issuer != nil, byProxy: signIn.header != nil, now: .now)
    {
      let admin = try accounts.firstAdmin(now: .now)
      let code = try accounts.makeLink(for: admin.name, now: .now)
      console.say(
        """
        \(isNew ? "Sign" : "No admin can sign in. Sign") in to the pages as \(admin.name.printable) with this \
        link, which works once:

          \(SignInLinkOptions.address(code, at: url))

        """)
    }
    guard try context.tokens.all().isEmpty else { return }
    let (_, text) = try context.tokens.make(label: "first", scopes: [.admin], now: .now)
    let (_, key) = try context.tokens.make(label: "first key", scopes: [.ingest], now: .now)
    console.say(
      """
      An admin token, shown this once:

        \(text)

      Submit a report, with a key that can do nothing else:

        curl -H "Authorization: Bearer \(key)" --data-binary @crash.ips \(url)/api/v1/reports

      """)
  }
}
