import Bytes
import Glibc
import HTTP
import Synchronization
import TestSupport

/// A server on a free port with a route for each kind of body, stopped when it goes out of scope.
final class TestServer: Sendable {
  final class Records: Sendable {
    let all = Mutex<[AccessRecord]>([])
  }

  let server: Server
  let folder = ScratchFolder()
  let records = Records()
  var port: UInt16 { server.port }

  init(
    _ change: (inout ServerConfiguration) -> Void = { _ in },
    routes: (inout Router) -> Void = { _ in }
  ) throws {
    var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
    configuration.spoolFolder = folder.path
    configuration.connectionsPerAddress = 0
    configuration.log = { [records] record in records.all.withLock { $0.append(record) } }
    change(&configuration)
    var router = Router()
    router.get("/hello") { .text("hello \($0.peer)") }
    router.get("/echo/:name/*rest") {
      .text("\($0.parameters["name"] ?? "")|\($0.parameters["rest"] ?? "")")
    }
    router.get("/query") { request in
      .text(request.query.items.map { "\($0.name)=\($0.value)" }.joined(separator: ";"))
    }
    router.post("/memory", body: .memory(limit: .kibibytes(64), inflated: .mebibytes(4))) {
      .text("\($0.bytes.count)")
    }
    router.put("/file", body: .file(limit: .mebibytes(8))) { request in
      let file = request.file
      return .text("\(file?.count ?? -1) \(file?.digest.first ?? 0)")
    }
    router.post("/form", body: .multipart(MultipartLimits(body: .mebibytes(16)))) { request in
      .text(
        try request.parts.map { part in
          "\(part.name)|\(part.fileName ?? "-")|\(part.contentType ?? "-")|\(try part.read().count)"
        }.joined(separator: "\n"))
    }
    router.post("/slow", body: .memory(limit: .kibibytes(64))) { _ in
      usleep(200_000)
      return .text("slow")
    }
    router.post(
      "/authorization", body: .memory(limit: .kibibytes(64)),
      before: { $0.headers["Authorization"] == nil ? .problem(.unauthorized) : nil },
      handler: { _ in .text("in") })
    let download = folder.write("download", (0..<300_000).map { UInt8($0 % 251) })
    router.get("/download") { _ in
      .file(try ResponseFile(path: download), type: "application/octet-stream")
    }
    router.get("/fails") { _ in throw TestFailure() }
    router.get("/stream") { _ in
      let left = Counter(5)
      return Response(.ok, content: .stream { left.next().map { Array("chunk \($0)\n".utf8) } })
    }
    routes(&router)
    server = Server(configuration, router: router)
    try server.start()
  }

  deinit { server.stop(within: .seconds(5)) }

  func client() -> WebClient { WebClient(port: port) }

  /// The first response to `bytes`, on their own connection.
  func answer(to bytes: [UInt8]) -> WebClient.Answer? {
    let client = client()
    client.send(bytes)
    return client.answer()
  }

  func answer(to text: String) -> WebClient.Answer? { answer(to: Array(text.utf8)) }

  /// Waits until no connection is open.
  func isQuiet() -> Bool {
    for _ in 0..<400 {
      if server.connectionCount == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits until no file is spooled: the last handler releases its own after its response.
  func isUnspooled() -> Bool {
    for _ in 0..<400 {
      if spooled() == 0 { return true }
      usleep(10_000)
    }
    return false
  }

  /// Descriptors of this process that are open on spooled files.
  func spooled() -> Int {
    (0..<1024).count { descriptor in
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
      guard count > 0 else { return false }
      let text = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      return text.hasPrefix(folder.path)
    }
  }
}

struct TestFailure: Error {}

final class Counter: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  func next() -> Int? {
    left.withLock { left in
      guard left > 0 else { return nil }
      left -= 1
      return left
    }
  }
}
