import Glibc
import HTTP
import TestSupport
import Testing

/// TLS by certificate files, and sockets of systemd.
@Suite(.serialized)
struct HandoverTests {
  @Test(
    "TLS by a certificate and its key",
    .enabled(if: OtherTool.path("openssl") != nil, "openssl is not installed"))
  func tls() throws {
    let folder = ScratchFolder()
    let (certificate, key) = (folder.path("cert.pem"), folder.path("key.pem"))
    _ = OtherTool.output(
      of: "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        + " -subj /CN=localhost -keyout \(key) -out \(certificate) 2>/dev/null")
    let server = try TestServer {
      $0.tls = .init(certificatePath: certificate, keyPath: key)
    } routes: {
      $0.get("/secure") { .text("secure \($0.isSecure)") }
    }
    let request = folder.write(
      "request", "GET /secure HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
    func ask(_ options: String) -> String? {
      OtherTool.output(
        of: "timeout 10 openssl s_client -quiet -ign_eof \(options)"
          + " -connect 127.0.0.1:\(server.port) < \(request) 2>/dev/null")
    }
    #expect(ask("-tls1_3")?.contains("secure true") == true)
    #expect(ask("-tls1_2")?.contains("secure true") == true)
    #expect(ask("-tls1_1")?.contains("secure true") != true)

    let wrong = TLSFiles(certificate: certificate, key: certificate)
    #expect(throws: HTTPError.self) { try wrong.start() }
    let missing = TLSFiles(certificate: folder.path("none"), key: key)
    #expect(throws: HTTPError.self) { try missing.start() }
  }

  private struct TLSFiles {
    let certificate: String
    let key: String

    func start() throws {
      var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
      configuration.tls = .init(certificatePath: certificate, keyPath: key)
      try Server(configuration, router: Router()).start()
    }
  }

  @Test("Descriptors are taken once, if they are meant for this process")
  func inherited() {
    setenv("LISTEN_FDS", "2", 1)
    setenv("LISTEN_PID", "1", 1)
    #expect(ListenAddress.inherited().isEmpty)
    #expect(getenv("LISTEN_FDS") == nil)
    setenv("LISTEN_FDS", "2", 1)
    setenv("LISTEN_PID", "\(getpid())", 1)
    #expect(ListenAddress.inherited() == [.descriptor(3), .descriptor(4)])
    #expect(ListenAddress.inherited().isEmpty)
    for count in ["-1", "0", "x", "99999999999"] {
      setenv("LISTEN_FDS", count, 1)
      setenv("LISTEN_PID", "\(getpid())", 1)
      #expect(ListenAddress.inherited().isEmpty)
    }
  }

  @Test("A descriptor that is not a listening socket is refused")
  func noSocket() {
    #expect(throws: HTTPError.start("descriptor 0 is not a listening socket")) {
      try Server(ServerConfiguration(listen: .descriptor(0)), router: Router()).start()
    }
  }
}
