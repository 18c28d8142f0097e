import Bytes
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

/// Requests of well-behaved clients, over a real socket.
@Suite(.serialized)
struct ServerTests {
  @Test("Requests follow each other on one connection")
  func keepAlive() throws {
    let server = try TestServer()
    let client = server.client()
    for _ in 0..<3 {
      client.request("GET", "/hello")
      let answer = client.answer()
      #expect(answer?.text == "hello 127.0.0.1")
      #expect(answer?.headers["x-content-type-options"] == "nosniff")
      #expect(answer?.headers["date"] != nil)
      #expect(answer?.headers["server"] == nil)
    }
    client.request("POST", "/memory", body: [UInt8](repeating: 1, count: 20_000))
    #expect(client.answer()?.text == "20000")
    client.request("GET", "/nothing")
    #expect(client.answer()?.status == 404)
    client.request("POST", "/hello", body: [1, 2, 3])
    let wrong = client.answer()
    #expect(wrong?.status == 405)
    #expect(wrong?.headers["allow"] == "GET, HEAD")
    client.request("HEAD", "/hello")
    let bare = client.answer(toHead: true)
    #expect(bare?.headers["content-length"] == "15")
    client.request("GET", "/stream")
    #expect(client.answer()?.text == "chunk 4\nchunk 3\nchunk 2\nchunk 1\nchunk 0\n")
    client.request("GET", "/download")
    let download = client.answer()
    #expect(download?.body == (0..<300_000).map { UInt8($0 % 251) })
    client.request("HEAD", "/download")
    #expect(client.answer(toHead: true)?.headers["content-length"] == "300000")
    client.request("GET", "/fails")
    let failure = client.answer()
    #expect(failure?.status == 500)
    #expect(failure?.text.contains("TestFailure") == false)
  }

