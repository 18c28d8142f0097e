import Bytes
import CrashStore
import Glibc
import HTTP
import JSON
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerAPI
@testable import ServerCore

/// Unauthenticated clients can neither stop the server nor take the resources that others need.
@Suite(.serialized)
struct FloodTests {
  private let folder = ScratchFolder()

  private func service(_ home: String, limit: Int = 10, rate: Int = 0) throws -> ServerContext {
    try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: rate,
      unknownApps: .keep, unknownAppLimit: limit)
  }

  /// The first two break arithmetic on lengths; the last is the library's "unknown".
  @Test(
    "A length that no route takes is 413 on every route, whatever waits, and ends nothing",
    arguments: [UInt64(1) << 63 - 1, 1 << 63, .max], [true, false])
  func lengths(length: UInt64, isEmpty: Bool) throws {
    let home = folder.path("home-\(length)-\(isEmpty)")
    let service = try service(home)
    if !isEmpty {
      try service.queue.submit(
        IntakeRecord(route: "reports", received: .now, body: .init(Array("waits".utf8))))
    }
    var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
    configuration.spoolFolder = home + "/intake"
    configuration.connectionsPerAddress = 0
    let router = ServerRoutes.router(of: service, protocols: ServedProtocols.all)
    let server = Server(configuration, router: router)
    try server.start()
    defer { server.stop(within: .seconds(5)) }
    let routes = router.routes.filter { ["POST", "PUT", "PATCH", "DELETE"].contains($0.method) }
    #expect(routes.count > 40)
    for route in routes {
      let path = route.pattern.split(separator: "/").map { part in
        part.hasPrefix(":") || part.hasPrefix("*") ? "x" : part
      }.joined(separator: "/")
      let client = WebClient(port: server.port)
      client.send(
        "\(route.method) /\(path) HTTP/1.1\r\nHost: a\r\nApp-Secret: a\r\nContent-Length: \(length)\r\n\r\n"
      )
      #expect(client.answer()?.status == 413, "\(route.method) \(route.pattern)")
    }
    let client = WebClient(port: server.port)
    client.request("GET", "/healthz")
    #expect(client.answer()?.status == 200)
  }

  @Test("Logs are limited per address and per app, with statuses that SDKs know")
  func rates() throws {
    let router = ServerRoutes.router(
      of: try service(folder.path("home"), rate: 3), protocols: ServedProtocols.all)
    func send(_ secret: String, from peer: String) -> Response {
      var request = Request(
        "POST", "/logs", headers: ["App-Secret": secret], body: Array("{}".utf8))
      request.head.peer = peer
      return router.respond(to: request)
    }
    for _ in 0..<3 { #expect(send("one", from: "10.0.0.1").status == .ok) }
    let refused = send("two", from: "10.0.0.1")
    #expect(refused.status == .serviceUnavailable)
    #expect((refused.headers["x-ms-retry-after-ms"].flatMap { Int($0) } ?? 0) >= 1_000)
    // An IPv6 host has its whole network.
    for end in 1...3 { #expect(send("one", from: "2001:db8::\(end)").status == .ok) }
    #expect(send("one", from: "2001:db8::4").status == .serviceUnavailable)
    #expect(send("one", from: "2001:db8:0:1::4").status == .ok)
    // Ten times as many for one app, from anywhere.
    var taken = 7
    for host in 0..<40 where send("one", from: "10.0.1.\(host)").status == .ok { taken += 1 }
    #expect(taken == 30)
    #expect(send("two", from: "10.0.1.200").status == .ok)
  }

  @Test("Limits hold for more clients than are tracked individually, and for any number of bytes")
  func manyClients() {
    let rates = RateLimits(perMinute: 2)
    for number in 0..<10_000 { #expect(rates.take(.host("\(number)"), now: 0) == nil) }
    // All others share the limit of one.
    #expect(rates.take(.host("a"), now: 0.5) == nil && rates.take(.host("b"), now: 0.5) == nil)
    #expect(rates.take(.host("c"), now: 0.5) == 30)
    #expect(rates.take(.host("5"), now: 0.5) == nil && rates.take(.host("5"), now: 0.5) != nil)
    // A client that was silent for a minute is forgotten.
    #expect(rates.take(.host("c"), now: 90) == nil)
    let bytes = RateLimits(perMinute: 2)
    #expect(bytes.take(bytes: .max, of: .host("a"), now: 0) == nil)
    #expect(bytes.take(bytes: 0, of: .host("a"), now: 0) == 1)
    #expect(bytes.take(bytes: 1, of: .host("a"), now: 10) == nil)
  }

  @Test(
    "What a submission held is taken from the rate of its sender and its app, ten minutes at the most"
  )
  func charges() {
    let rates = RateLimits(perMinute: 60)
    let tag = rates.tag(of: "a")
    // No address can be read from it, nor guessed by anyone with access to the disk.
    #expect(tag.count == 16 && tag != RateLimits(perMinute: 60).tag(of: "a"))
    #expect(rates.take(.host("a"), now: 0) == nil)
    rates.charge(IntakeCharge(client: tag, app: "Tern", reports: 119, bytes: 0), now: 0)
    // Sixty too many, of which one is restored per second.
    #expect(rates.take(.host("a"), now: 0) == 61)
    #expect(rates.take(.host("b"), now: 0) == nil && rates.take(.app("Tern"), now: 0) == nil)
    #expect(rates.take(.host("a"), now: 61.5) == nil)
    rates.charge(IntakeCharge(client: tag, app: "Tern", reports: .max, bytes: .max), now: 100)
    #expect(rates.take(.host("a"), now: 100) == 601)
    #expect(rates.take(.app("Tern"), now: 100) == 601)
    #expect(rates.take(bytes: 0, of: .host("a"), now: 690) != nil)
    #expect(rates.take(bytes: 0, of: .host("a"), now: 701) == nil)
  }

  @Test("Unknown secrets become apps up to a limit, and displace no other app")
  func unknownSecrets() throws {
    let home = folder.path("home")
    let store = try CrashStore(opening: home)
    try store.apps.add("Tern", secret: "tern")
    _ = try store.apps.app(forSecret: "known")
    let secrets = AppSecrets(store, .keep, limit: 5)
    #expect(try secrets.admits("known", now: 0))
    let admitted = try (0..<3_000).filter { try secrets.admits("made-up-\($0)", now: 1) }
    #expect(admitted == [0, 1, 2, 3])
    #expect(try secrets.admits("tern", now: 1) && secrets.admits("known", now: 1))
    #expect(try secrets.admits("made-up-2", now: 100))
    // They were counted once, whether they have an app by now or not.
    for number in 0..<4 { _ = try store.apps.app(forSecret: "made-up-\(number)") }
    #expect(try !secrets.admits("made-up-9", now: 200))
    #expect(try store.apps.unnamedCount() == 5)
    // An admin names one: there is room for another.
    try store.apps.adopt(secret: "made-up-1", as: "Sterna")
    #expect(try secrets.admits("made-up-9", now: 300))
    #expect(try AppSecrets(store, .refuse, limit: 5).admits("tern", now: 300))
    #expect(try !AppSecrets(store, .refuse, limit: 5).admits("known", now: 300))
  }

  @Test("Only unnamed apps without data are removed")
  func clean() throws {
    let home = folder.path("home")
    let store = try CrashStore(opening: home)
    try store.apps.add("Tern", secret: "tern")
    for number in 0..<150 { _ = try store.apps.app(forSecret: "secret-\(number)") }
    let full = try store.apps.app(forSecret: "with-a-session")
    var batch = ClientBatch(app: full, received: .now, install: nil)
    batch.secret = "with-a-session"
    batch.sessions = [ClientBatch.Session(id: "s", time: .now, version: "1")]
    _ = try store.sessions.add(batch)
    func names() throws -> [String] { try store.apps.list().map(\.name) }
    let dry = Run(["apps", "clean", "--dry-run", "--home", home])
    #expect(dry.status == 0 && dry.errors.contains("150 apps would be removed."))
    #expect(try names().count == 152)
    // None is old enough to expire.
    #expect(try store.apps.removeEmptyUnnamed(olderThan: 3_600, atMost: 100) == 0)
    #expect(try store.apps.removeEmptyUnnamed(olderThan: -1, atMost: 10) == 10)
    let run = Run(["apps", "clean", "--json", "--home", home])
    #expect(run.status == 0 && run.errors.contains("140 apps removed."))
    #expect(try names() == ["Tern", full])
    // A secret that still arrives has an app again.
    var late = ClientBatch(app: "unknown-secret-1", received: .now, install: nil)
    late.secret = "secret-1"
    _ = try store.sessions.add(late)
    #expect(try store.apps.app(forSecret: "secret-1") == "unknown-secret-1")
    #expect(Run(["apps", "clean", "--all", "--home", home]).errors.contains("2 apps removed."))
    #expect(try names() == ["Tern"])
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
  }

  @Test(
    "A text that has not the form of a token or key is refused without being stored or looked for")
  func tokens() throws {
    let home = folder.path("home")
    let service = try service(home)
    let (_, good) = try service.tokens.make(label: "a", scopes: [.read], now: .now)
    #expect(TokensTable.isToken(good))
    for text in [
      "", "mayday", good + "x", String(good.dropLast()), good.replacing("_", with: "-"),
      String(repeating: "x", count: 60_000), "mayday_\(String(repeating: "é", count: 6))_",
      String(good.dropLast()) + "_", String(good.dropLast()) + "ü",
    ] {
      #expect(!TokensTable.isToken(text))
      var head = RequestHead("GET", "/", headers: ["X-API-Token": text])
      #expect(throws: Access.Refused.self) { try service.access.caller(of: head, .read).get() }
      head = RequestHead("GET", "/", headers: ["X-App-Key": text])
      #expect(throws: Access.Refused.self) { try service.access.caller(of: head, .ingest).get() }
    }
    let head = RequestHead("GET", "/", headers: ["X-API-Token": good])
    _ = try service.access.caller(of: head, .read).get()
    try service.store.apps.add("Tern", secret: nil)
    let key = try #require(try service.store.apps.list().first?.intakeKey)
    #expect(AppRecord.isIntakeKey(key))
    let app = RequestHead("GET", "/", headers: ["X-App-Key": key])
    #expect(try service.access.caller(of: app, .ingest).get().app == "Tern")
  }

  @Test("Remembered answers are bounded, and stored without their texts")
  func memory() {
    let answers = RecentAnswers<Int>(lifetime: 5, limit: 100)
    for number in 0..<1_000 { answers.keep(number, for: "text \(number)", now: 0) }
    #expect(answers.count <= 100)
    #expect(answers.answer(to: "text 999", now: 4) == 999)
    #expect(answers.answer(to: "text 999", now: 5) == nil)
  }
}
