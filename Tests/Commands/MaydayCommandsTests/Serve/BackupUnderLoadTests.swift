import Bytes
import Dispatch
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ProgramSupport

/// Backups of a server that keeps receiving and storing reports.
@Suite("Backups under load", .serialized)
struct BackupUnderLoadTests {
  private let folder = ScratchFolder()

  private static let clients = 3
  /// The number of reports that each client sends, microseconds apart, unless all backups are made.
  private static let reports = 100
  private static let pause: UInt32 = 20_000
  private static let rounds = 3

  @Test("Acknowledged submissions are there once after a restore: stored, waiting, quarantined")
  func load() throws {
    let server = try #require(
      RunningServer(home: folder.path("home"), options: ["--rate", "0"]))
    for text in ["no report", "none either"] {
      #expect(server.ask("POST", "/api/v1/reports", body: Array(text.utf8))?.status == 202)
    }
    let sample = try ByteView(
      mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    ).text
    let acknowledged = Mutex<Set<String>>([])
    let isOver = Atomic<Bool>(false)
    let clients = DispatchGroup()
    for client in 0..<Self.clients {
      let (port, token) = (server.port, server.token)
      DispatchQueue.global().async(group: clients) {
        let connection = WebClient(port: port)
        for number in 0..<Self.reports where !isOver.load(ordering: .relaxed) {
          let name = "\(client)-\(number)"
          guard
            connection.request(
              "POST", "/api/v1/reports?name=\(name)", headers: ["Authorization: Bearer \(token)"],
              body: Array((sample + "\n" + name).utf8)),
            let answer = connection.answer()
          else { break }
          if answer.status == 202 { acknowledged.withLock { _ = $0.insert(name) } }
          usleep(Self.pause)
        }
      }
    }
    var before: [Set<String>] = []
    for round in 0..<Self.rounds {
      #expect(RunningMayday.wait { acknowledged.withLock { $0.count } > 20 * (round + 1) })
      before.append(acknowledged.withLock { $0 })
      let backup = Run(["backup", folder.path("b\(round)"), "--home", server.home])
      #expect(backup.status == 0, "\(backup.errors)")
    }
    isOver.store(true, ordering: .relaxed)
    clients.wait()
    #expect(server.stop() == 0)
    for round in 0..<Self.rounds {
      try check(folder.path("b\(round)"), round, holds: before[round], token: server.token)
    }
  }

  private func check(
    _ backup: String, _ round: Int, holds expected: Set<String>, token: String
  ) throws {
    let home = folder.path("restored\(round)")
    let restored = Run(["restore", backup, "--home", home])
    #expect(restored.status == 0, "\(restored.errors)")
    let server = try #require(RunningServer(home: home, token: token))
    #expect(server.waitForQueue())
    #expect(server.metric("mayday_queue_quarantined") == 2)
    #expect(server.stop() == 0)
    let listed = Run(["reports", "--json", "--limit", "0", "--home", home]).json.array ?? []
    let names = listed.compactMap { $0["file"]?.string }
    #expect(expected.subtracting(names).count == 0, "round \(round): some are lost")
    #expect(Set(names).count == names.count, "round \(round): some are there twice")
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
    let aside = Run(["intake", "list", "--json", "--home", home]).json.array ?? []
    let bodies = aside.compactMap { $0["id"]?.integer }.map {
      Run(["intake", "show", "\($0)", "--raw", "--home", home]).output
    }
    #expect(Set(bodies) == ["no report", "none either"])
  }

  @Test("A user erased while a submission was waiting does not return with a backup")
  func erased() throws {
    var server = try #require(RunningServer(home: folder.path("home")))
    // Nothing is stored while the rules are invalid.
    folder.write("home/scrub.conf", Array("[patterns]\nx = (\n".utf8))
    let report = try ByteView(
      mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    ).array
    let install = "C26AC060-5927-4EAA-80A5-CD405B82C40D"
    #expect(server.ask("POST", "/api/v1/reports", body: report)?.status == 202)
    let erased = Run(["erase", "--install", install, "--home", server.home, "--json"])
    #expect(erased.json["pending"]?.integer == 1, "\(erased.errors)")
    let later = report + Array("\n".utf8)
    #expect(server.ask("POST", "/api/v1/reports", body: later)?.status == 202)
    let backup = Run(["backup", folder.path("b"), "--home", server.home])
    #expect(backup.errors.contains("2 waiting submissions"), "\(backup.errors)")
    let token = server.token
    #expect(server.stop() == 0)

    let home = folder.path("restored")
    #expect(Run(["restore", folder.path("b"), "--home", home]).status == 0)
    folder.write("restored/scrub.conf", [])
    server = try #require(RunningServer(home: home, token: token))
    #expect(server.waitForQueue())
    let items = server.json("/api/v1/reports")["items"]?.array ?? []
    #expect(items.count == 1)
    let left = try #require(items.first?["id"]?.string)
    #expect(server.ask("GET", "/api/v1/reports/\(left)/raw")?.body == later)
    #expect(server.stop() == 0)
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
  }
}
