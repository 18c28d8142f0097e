import Bytes
import CrashStore
import Glibc
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// A crash loop at a server: the first reports of a day are stored, and all are counted.
@Suite("The daily limit at a server", .serialized) struct DailyLimitRouteTests {
  private let folder = ScratchFolder()
  private let sample: String

  init() throws {
    let bytes = try ByteView(
      reading: Samples.root + "/Samples/apple-ips/worker-null-1.1.0-ios-arm64.ips", limit: 1 << 20)
    sample = bytes.text
  }

  private func crash(_ number: Int) -> [UInt8] {
    Array((sample + String(repeating: "\n", count: number)).utf8)
  }

  private func document(_ answer: WebClient.Answer) throws -> JSONValue {
    try JSONDocument.parse(ByteView(answer.body)).value
  }

  /// Outcome of a submission.
  private func outcome(_ answer: JSONValue, at server: RunningServer) throws -> JSONValue {
    let path = "/api/v1/submissions/" + (try #require(answer["id"]?.string))
    #expect(RunningMayday.wait { server.json(path)["status"]?.string == "stored" })
    return server.json(path)
  }

  @Test("Further ones are counted, and a server killed meanwhile counts each once")
  func loop() throws {
    let home = folder.path("home")
    var server = try #require(RunningServer(home: home, options: ["--keep-per-day", "3"]))
    let token = server.token
    for number in 0..<8 {
      let answer = try #require(server.ask("POST", "/api/v1/reports", body: crash(number)))
      #expect(answer.status == 202)
      let outcome = try outcome(document(answer), at: server)
      #expect(outcome["reports"]?.array?.count == (number < 3 ? 1 : 0))
      #expect(outcome["counted"]?.array?.count == (number < 3 ? 0 : 1))
      if number >= 3 {
        let counted = outcome["counted"]?.array?.first
        #expect(
          counted?["reports"]?.integer == 1 && counted?["group"]?.string?.hasSuffix("-1") == true)
      }
    }
    for number in 8..<30 {
      #expect(server.ask("POST", "/api/v1/reports", body: crash(number))?.status == 202)
    }
    #expect(server.stop(SIGKILL) == 128 + SIGKILL)
    // The home stores the number.
    server = try #require(RunningServer(home: home, token: token))
    #expect(server.waitForQueue())
    #expect(server.ask("POST", "/api/v1/reports", body: crash(29))?.status == 202)
    #expect(server.waitForQueue())
    let group = server.json("/api/v1/groups")["items"]?.array?.first
    #expect(group?["reports"]?.integer == 30)
    #expect(server.metric(#"mayday_ledger_submissions_total{outcome="counted"}"#) == 27)
    #expect(server.metric(#"mayday_ledger_submissions_total{outcome="stored"}"#) == 3)
    let figures = Run(["stats", "--ledger", "--json", "--home", home])
    #expect(figures.status == 0, "\(figures.errors)")
    let text = Run(["stats", "--ledger", "--home", home]).output
    #expect(text.contains("only counted") && text.contains("beyond the daily limit of a group"))
    #expect(Run(["doctor", "--home", home]).status == 0)

    // A backup contains the counts, and a restored home continues them.
    let archive = folder.path("backup.tar.zst")
    #expect(Run(["backup", "--home", home, archive]).status == 0)
    let restored = folder.path("restored")
    let restoring = Run(["restore", archive, "--home", restored])
    #expect(restoring.status == 0, "\(restoring.errors)")
    #expect(Run(["stats", "--ledger", "--home", restored]).status == 0)
    #expect(Run(["groups", "--json", "--home", restored]).json[0]?["reports"]?.integer == 30)
    #expect(Run(["gc", "--home", home, "--grace", "0"]).status == 0)
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
  }

  @Test("A client that offers a dump sends it if the group has none, and not again")
  func dump() throws {
    let server = try #require(
      RunningServer(home: folder.path("home"), options: ["--keep-per-day", "3"]))
    func offer(_ number: Int) throws -> [String]? {
      let answer = try #require(
        server.ask("POST", "/api/v1/reports?wait=5&offers=dump", body: crash(number)))
      #expect(answer.status == 202)
      let document = try document(answer)
      let outcome = try outcome(document, at: server)
      let wants = document["wants"]?.array?.compactMap(\.string)
      #expect(outcome["wants"]?.array?.compactMap(\.string) == wants)
      return wants
    }
    // The worker has to start; a client that waits in vain requests the outcome.
    #expect(server.ask("POST", "/api/v1/reports", body: crash(0))?.status == 202)
    #expect(server.waitForQueue())
    #expect(try offer(1) == ["dump"])
    var form: [UInt8] = []
    for (name, file, bytes) in [
      ("file", "crash.ips", crash(1)), ("attachment", "core.bin", Array("a dump".utf8)),
    ] {
      form += Array(
        ("--xx\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(file)\"\r\n\r\n")
          .utf8)
      form += bytes + Array("\r\n".utf8)
    }
    form += Array("--xx--\r\n".utf8)
    let sent = server.ask(
      "POST", "/api/v1/reports", headers: ["Content-Type: multipart/form-data; boundary=xx"],
      body: form)
    #expect(sent?.status == 202)
    #expect(server.waitForQueue())
    #expect(try offer(2) == [])
    // Reports that are only counted are no reason to send more.
    #expect(try offer(3) == [])
    #expect(server.json("/api/v1/groups")["items"]?.array?.first?["reports"]?.integer == 4)
    #expect(server.ask("POST", "/api/v1/reports?wait=5&offers=core", body: crash(9))?.status == 400)
    // Without an offer, no dump is requested.
    let plain = try #require(server.ask("POST", "/api/v1/reports?wait=1", body: crash(10)))
    #expect(try document(plain)["wants"] == nil)
  }

  @Test("An app's own number is set over the API and by command")
  func settings() throws {
    let home = folder.path("home")
    let server = try #require(RunningServer(home: home))
    #expect(server.ask("POST", "/api/v1/reports", body: crash(0))?.status == 202)
    #expect(server.waitForQueue())
    let app = try #require(server.json("/api/v1/apps")["items"]?.array?.first?["name"]?.string)
    let body = #"{"name": "\#(app)", "days": 30, "per_day": 1}"#
    #expect(server.ask("PUT", "/api/v1/apps/keep", body: Array(body.utf8))?.status == 200)
    #expect(server.json("/api/v1/apps")["items"]?.array?.first?["keep"]?["per_day"]?.integer == 1)
    for number in 1..<4 {
      #expect(server.ask("POST", "/api/v1/reports", body: crash(number))?.status == 202)
    }
    #expect(server.waitForQueue())
    #expect(server.metric(#"mayday_ledger_submissions_total{outcome="stored"}"#) == 1)
    let set = Run(["apps", "set", app, "--keep-per-day", "none", "--home", home])
    #expect(set.status == 0 && set.output.contains("30 days"))
    #expect(Run(["apps", "set", app, "--keep-per-day", "-1", "--home", home]).status == 2)
    #expect(server.ask("POST", "/api/v1/reports", body: crash(5))?.status == 202)
    #expect(server.waitForQueue())
    #expect(server.metric(#"mayday_ledger_submissions_total{outcome="stored"}"#) == 2)
  }
}
