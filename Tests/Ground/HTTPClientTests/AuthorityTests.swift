import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite struct AuthorityTests {
  @Test(
    "A server whose certificate a company vouches for is believed with its file only",
    .enabled(if: OtherTool.path("openssl") != nil, "openssl is not installed"))
  func ownAuthority() throws {
    let folder = ScratchFolder()
    let (certificate, key) = (folder.path("cert.pem"), folder.path("key.pem"))
    _ = OtherTool.output(
      of: "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        + " -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        + " -keyout \(key) -out \(certificate) 2>/dev/null")
    var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
    configuration.tls = .init(certificatePath: certificate, keyPath: key)
    var router = Router()
    router.get("/hello") { _ in .text("hello") }
    let server = Server(configuration, router: router)
    try server.start()
    defer { server.stop(within: .seconds(5)) }
    var plan = RetryPlan()
    plan.tries = 1

    func ask(_ authorities: String?) throws -> Int {
      let sender = try WebSender(agent: "test", plan: plan, authorities: authorities)
      return try sender.send(WebRequest("GET", "https://localhost:\(server.port)/hello")).status
    }
    #expect(try ask(certificate) == 200)
    #expect(throws: WebError.self) { try ask(nil) }
    #expect(throws: WebError.self) { try ask(folder.path("none")) }
    // A file without a certificate makes no server trusted.
    #expect(throws: WebError.self) { try ask(folder.write("empty.pem", "".utf8)) }
  }
}