  @Test("A slow authorization delays no other client, whatever body its request has")
  func waitingAuthorization() throws {
    let threads = Mutex<(network: Set<pthread_t>, workers: Set<pthread_t>)>(([], []))
    let isOpen = Atomic(false)
    let waiting = Atomic(0)
    let wait: Route.Authorization = { _ in
      threads.withLock { _ = $0.workers.insert(pthread_self()) }
      waiting.add(1, ordering: .relaxed)
      while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
      return nil
    }
    let bodies: [(path: String, body: Body)] = [
      ("/none", .none), ("/bytes", .memory(limit: .mebibytes(1))),
      ("/spooled", .file(limit: .mebibytes(1))),
      ("/parts", .multipart(MultipartLimits())),
    ]
    let server = try TestServer {
      $0.networkThreads = 1
      $0.workers = 8
    } routes: { router in
      router.get("/quick", isQuick: true) { _ in
        threads.withLock { _ = $0.network.insert(pthread_self()) }
        return .text("quick")
      }
      for (path, body) in bodies {
        router.post(path, body: body, before: wait) { _ in .text("in") }
      }
    }
    let form = Array(
      "--bound\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nx\r\n--bound--\r\n".utf8)
    let clients = bodies.map { path, _ in
      let client = server.client()
      let isForm = path == "/parts"
      client.request(
        "POST", path, headers: isForm ? ["Content-Type: multipart/form-data; boundary=bound"] : [],
        body: isForm ? form : [UInt8](repeating: 1, count: path == "/none" ? 10 : 300_000))
      return client
    }
    while waiting.load(ordering: .relaxed) < bodies.count { usleep(1_000) }
    let other = server.client()
    other.request("GET", "/quick")
    #expect(other.answer()?.text == "quick")
    isOpen.store(true, ordering: .releasing)
    for client in clients { #expect(client.answer()?.text == "in") }
    let seen = threads.withLock { $0 }
    #expect(seen.network.count == 1 && seen.workers.isDisjoint(with: seen.network))
  }

  @Test("Requests answered from memory need no worker; others of the route do")
  func answeredFromMemory() throws {
    let isOpen = Atomic(false)
    let busy = Atomic(0)
    let server = try TestServer {
      $0.networkThreads = 1
      $0.workers = 1
    } routes: { router in
      router.get("/waits") { _ in
        busy.add(1, ordering: .relaxed)
        while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
        return .text("waited")
      }
      router.add(
        "GET", "/either/:name",
        quick: { $0.query["write"] == nil ? .text("quick \($0.parameters["name"] ?? "")") : nil }
      ) { _ in .text("written") }
    }
    let waiting = server.client()
    waiting.request("GET", "/waits")
    while busy.load(ordering: .relaxed) == 0 { usleep(1_000) }
    let client = server.client()
    for _ in 0..<3 {
      client.request("GET", "/either/a?x=1")
      #expect(client.answer()?.text == "quick a")
    }
    client.request("HEAD", "/either/a")
    #expect(client.answer(toHead: true)?.headers["content-length"] == "7")
    client.request("GET", "/either/a", body: [1, 2, 3])
    #expect(client.answer()?.text == "quick a")
    client.request("GET", "/either/a?write=1")
    isOpen.store(true, ordering: .releasing)
    #expect(client.answer()?.text == "written")
    #expect(waiting.answer()?.text == "waited")
  }

  @Test("Routes are replaced while a client stays connected")
  func exchangedRoutes() throws {
    let server = try TestServer()
    let client = server.client()
    client.request("GET", "/hello")
    #expect(client.answer()?.text == "hello 127.0.0.1")
    var other = Router()
    other.get("/hello") { _ in .text("other") }
    server.server.use(other)
    client.request("GET", "/hello")
    #expect(client.answer()?.text == "other")
    client.request("GET", "/download")
    #expect(client.answer()?.status == 404)
  }

  @Test(
    "A handler's error gets its response, and a full disk ends a body")
  func answeredErrors() throws {
    let room = Atomic(true)
    let server = try TestServer { configuration in
      configuration.answer = { $0 is TestFailure ? .busy("not now") : nil }
      configuration.hasRoom = { room.load(ordering: .relaxed) }
    } routes: { router in
      router.put("/large", body: .file(limit: .mebibytes(64))) { _ in .text("large") }
    }
    let client = server.client()
    client.request("GET", "/fails")
    let answer = client.answer()
    #expect(answer?.status == 503 && answer?.text.contains("not now") == true)
    let body = [UInt8](repeating: 1, count: 20 << 20)
    client.request("PUT", "/large", body: body)
    #expect(client.answer()?.text == "large")
    room.store(false, ordering: .relaxed)
    client.request("PUT", "/large", body: body)
    #expect(client.answer()?.status == 507)
  }

  @Test("Requests that are sent together are answered in their order")
  func pipelining() throws {
    let server = try TestServer()
    let client = server.client()
    for name in ["a", "b", "c"] { client.request("GET", "/echo/\(name)/x") }
    client.request("POST", "/memory", body: [1, 2])
    client.request("GET", "/echo/d/x")
    #expect(
      (0..<5).map { _ in client.answer()?.text } == ["a|x", "b|x", "c|x", "2", "d|x"])
  }

