import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Submissions that a server could not store, by command and by request.
@Suite("Quarantine", .serialized)
struct SetAsideTests {
  private let folder = ScratchFolder()

  @Test("Submissions are listed, shown, retried and discarded, and the ledger agrees")
  func all() throws {
    let server = try #require(RunningServer(home: folder.path("home"), options: []))
    let home = server.home
    for text in ["no report", "none either", "nor this"] {
      let path = "/api/v1/reports?app=Tern&name=note.txt"
      #expect(server.ask("POST", path, body: Array(text.utf8))?.status == 202)
    }
    let secret = "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"
    #expect(
      server.ask("POST", "/logs", headers: ["App-Secret: \(secret)"], body: Array("no logs".utf8))?
        .status
        == 200)
    #expect(server.waitForQueue())
    #expect(server.metric("mayday_queue_quarantined") == 4)

    let list = Run(["intake", "list", "--json", "--home", home])
    let ids = list.json.array?.compactMap { $0["id"]?.integer } ?? []
    #expect(ids.count == 4 && !list.output.contains(secret))
    #expect(list.json[0]?["facts"]?["name"]?.string == "note.txt")
    let first = try #require(ids.first)
    #expect(Run(["intake", "show", "\(first)", "--raw", "--home", home]).output == "no report")
    let shown = Run(["intake", "show", "\(first)", "--home", home])
    #expect(shown.output.contains("note.txt") && shown.status == 0)
    #expect(Run(["intake", "show", "999", "--home", home]).status == 3)
    let asked = [
      "MAYDAY_SERVER": "http://127.0.0.1:\(server.port)", "MAYDAY_TOKEN": server.token,
    ]
    for words in [
      ["list"], ["list", "--json"], ["show", "\(first)"], ["show", "\(first)", "--json"],
      ["show", "\(first)", "--raw"], ["show", "999"], ["retry", "999"], ["discard", "999"],
    ] {
      let here = Run(["intake"] + words + ["--home", home])
      let there = Run(["intake"] + words, environment: asked)
      #expect(there.output == here.output && there.errors == here.errors, "\(words)")
      #expect(there.status == here.status, "\(words)")
    }
    #expect(Run(["intake", "retry", "--home", home]).status == 2)

    // Once more, with the same result.
    #expect(Run(["intake", "retry", "--all", "--home", home]).status == 0)
    #expect(
      RunningMayday.wait {
        server.metric("mayday_queue_quarantined") == 4 && server.metric("mayday_queue_waiting") == 0
      })

    #expect(server.json("/api/v1/intake")["items"]?.array?.count == 4)
    #expect(server.ask("GET", "/api/v1/intake/\(first)/raw")?.text == "no report")
    #expect(server.ask("POST", "/api/v1/intake/\(first)/retry", body: [])?.status == 200)
    #expect(RunningMayday.wait { server.metric("mayday_queue_quarantined") == 4 })
    #expect(server.ask("DELETE", "/api/v1/intake/\(first)")?.status == 204)
    #expect(server.ask("DELETE", "/api/v1/intake/\(first)")?.status == 404)
    let audit = server.json("/api/v1/audit")["items"]?.array ?? []
    #expect(audit.contains { $0["action"]?.string == "discard submission" })
    #expect(Run(["intake", "retry", "\(ids[2])"], environment: asked).errors.contains("1 sub"))
    #expect(RunningMayday.wait { server.metric("mayday_queue_quarantined") == 3 })
    #expect(Run(["intake", "discard", "\(ids[1])"], environment: asked).status == 0)
    #expect(Run(["intake", "discard", "--all", "--home", home]).status == 0)
    #expect(Run(["intake", "--json", "--home", home]).json.array?.isEmpty == true)
    // Each is counted once: three files and a request that was not a log.
    let ledger = Run(["stats", "--ledger", "--home", home])
    #expect(ledger.status == 0 && ledger.output.contains("quarantined and discarded"))
    #expect(server.stop() == 0)
    HomeCare.expectWhole(home)
  }

  @Test("The limits of the quarantine are options and variables")
  func limits() throws {
    let home = folder.path("home")
    for words in [["--quarantined", "-1"], ["--quarantined-bytes", "much"]] {
      #expect(Run(["serve", "--home", home] + words).status == 2, "\(words)")
    }
    let server = try #require(
      RunningServer(
        home: home, options: ["--quarantined", "2"], environment: ["MAYDAY_QUARANTINED_BYTES=30B"]))
    for number in 1...5 {
      let body = Array("no report \(number)".utf8)
      #expect(server.ask("POST", "/api/v1/reports?app=Tern", body: body)?.status == 202)
    }
    #expect(server.waitForQueue())
    #expect(RunningMayday.wait { server.metric("mayday_queue_quarantined") == 2 })
    // 11 bytes each; these displace only each other.
    let body = Array(repeating: UInt8(ascii: "x"), count: 25)
    #expect(server.ask("POST", "/api/v1/reports?app=Tern", body: body)?.status == 202)
    #expect(RunningMayday.wait { server.metric("mayday_queue_quarantined_bytes") == 25 })
    #expect(server.metric("mayday_queue_quarantined") == 1)
    #expect(server.stop() == 0)
  }
}
