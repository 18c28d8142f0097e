import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// An ingest that is killed at any time and run again ends as if it had not been killed.
@Suite("Killed ingests", .serialized)
struct HostileKillTests {
  fileprivate static let seed = 0x6d61_7964_6179 &+ TestSize.seed
  fileprivate static let kills = TestSize.of(small: 8, all: 50)
  fileprivate let folder = ScratchFolder()

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
    var window = KillWindow(duration, seed: Self.seed)
    // A home is killed a few times before it may end, so that the leftovers of one kill meet the next.
    for round in 0..<max(Self.kills / 4, 1) {
      let home = folder.path("home\(round)")
      for _ in 0..<4 {
        window.kill(BackgroundRun(ingest(into: home)))
      }
      #expect([0, 6].contains(Run(ingest(into: home)).status))
      let facts = StoreFacts(home)
      let place = Comment(rawValue: "seed \(Self.seed), round \(round)")
      // Not the full lists in a message.
      let differing = zip(facts.reports, expected.reports).first { $0 != $1 }
      #expect(differing == nil && facts.reports.count == expected.reports.count, place)
      let group = zip(facts.groups, expected.groups).first { $0 != $1 }
      #expect(group == nil && facts.groups.count == expected.groups.count, place)
      for report in facts.reports.prefix(3) {
        let raw = Run(["show", report.id, "--raw", "--home", home])
        #expect(raw.status == 0 && !raw.output.isEmpty, "\(raw.errors)")
      }
    }
    #expect(window.killed > Self.kills / 4)
  }
}

extension HostileKillTests {
  @Test("Debug files whose storing is killed are all there in the end, and explain waiting reports")
  func killedSymbols() throws {
    let reports = Samples.path("apple-ips")
    func begin(_ name: String) -> String {
      let home = folder.path(name)
      #expect(Run(["ingest", reports, "--home", home]).status == 0)
      return home
    }
    func add(_ home: String) -> [String] { ["symbols", "add", Samples.symbols, "--home", home] }
    func names(_ home: String) -> [String] {
      Run(["symbols", "list", "--home", home, "--json"]).json.array?
        .map { "\($0["debug_id"]?.string ?? "") \($0["digest"]?.string ?? "")" }.sorted() ?? []
    }
    let whole = begin("whole")
    let duration = seconds { #expect(Run(add(whole)).status == 0) }
    let expected = StoreFacts(whole)
    var window = KillWindow(duration, seed: Self.seed)
    for round in 0..<max(Self.kills / 5, 1) {
      let home = begin("home\(round)")
      for _ in 0..<2 {
        window.kill(BackgroundRun(add(home)))
      }
      #expect(Run(add(home)).status == 0)
      #expect(names(home) == names(whole) && !names(whole).isEmpty)
      let facts = StoreFacts(home)
      let differing = zip(facts.reports, expected.reports).first { $0 != $1 }
      let place = Comment(rawValue: "seed \(Self.seed), round \(round)")
      #expect(differing == nil && facts.reports.count == expected.reports.count, place)
      #expect(facts.counted == facts.reports.count, place)
    }
  }
}
