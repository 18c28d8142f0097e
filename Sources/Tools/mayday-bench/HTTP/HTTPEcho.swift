internal import Bytes
internal import Glibc
internal import HTTP

/// A server that answers each body with its length and stores nothing: it shows the cost of sockets, parser
/// and workers without a store.
enum HTTPEcho {
  /// Listens until it is killed.
  ///
  /// - Parameter port: 0 for any; printed.
  static func run(port: UInt16) throws {
    var router = Router()
    router.post("/echo", body: .memory(limit: .mebibytes(64))) { request in
      .text("\(request.bytes.count)\n")
    }
    router.post("/quick", body: .memory(limit: .mebibytes(64)), isQuick: true) { request in
      .text("\(request.bytes.count)\n")
    }
    router.put("/file", body: .file(limit: .gibibytes(8))) { request in
      .text("\(request.file?.count ?? 0)\n")
    }
    router.post("/form", body: .multipart(MultipartLimits())) { request in
      .text("\(request.parts.count)\n")
    }
    router.get("/", isQuick: true) { _ in .text("hello\n") }
    var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: port))
    configuration.connectionsPerAddress = 0
    let server = Server(configuration, router: router)
    try server.start()
    print("http://127.0.0.1:\(server.port)/echo")
    fflush(nil)
    while true { pause() }
  }
}
