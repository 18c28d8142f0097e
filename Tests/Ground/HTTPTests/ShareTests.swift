import Bytes
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// No client can take all resources of a server, or hold them for ever.
@Suite(.serialized)
struct ShareTests {
  private static func head(_ path: String, _ length: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n"
  }

  @Test(
    "A length above the limit is 413 before the authorization is asked",
    arguments: ["400000", "9223372036854775807", "9223372036854775808", "18446744073709551615"],
    ["/authorization", "/memory", "/slow", "/form", "/counted"])
  func lengths(length: String, path: String) throws {
    let asked = Counter(1_000)
    let server = try TestServer(routes: { router in
      router.post(
        "/counted", body: .memory(limit: .kibibytes(64)),
        before: { _ in
          _ = asked.next()
          return nil
        }, handler: { _ in .text("in") })
    })
    if path == "/form", length == "400000" { return }
    #expect(server.answer(to: Self.head(path, length))?.status == 413)
    // No authorization was requested.
    #expect(asked.next() == 999)
    #expect(server.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
  }

  @Test(
    "An authorization that waits keeps no other connection waiting, whatever the size of the body")
  func waitingGates() throws {
    let authorization = Gate()
    let server = try TestServer {
      $0.workers = 8
    } routes: { router in
      router.post(
        "/waits", body: .memory(limit: .mebibytes(1)),
        before: { _ in
          authorization.wait()
          return .problem(.unauthorized)
        }, handler: { _ in .text("in") })
    }
    // Large bodies are authorized first; small ones are read before.
    var clients: [WebClient] = []
    for length in [1_000_000, 100, 1_000_000, 100] {
      let client = server.client()
      client.send(
        Self.head("/waits", "\(length)") + String(repeating: "x", count: min(length, 100)))
      clients.append(client)
    }
    authorization.waitForVisitors(4)
    for _ in 0..<8 {
      #expect(server.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
    }
    authorization.open()
    for client in clients { #expect(client.answer()?.status == 401) }
  }

  @Test(
    "An authorization lets a large body through that it was asked about first",
    arguments: [true, false])
  func largeBodies(isExpected: Bool) throws {
    let server = try TestServer { _ in
    } routes: { router in
      router.post(
        "/large", body: .memory(limit: .mebibytes(8)), before: { _ in nil },
        handler: { .text("\($0.bytes.count) \($0.bytes.array.reduce(0) { $0 &+ Int($1) })") })
    }
    let body = [UInt8]((0..<3_000_000).map { UInt8($0 % 251) })
    let client = server.client()
    client.send(
      "POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n"
        + (isExpected ? "Expect: 100-continue\r\n" : "") + "\r\n")
    client.send(body)
    var answer = client.answer()
    if answer?.status == 100 { answer = client.answer() }
    #expect(answer?.text == "\(body.count) \(body.reduce(0) { $0 &+ Int($1) })")
    // The connection stays open.
    client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.answer()?.status == 200)
  }

  @Test("A body above the memory limit is spooled to a file, and passed to the handler as bytes")
  func spooling() throws {
    let server = try TestServer { configuration in
      configuration.bodyInMemory = .kibibytes(16)
    }
    let client = server.client()
    client.send(Self.head("/memory", "40000") + String(repeating: "x", count: 30_000))
    var count = 0
    for _ in 0..<200 where count == 0 {
      count = server.spooled()
      usleep(10_000)
    }
    #expect(count == 1)
    client.send(String(repeating: "x", count: 10_000))
    #expect(client.answer()?.text == "40000")
    for _ in 0..<200 where server.spooled() > 0 { usleep(10_000) }
    #expect(server.spooled() == 0)
  }

