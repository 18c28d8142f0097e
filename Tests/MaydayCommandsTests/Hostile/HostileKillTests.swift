import Bytes
import Glibc
import TestSupport
import Testing

/// An ingest that is killed at any instant and run again ends as if it had not been.
///
/// `MAYDAY_KILLS` says how often it is killed, 20 times unless told.
@Suite("Killed ingests", .serialized)
struct HostileKillTests {
  private static let seed: UInt64 = 0x6d61_7964_6179
  private static let kills = Int(setting("MAYDAY_KILLS", orElse: 20))
  private let folder = ScratchFolder()

  private func ingest(into home: String) -> [String] {
    ["ingest", Samples.root + "/Samples", "--symbols", Samples.symbols, "--home", home]
  }

  @Test("Killed at random instants, again and again, in one home and in new ones")
  func killed() throws {
    let whole = folder.path("whole")
    let duration = seconds {
      #expect([0, 6].contains(Run(ingest(into: whole)).status))
    }
    let expected = StoreFacts(whole)
    #expect(expected.counted == expected.reports.count && expected.reports.count > 100)
    var random = SplitMix(seed: Self.seed)
    var killed = 0
    // A home is killed a few times before it may end, so that what one death leaves meets the next.
    for round in 0..<max(Self.kills / 4, 1) {
      let home = folder.path("home\(round)")
      for _ in 0..<4 {
        let run = BackgroundRun(ingest(into: home))
        let instant = Double.random(in: 0...(duration * 1.1), using: &random)
        usleep(UInt32(instant * 1e6))
        run.kill()
        if run.wait() == 128 + SIGKILL { killed += 1 }
      }
      #expect([0, 6].contains(Run(ingest(into: home)).status))
      let facts = StoreFacts(home)
      #expect(facts.reports == expected.reports, "seed \(Self.seed), round \(round)")
      #expect(facts.groups == expected.groups, "seed \(Self.seed), round \(round)")
      for report in facts.reports.prefix(3) {
        let raw = Run(["show", report.id, "--raw", "--home", home])
        #expect(raw.status == 0 && !raw.output.isEmpty, "\(raw.errors)")
      }
    }
    #expect(killed > Self.kills / 4)
  }
}

/// The number in an environment variable.
func setting(_ name: String, orElse usual: Double) -> Double {
  getenv(name).flatMap { Double(String(cString: $0)) } ?? usual
}
