import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// SIGHUP to the running server and its worker.
@Suite("Reloading the configuration", .serialized)
struct ReloadTests {
  private let folder = ScratchFolder()

  private func report(_ number: Int) throws -> [UInt8] {
    let text = try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).text
    return Array((text + "\n\(number)").utf8)
  }

  private func waits(_ count: Int, in server: RunningServer) -> Bool {
    RunningMayday.wait {
      server.errors.ranges(of: "Read certificates, configuration and rules again").count == count
    }
  }

  @Test("Options in the file take effect at once, connections stay open, and counts continue")
  func options() throws {
    let file = folder.write("mayday.conf", Array("[serve]\nqueue = 1000\nworkers = 1\n".utf8))
    let server = try #require(
      RunningServer(
        home: folder.path("home"), options: ["--rate", "0"],
        environment: ["MAYDAY_CONFIG=\(file)"]))
    let client = WebClient(port: server.port)
    let headers = ["Authorization: Bearer \(server.token)"]
    #expect(client.request("POST", "/api/v1/reports", headers: headers, body: try report(1)))
    #expect(client.answer()?.status == 202)
    // Too little room for any report.
    _ = folder.write("mayday.conf", Array("[serve]\ndisk-reserve = 900TB\nlisten = 1\n".utf8))
    kill(server.process, SIGHUP)
    #expect(waits(1, in: server))
    // --listen is on the command line, which overrides the file.
    #expect(!server.errors.contains("--listen the server"))
    #expect(client.request("POST", "/api/v1/reports", headers: headers, body: try report(2)))
    #expect(client.answer()?.status == 503)
    #expect(server.ask("GET", "/readyz")?.status == 503)
    _ = folder.write("mayday.conf", Array("[serve]\nqueue = none\n".utf8))
    kill(server.process, SIGHUP)
    #expect(RunningMayday.wait { server.errors.contains("nothing is reloaded") })
    #expect(server.ask("GET", "/readyz")?.status == 503)
    _ = folder.write("mayday.conf", Array("[serve]\nqueue = 500\n".utf8))
    kill(server.process, SIGHUP)
    #expect(waits(2, in: server))
    #expect(client.request("POST", "/api/v1/reports", headers: headers, body: try report(3)))
    #expect(client.answer()?.status == 202)
    #expect(server.waitForQueue())
    #expect(server.metric("mayday_intake_accepted_total") == 2)
    #expect(server.metric("mayday_intake_refused_total{reason=\"full\"}") == 1)
    #expect(server.stop() == 0)
  }

  @Test("A worker finishes its work and is restarted; the server prints no warning")
  func worker() throws {
    let server = try #require(
      RunningServer(home: folder.path("home"), options: ["--rate", "0"]))
    for number in 0..<60 {
      #expect(
        server.ask("POST", "/api/v1/reports", body: try report(number))?.status == 202)
      if number % 10 == 5 {
        kill(server.process, SIGHUP)
        for child in server.children { kill(child, SIGHUP) }
      }
    }
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports?limit=1000")["items"]?.array?.count == 60)
    #expect(server.stop() == 0)
    #expect(server.errors.contains("Stopped."))
  }

  @Test(
    "New clients see the new certificate; a damaged one changes nothing",
    .enabled(if: OtherTool.path("openssl") != nil, "openssl is not installed"))
  func certificates() throws {
    let (certificate, key) = (folder.path("cert.pem"), folder.path("key.pem"))
    func make(_ name: String) {
      _ = OtherTool.output(
        of: "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
          + " -subj /CN=\(name) -keyout \(key) -out \(certificate) 2>/dev/null")
    }
    make("first.example")
    let program = RunningMayday(
      [
        "serve", "--listen", "0", "--home", folder.path("home"), "--tls-cert", certificate,
        "--tls-key", key,
      ], home: folder.path("home"))
    var port = ""
    #expect(
      RunningMayday.wait {
        guard let range = program.errors.firstRange(of: "https://127.0.0.1:") else { return false }
        port = String(program.errors[range.upperBound...].prefix(while: \.isNumber))
        return program.errors.contains("/api/v1/reports")
      })
    func subject() -> String {
      OtherTool.output(
        of: "timeout 10 openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null"
          + " | openssl x509 -noout -subject") ?? ""
    }
    #expect(subject().contains("first.example"))
    // An existing client keeps its connection: it sends a request two seconds later.
    let slow = folder.path("slow")
    let request = #"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"#
    let old = RunningMayday(
      [
        "-c",
        "(printf '\(request)'; sleep 5; printf '\(request)'; sleep 1) | openssl s_client -quiet"
          + " -ign_eof -connect 127.0.0.1:\(port) >\(slow) 2>/dev/null",
      ], home: folder.path("home"), program: "/bin/sh")
    func answers() -> Int {
      (try? ByteView(reading: slow, limit: 1 << 20).text.ranges(of: "200 OK").count) ?? 0
    }
    #expect(RunningMayday.wait { answers() == 1 })
    make("second.example")
    kill(program.process, SIGHUP)
    #expect(RunningMayday.wait { subject().contains("second.example") })
    #expect(RunningMayday.wait { answers() == 2 })
    old.stop()
    _ = folder.write("cert.pem", Array("none".utf8))
    kill(program.process, SIGHUP)
    #expect(RunningMayday.wait { program.errors.contains("nothing is reloaded") })
    #expect(subject().contains("second.example"))
    #expect(program.stop(SIGTERM) == 0)
  }
}
