import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Late symbolication that is killed at any time and finished later ends as if the debug files had been there
/// first.
@Suite("Killed late symbolication", .serialized)
struct HostileLateTests {
  private static let seed = 0x6c61_7465 &+ TestSize.seed
  private static let kills = TestSize.of(small: 8, all: 50)
  private let folder = ScratchFolder()

  private static let reports = Samples.path("apple-ips")
  private static func add(_ home: String) -> [String] {
    ["symbols", "add", Samples.symbols, "--home", home]
  }

  /// The reports of each group and their facts, without group numbers.
  private static func picture(_ home: String) -> Set<String> {
    let facts = StoreFacts(home)
    let members = Dictionary(grouping: facts.reports) { $0.group }
    return Set(
      members.values.map { reports in
        reports.map { "\($0.id) \($0.signature)" }.sorted().joined(separator: "\n")
      })
  }

  private static func documents(_ home: String) -> [String] {
    StoreFacts(home).reports.map { report in
      Run(["show", report.id, "--json", "--home", home]).output.split(separator: "\n")
        .filter { !$0.hasPrefix("  \"received\"") && !$0.hasPrefix("  \"group\"") }.joined(
          separator: "\n")
    }
  }

  @Test("Killed at random instants, then retried: the same as with the debug files there first")
  func killed() throws {
    let first = folder.path("first")
    #expect(Run(Self.add(first)).status == 0)
    #expect(Run(["ingest", Self.reports, "--home", first]).status == 0)
    let expected = Self.picture(first)
    let whole = folder.path("whole")
    #expect(Run(["ingest", Self.reports, "--home", whole]).status == 0)
    let duration = seconds { #expect(Run(Self.add(whole)).status == 0) }
    #expect(Self.picture(whole) == expected)
    #expect(Self.documents(whole) == Self.documents(first))
    var window = KillWindow(duration, seed: Self.seed)
    for round in 0..<max(Self.kills / 4, 1) {
      let home = folder.path("home\(round)")
      #expect(Run(["ingest", Self.reports, "--home", home]).status == 0)
      for turn in 0..<4 {
        // The second and later runs only finish what the first left, concurrently.
        let words = turn % 2 == 0 ? Self.add(home) : ["symbols", "retry", "--home", home]
        window.kill((0..<(turn == 3 ? 2 : 1)).map { _ in BackgroundRun(words) })
      }
      #expect(Run(Self.add(home)).status == 0)
      #expect(Run(["symbols", "retry", "--home", home]).status == 0)
      let place = Comment(rawValue: "seed \(Self.seed), round \(round)")
      #expect(Self.picture(home) == expected, place)
      let facts = StoreFacts(home)
      #expect(facts.counted == facts.reports.count, place)
      try StoreCounts.check(home)
    }
    #expect(window.killed > Self.kills / 5)
  }

  @Test("Two processes that reprocess the same reports process each once")
  func sideBySide() throws {
    let first = folder.path("first")
    #expect(Run(Self.add(first)).status == 0)
    #expect(Run(["ingest", Self.reports, "--home", first]).status == 0)
    let home = folder.path("home")
    #expect(Run(["ingest", Self.reports, "--home", home]).status == 0)
    let parts = ["1.0.0", "1.1.0"].map { version in
      BackgroundRun(["symbols", "add", "\(Samples.symbols)/\(version)", "--home", home])
    }
    for part in parts { #expect(part.wait() == 0) }
    #expect(Self.picture(home) == Self.picture(first))
    try StoreCounts.check(home)
  }
}