  @Test("If the memory for bodies is used up, they go to files and are not refused")
  func noMemory() throws {
    let server = try TestServer { $0.bodyMemory = .kibibytes(8) }
    let clients = (0..<6).map { _ in server.client() }
    for client in clients {
      client.send(Self.head("/memory", "20000") + String(repeating: "x", count: 10_000))
    }
    for client in clients { client.send(String(repeating: "x", count: 10_000)) }
    for client in clients { #expect(client.answer()?.text == "20000") }
  }

  @Test("A body that arrives too slowly gets 408; one that is fast enough is accepted")
  func slowBodies() throws {
    let server = try TestServer { configuration in
      configuration.leastBodySpeed = 2_000
      configuration.bodySpeedWindow = .milliseconds(400)
    }
    let (slow, fast) = (server.client(), server.client())
    for client in [slow, fast] { client.send(Self.head("/memory", "20000")) }
    var sent = 0
    for _ in 0..<12 {
      slow.send("x")
      fast.send(String(repeating: "x", count: 1_000))
      sent += 1_000
      usleep(100_000)
    }
    #expect(slow.answer()?.status == 408)
    #expect(slow.isEnded())
    fast.send(String(repeating: "x", count: 20_000 - sent))
    #expect(fast.answer()?.text == "20000")
  }

  @Test("A client that stops in the middle of a body is disconnected")
  func silentBodies() throws {
    let server = try TestServer { configuration in
      configuration.leastBodySpeed = 1_000
      configuration.bodySpeedWindow = .milliseconds(300)
    }
    let client = server.client()
    client.send(Self.head("/memory", "20000") + "x")
    #expect(client.isEnded())
    #expect(server.isQuiet())
  }

  @Test("Requests without a token leave room for those with one")
  func anonymousPlaces() throws {
    let server = try TestServer {
      $0.connections = 64
    } routes: { router in
      router.add(
        "POST", "/anybody", body: .sent(limit: .mebibytes(1)), isAnonymous: true
      ) { _ in .text("in") }
    }
    var clients: [WebClient] = []
    var refused = 0
    for _ in 0..<40 {
      let client = server.client()
      client.send(Self.head("/anybody", "300000") + "x")
      clients.append(client)
    }
    for client in clients where hasAnswer(client) {
      #expect(client.answer()?.status == 503)
      refused += 1
    }
    #expect(refused == 8)
    #expect(server.answer(to: Self.head("/memory", "3") + "abc")?.text == "3")
  }

  @Test("A budget enforces its limits, for each address and for all")
  func budgets() {
    let budget = Budget(
      .init(total: 100, address: 60, anonymous: 40, anonymousAddress: 25))
    let (known, other) = (
      Client(address: "a", isAnonymous: false), Client(address: "b", isAnonymous: false)
    )
    let (nobody, nobodyElse) = (
      Client(address: "a", isAnonymous: true), Client(address: "c", isAnonymous: true)
    )
    #expect(budget.take(60, for: known) && !budget.take(1, for: known))
    #expect(!budget.take(26, for: nobody) && budget.take(25, for: nobody))
    #expect(!budget.take(16, for: nobodyElse) && budget.take(15, for: nobodyElse))
    #expect(!budget.take(1, for: other))
    budget.giveBack(25, for: nobody)
    #expect(budget.take(25, for: other) && !budget.take(1, for: nobody))
    // A Unix socket: no address.
    budget.giveBack(60, for: known)
    #expect(budget.take(60, for: Client(address: "", isAnonymous: false)))
    #expect(!budget.take(.max, for: known) && budget.take(0, for: known))
  }
}

private func hasAnswer(_ client: WebClient) -> Bool {
  var ready = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&ready, 1, 200) > 0
}

/// Blocks everything until it is opened.
private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var visitors = 0
  }

  private let state = Mutex(State())

  func wait() {
    state.withLock { $0.visitors += 1 }
    while !state.withLock({ $0.isOpen }) { usleep(2_000) }
  }

  func waitForVisitors(_ count: Int) {
    for _ in 0..<2_000 where state.withLock({ $0.visitors < count }) { usleep(2_000) }
    #expect(state.withLock { $0.visitors } >= count)
  }

  func open() { state.withLock { $0.isOpen = true } }
}
