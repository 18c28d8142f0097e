import CrashModel
import Identifiers
import Query
import Statistics
import TestSupport
import Testing

@testable import CrashStore

@Suite("Comparisons of groups, builds and values")
struct ComparisonTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private var store: CrashStore { fixture.store }

  /// Adds the given number of reports of a build, each from another installation.
  private func file(
    _ name: String, _ key: String, _ count: Int, version: String, os: String = "iOS",
    install: String? = nil, day: Int64 = 0, device: String = "iPhone15,2", tag: String? = nil
  ) throws {
    try fixture.file(
      name,
      (0..<count).map { number in
        var report = StoreFixture.report(
          key, version: version, install: install ?? "\(name)-\(number)",
          seconds: Int64(number) - day * 86_400, os: os)
        report.device = Device(model: device)
        if let tag { report.tags[ReportTag("locale")] = tag }
        return report
      })
  }

  private func sessions(_ count: Int, _ version: String) throws {
    for number in 0..<count {
      var batch = ClientBatch(
        app: "Tern", received: StoreFixture.start, install: "s\(version)\(number)")
      batch.sessions = [
        ClientBatch.Session(
          id: "\(version)-\(number)", time: StoreFixture.start, version: version, build: "7")
      ]
      _ = try store.sessions.add(batch)
    }
  }

  private func regressions(
    _ change: (inout RegressionQuery) -> Void = { _ in }
  ) throws -> AppRegressions {
    var query = RegressionQuery()
    change(&query)
    return try store.releases.regressions(of: "Tern", query)
  }

  // MARK: Builds

  @Test("A group that came with a build is found there, by reports alone")
  func byReports() throws {
    for version in ["1.0", "1.1", "1.2", "1.10"] {
      try file("steady-\(version)", "steady", 40, version: version)
    }
    try file("new-a", "new", 20, version: "1.2")
    try file("new-b", "new", 20, version: "1.10")
    try file("more-a", "more", 2, version: "1.0")
    try file("more-b", "more", 30, version: "1.10")
    let found = try regressions()
    #expect(found.basis == .reports && found.tested == 3 && found.total == 2)
    #expect(found.builds.map(\.version) == ["1.0", "1.1", "1.2", "1.10"])
    let (more, new) = (found.groups[0], found.groups[1])
    #expect(more.title == "text of more" && more.release.version == "1.10" && !more.isNew)
    #expect(new.title == "text of new" && new.release.version == "1.2" && new.isNew)
    #expect(new.last.version == "1.10" && new.installs == 40 && new.confidence > 0.999)
    // The steady group's reports, and its own.
    #expect(new.new == .init(marked: 40, of: 150) && new.former == .init(marked: 0, of: 82))
    // Three windows from 1.1, two from 1.2, one from 1.10, of three groups.
    #expect(found.comparisons == 18)
    #expect(try regressions { $0.release = Release("1.10") }.groups.map(\.title) == [more.title])
    #expect(throws: (any Error).self) { try regressions { $0.release = Release("9") } }
    let one = try regressions { $0.group = "TERN-1" }
    #expect(one.groups.allSatisfy { $0.group == "TERN-1" && $0.confidence < 0.5 })
  }

  @Test("With sessions, a build that is used more is not worse, and a set order counts")
  func bySessions() throws {
    for (version, count) in [("1.0", 60), ("1.1", 240), ("1.2", 60)] {
      try sessions(count, version)
      try file("even-\(version)", "even", count / 12, version: version)
    }
    try file("worse", "worse", 14, version: "1.1")
    #expect(try regressions().groups.isEmpty)
    try file("worse-b", "worse", 30, version: "1.2")
    let found = try regressions()
    #expect(found.basis == .sessions && found.since != nil)
    #expect(found.groups.map(\.title) == ["text of worse"])
    #expect(found.groups[0].release.version == "1.2" && !found.groups[0].isNew)
    #expect(found.groups[0].new == .init(marked: 30, of: 60))
    #expect(found.groups[0].former == .init(marked: 14, of: 300))
    #expect(found.whole?.release.version == "1.2" && found.whole?.group == "")
    // As if 1.2 had come first, nothing began with it.
    _ = try store.releases.setOrder(of: "Tern", [Release("1.2"), Release("1.0"), Release("1.1")])
    #expect(try regressions().groups.isEmpty)
  }

  @Test("One device that crashes repeatedly is one case a day, and no regression")
  func oneDevice() throws {
    for version in ["1.0", "1.1"] { try file("s\(version)", "steady", 50, version: version) }
    for day in 0..<10 {
      try file("d\(day)", "loop", 30, version: "1.1", install: "it", day: Int64(day))
    }
    #expect(try regressions { $0.confidence = 0 }.groups.allSatisfy { $0.title != "text of loop" })
    let loop = try regressions { $0.group = "TERN-2" }.groups
    #expect(loop.count == 1 && loop[0].new.marked == 10 && loop[0].installs == 1)
  }

  @Test("Nothing is compared with one build, without reports, or for a missing app")
  func nothing() throws {
    try store.apps.add("Tern", secret: nil)
    #expect(try regressions().builds.isEmpty)
    try file("a", "k", 9, version: "1.0")
    #expect(try regressions().groups.isEmpty)
    #expect(throws: (any Error).self) {
      try store.releases.regressions(of: "Gull", RegressionQuery())
    }
  }

  // MARK: Values

  private func correlations(_ query: String = "", by fields: [String] = []) throws -> Correlations {
    try store.search.correlations(
      ofGroup: "TERN-1", among: try Query(query, now: StoreFixture.start),
      by: fields.compactMap { QueryField(named: $0) })
  }

  @Test("Values that are more frequent in a group are listed, with counts and Fisher's probability")
  func values() throws {
    try file("a", "k1", 18, version: "1.0", os: "macOS", device: "Mac14,2", tag: "de_DE")
    try file("b", "k1", 2, version: "1.0", tag: "de_DE")
    try file("c", "k2", 10, version: "1.0", os: "macOS", device: "Mac15,1", tag: "en_US")
    try file("d", "k2", 70, version: "1.0", tag: "en_US")
    let found = try correlations()
    #expect(found.cases == 20 && found.otherCases == 80 && found.app == "Tern")
    let texts = found.items.map { "\($0.field):\($0.value) \($0.cases) \($0.otherCases)" }
    #expect(
      texts == [
        "tag.locale:de_DE 20 0", "device:Mac14,2 18 0", "os:macOS 18 10",
      ])
    // By `scripts/oracles/fisher.py 18 20 10 80`.
    let system = try #require(found.items.last)
    #expect(system.pValue == 6.35152e-11)
    #expect(system.synonyms == ["os:\"macOS 17.2\""] && system.installs == 18)
    #expect(system.share == 0.9 && system.appShare == 0.28 && !system.followsRelease)
    // Values that all of the app's reports have are left out.
    #expect(!texts.contains { $0.hasPrefix("version") })
    #expect(try correlations(by: ["device"]).items.map(\.field) == ["device"])
    #expect(try correlations("os:iOS").cases == 2)
    #expect(throws: (any Error).self) { try correlations(by: ["time"]) }
  }

  @Test("Values that follow from a group's releases are marked")
  func releases() throws {
    // All of 1.1 is on macOS; the group is only in 1.1.
    try file("a", "k1", 40, version: "1.1", os: "macOS")
    try file("b", "k2", 40, version: "1.1", os: "macOS")
    try file("c", "k2", 200, version: "1.0")
    let found = try correlations()
    // Every report of 1.1 is from macOS, so they are one value.
    let version = try #require(found.items.first)
    #expect(version.field == "version" && version.synonyms.contains("os:macOS"))
    try file("d", "k2", 30, version: "1.0", os: "macOS")
    let system = try #require(try correlations().items.first { $0.field == "os" })
    #expect(system.expectedShare == 1 && system.followsRelease)
    #expect(try correlations("version:1.1").items.isEmpty)
  }

  @Test("One device makes nothing frequent, and few reports are not judged")
  func few() throws {
    try file("a", "k1", 300, version: "1.0", install: "it", device: "Mac14,2")
    try file("b", "k1", 4, version: "1.0")
    try file("c", "k2", 90, version: "1.0")
    #expect(try correlations().items.isEmpty && correlations().cases == 5)
    for day in 1..<30 {
      try file(
        "d\(day)", "k1", 2, version: "1.0", install: "it", day: Int64(day), device: "Mac14,2")
    }
    #expect(try correlations().items.isEmpty && correlations().cases == 34)
  }

  @Test("For random reports, counts equal those of a plain count", arguments: 0..<6)
  func random(seed: UInt64) throws {
    let search = try SearchFixture(seed: 900 + seed)
    try search.file(300)
    try search.replace(20)
    let values = try search.values()
    let name = try #require(values.first { $0.app == "Tern" }?.group?.name)
    func cases(_ isOwn: Bool) -> [ReportValues] {
      var last: [String: ReportValues] = [:]
      for (number, value) in values.enumerated()
      where value.app == "Tern" && (value.group?.name == name) == isOwn {
        let key = [
          value.group?.name ?? "", "\(value.time.day)", value.install, value.release,
        ].joined(separator: "\n")
        last[value.install.isEmpty ? "#\(number)" : key] = value
      }
      return Array(last.values)
    }
    let found = try search.store.search.correlations(ofGroup: name, among: .all)
    #expect(found.cases == cases(true).count && found.otherCases == cases(false).count)
    // A query leaves the same reports as counting the matching ones.
    let part = try search.store.search.correlations(
      ofGroup: name, among: try Query("os:iOS -install:i1", now: StoreFixture.start))
    #expect(part.cases <= found.cases && part.otherCases <= found.otherCases)
  }
}
