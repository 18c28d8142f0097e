import Bytes
import Dispatch
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ProgramSupport

/// A server that is killed while clients send to it has everything that it acknowledged, once.
@Suite("Killed servers", .serialized)
struct KilledServerTests {
  private static let seed = 0x7365_7276_65 &+ TestSize.seed
  private static let kills = TestSize.of(small: 8, all: 100)
  private let folder = ScratchFolder()

  /// Submissions that clients sent, and which of them were acknowledged.
  private final class Log: Sendable {
    let sent = Mutex<Set<String>>([])
    let acknowledged = Mutex<Set<String>>([])
  }

  @Test("No acknowledged submission is lost, none is there twice")
  func killed() throws {
    let home = folder.path("home")
    let sample = try ByteView(
      mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    ).text
    let log = Log()
    var random = SplitMix(seed: Self.seed)
    var token = ""
    for round in 0..<Self.kills {
      let server = try #require(
        RunningServer(
          home: home, token: token, options: ["--rate", "0", "--keep-per-day", "0"]),
        "round \(round)")
      token = server.token
      let isOver = Atomic<Bool>(false)
      let clients = DispatchGroup()
      for client in 0..<4 {
        let (port, token) = (server.port, server.token)
        DispatchQueue.global().async(group: clients) {
          send(sample, as: "\(round)-\(client)", to: port, token, log) {
            isOver.load(ordering: .relaxed)
          }
        }
      }
      usleep(UInt32(Double.random(in: 0.02...0.6, using: &random) * 1e6))
      #expect(server.stop(SIGKILL) == 128 + SIGKILL)
      isOver.store(true, ordering: .relaxed)
      clients.wait()
    }
    let server = try #require(RunningServer(home: home, token: token))
    #expect(server.waitForQueue())
    #expect(server.stop() == 0)
    let listed = Run(["reports", "--json", "--limit", "0", "--home", home]).json.array ?? []
    let names = listed.compactMap { $0["file"]?.string }
    let sent = log.sent.withLock { $0 }
    let acknowledged = log.acknowledged.withLock { $0 }
    #expect(acknowledged.count > Self.kills)
    #expect(Set(names).count == names.count, "seed \(Self.seed): some are there twice")
    #expect(acknowledged.subtracting(names).isEmpty, "seed \(Self.seed): some are lost")
    #expect(Set(names).isSubset(of: sent))
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
  }

  private func send(
    _ sample: String, as client: String, to port: UInt16, _ token: String, _ log: Log,
    until isOver: () -> Bool
  ) {
    var number = 0
    while !isOver() {
      let connection = WebClient(port: port)
      while !isOver() {
        number += 1
        let name = "\(client)-\(number)"
        let body = Array((sample + "\n" + name).utf8)
        log.sent.withLock { _ = $0.insert(name) }
        guard
          connection.request(
            "POST", "/api/v1/reports?name=\(name)",
            headers: ["Authorization: Bearer \(token)"], body: body),
          let answer = connection.answer()
        else { break }
        if answer.status == 202 { log.acknowledged.withLock { _ = $0.insert(name) } }
      }
    }
  }
}