  @Test("Queries are decoded")
  func query() throws {
    let server = try TestServer()
    let answer = server.answer(
      to: "GET /query?a=1&b=%2B+x&c&a=%e2%82%ac HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer?.text == "a=1;b=+ x;c=;a=€")
  }

  @Test("A client that waits for 100 Continue gets it, or the refusal")
  func expectContinue() throws {
    let server = try TestServer()
    let client = server.client()
    client.send(
      "POST /memory HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
    usleep(50_000)
    client.send("abc")
    #expect(client.answer()?.text == "3")
    for path in ["/authorization", "/nothing"] {
      let other = server.client()
      other.send(
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\nExpect: 100-continue\r\n\r\n")
      #expect(other.answer()?.status == (path == "/authorization" ? 401 : 404))
    }
  }

  @Test("A refusal comes before the body")
  func authorization() throws {
    let server = try TestServer()
    let client = server.client()
    client.send(
      "POST /authorization HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    client.send("0\r\n\r\n")
    #expect(client.answer()?.status == 401)
    client.request("POST", "/authorization", headers: ["Authorization: x"], body: [1])
    #expect(client.answer()?.text == "in")
  }

  @Test("Uploads go to files, fifty at a time")
  func parallelUploads() throws {
    let server = try TestServer()
    let port = server.port
    let results = Mutex<[String?]>([])
    inParallel(50) { index in
      let client = WebClient(port: port)
      let body = [UInt8](repeating: UInt8(index), count: 200_000 + index)
      client.request("PUT", "/file", body: body)
      let text = client.answer()?.text
      results.withLock { $0.append(text.map { String($0.prefix { $0 != " " }) }) }
    }
    let lengths = Set(results.withLock { $0.compactMap { $0.flatMap { Int($0) } } })
    #expect(lengths == Set((0..<50).map { 200_000 + $0 }))
    #expect(server.isQuiet())
    #expect(server.isUnspooled())
  }

  @Test("A full queue gives 503 at once, and quick routes still answer")
  func backPressure() throws {
    let server = try TestServer {
      $0.workers = 1
      $0.queue = 0
    } routes: {
      $0.get("/healthz", isQuick: true) { _ in .text("ok") }
    }
    let first = server.client()
    first.request("POST", "/slow", body: [1])
    usleep(50_000)
    let second = server.client()
    second.send(
      "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\nExpect: 100-continue\r\n\r\n")
    let busy = second.answer()
    #expect(busy?.status == 503)
    #expect(busy?.headers["retry-after"] == "5")
    #expect(server.answer(to: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "ok")
    #expect(first.answer()?.text == "slow")
  }

  @Test("A stop finishes the upload in progress, and refuses new clients")
  func gracefulStop() throws {
    let server = try TestServer()
    let idle = server.client()
    idle.request("GET", "/hello")
    #expect(idle.answer()?.status == 200)
    let client = server.client()
    client.send("PUT /file HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
    usleep(100_000)
    let port = server.port
    let isDone = Mutex(false)
    inParallel(2) { index in
      if index == 0 {
        let done = server.server.stop(within: .seconds(10))
        isDone.withLock { $0 = done }
      } else {
        usleep(200_000)
        client.send("def")
      }
    }
    #expect(isDone.withLock { $0 })
    let answer = client.answer()
    #expect(answer?.text.hasPrefix("6 ") == true)
    #expect(answer?.headers["connection"]?.lowercased() == "close")
    #expect(WebClient(port: port).answer() == nil)
    #expect(idle.isEnded())
  }

  @Test("Clients that come and go do not disturb a stop")
  func stopAmongClients() throws {
    for _ in 0..<20 {
      let server = try TestServer()
      let port = server.port
      let isOver = Mutex(false)
      inParallel(3) { index in
        if index == 0 {
          usleep(5_000)
          server.server.stop(within: .seconds(5))
          isOver.withLock { $0 = true }
          return
        }
        while !isOver.withLock({ $0 }) {
          let client = WebClient(port: port)
          client.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
        }
      }
      #expect(server.server.connectionCount == 0)
    }
  }

  @Test("Clients beyond the connection limit wait until there is room")
  func connectionLimit() throws {
    let server = try TestServer { $0.connections = 2 }
    var clients: [WebClient] = []
    for _ in 0..<2 {
      let client = server.client()
      client.request("GET", "/hello")
      #expect(client.answer()?.status == 200)
      clients.append(client)
    }
    let third = server.client()
    third.request("GET", "/hello")
    usleep(50_000)
    #expect(server.server.connectionCount == 2)
    clients.removeFirst()
    #expect(third.answer()?.status == 200)
  }

  @Test("A stop cuts off requests that do not end")
  func hardStop() throws {
    let server = try TestServer()
    let client = server.client()
    client.send("PUT /file HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc")
    usleep(50_000)
    #expect(!server.server.stop(within: .milliseconds(100)))
    #expect(client.isEnded())
    #expect(server.isUnspooled())
  }

  @Test("Unix sockets, behind a trusted proxy")
  func unixSocket() throws {
    let folder = ScratchFolder()
    let path = folder.path("socket")
    let server = try TestServer {
      $0.listen = .unix(path: path)
      $0.trustedProxies = ["unix", "10.0.0.0/8"]
    }
    let client = WebClient(path: path)
    client.request("GET", "/hello")
    #expect(client.answer()?.text == "hello unix")
    client.request(
      "GET", "/hello", headers: ["X-Forwarded-For: 6.6.6.6, 192.0.2.7, 10.1.2.3"])
    #expect(client.answer()?.text == "hello 192.0.2.7")
    server.server.stop(within: .seconds(5))
    #expect(access(path, F_OK) != 0)
  }

  @Test("A proxy that does not say whether it was reached over TLS is noted once")
  func missingScheme() throws {
    func noted(_ headers: [String], publicAddress: String? = nil) throws -> Int {
      let count = Mutex(0)
      let server = try TestServer {
        $0.trustedProxies = ["127.0.0.1"]
        $0.publicAddress = publicAddress
        $0.noteMissingScheme = { count.withLock { $0 += 1 } }
      }
      for _ in 0..<3 {
        let client = server.client()
        client.request("GET", "/hello", headers: headers)
        #expect(client.answer()?.status == 200)
      }
      return count.withLock { $0 }
    }
    let forwarded = ["X-Forwarded-For: 192.0.2.7"]
    #expect(try noted(forwarded) == 1)
    #expect(try noted(forwarded + ["X-Forwarded-Proto: https"]) == 0)
    #expect(try noted(forwarded + ["X-Forwarded-Proto: http"]) == 0, "it says so")
    #expect(try noted([]) == 0, "the proxy asks for itself")
    #expect(try noted(forwarded, publicAddress: "https://a.example") == 0)
  }

  @Test("A peer that is not a trusted proxy is not believed")
  func untrusted() throws {
    let server = try TestServer()
    let client = server.client()
    client.request("GET", "/hello", headers: ["X-Forwarded-For: 192.0.2.7"])
    #expect(client.answer()?.text == "hello 127.0.0.1")
  }

  @Test("A passed listening descriptor is used and left open")
  func descriptor() throws {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listening) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listening, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    listen(listening, 16)
    for _ in 0..<2 {
      let server = try TestServer { $0.listen = .descriptor(listening) }
      #expect(server.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
      server.server.stop(within: .seconds(5))
    }
  }

  @Test("An address that cannot be listened on is reported with the reason")
  func startErrors() throws {
    let server = try TestServer()
    #expect(throws: HTTPError.self) {
      try Server(
        ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: server.port)),
        router: Router()
      ).start()
    }
    #expect(throws: HTTPError.start("nowhere is not an address")) {
      try Server(ServerConfiguration(listen: .tcp(address: "nowhere", port: 1)), router: Router())
        .start()
    }
  }

  @Test("No log record contains a secret")
  func records() throws {
    let server = try TestServer {
      _ in
    } routes: {
      $0.get("/t/:token/x") { _ in .empty() }
    }
    let client = server.client()
    client.request(
      "GET", "/t/SECRET1/x?sig=SECRET2&a=SECRET3",
      headers: ["Authorization: Bearer SECRET4", "X-API-Token: SECRET5", "App-Secret: SECRET6"])
    #expect(client.answer()?.status == 204)
    client.request("GET", "/hello")
    #expect(client.answer()?.status == 200)
    server.server.stop(within: .seconds(5))
    let all = server.records.all.withLock { $0 }
    #expect(all.count == 2)
    #expect(all.first?.target == "/t/:token/x?sig&a")
    #expect(all.allSatisfy { !$0.json.contains("SECRET") })
    #expect(all.last?.pattern == "/hello")
    #expect(all.last?.sent == 15)
    #expect(all.first?.id != all.last?.id)
  }
}

/// Runs `body` on `count` threads at the same time.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let next = Counter(count)
  runThreads(count) {
    if let index = next.next() { body(count - 1 - index) }
  }
}
