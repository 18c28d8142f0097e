import CrashModel
import Database
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite("Figures of a release")
struct ReleaseFiguresTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private var store: CrashStore { fixture.store }
  private static let now = StoreFixture.start

  private static func report(
    _ key: String, _ version: String, build: String = "7", install: String? = nil,
    kind: ReportKind = .crash
  ) -> CrashReport {
    var report = StoreFixture.report(key, version: version, install: install, kind: kind)
    report.app.build = build
    return report
  }

  /// Sessions as `id: version (build) of install`, on the day the given number of days ago.
  private func sessions(
    _ list: [(id: String, release: String, install: String)], daysAgo: Int = 0
  ) throws {
    for session in list {
      var batch = ClientBatch(app: "Tern", received: Self.now, install: session.install)
      let release = Release(session.release)
      batch.sessions = [
        ClientBatch.Session(
          id: session.id,
          time: Timestamp(seconds: Self.now.seconds - Int64(daysAgo) * 86_400),
          version: release.version, build: release.build)
      ]
      _ = try store.sessions.add(batch)
    }
  }

  private func crash(
    _ id: String, in session: String, _ release: String, install: String, kind: ReportKind = .crash
  ) throws {
    let release = Release(release)
    var batch = ClientBatch(app: "Tern", received: Self.now, install: install)
    batch.reports = [
      ClientBatch.Report(
        try StoreFixture.prepared(
          id,
          [
            Self.report(
              "k-client", release.version, build: release.build, install: install, kind: kind)
          ]),
        id: id, kind: kind, session: session, time: Self.now, version: release.version,
        build: release.build)
    ]
    _ = try store.sessions.add(batch)
  }

  private func figures(_ name: String, days: Int = 30) throws -> ReleaseFigures {
    try store.releases.figures(of: Release(name), app: "Tern", days: days, now: Self.now)
  }

  @Test("Reports and groups are those of the version, or of one build")
  func reports() throws {
    try fixture.file(
      "a",
      [
        Self.report("k1", "1.4.2", build: "512"), Self.report("k1", "1.4.2", build: "513"),
        Self.report("k2", "1.4.2", build: "513"), Self.report("k2", "1.4"),
        Self.report("k3", "1.4.20"),
      ])
    let all = try figures("1.4.2")
    #expect(all.reports == 3 && all.groups == 2 && all.builds == ["512", "513"])
    let one = try figures("1.4.2 (513)")
    #expect(one.reports == 2 && one.groups == 2 && one.builds == ["513"])
    #expect(try figures("1.4.2 (512)").groups == 1)
    #expect(all.firstSeen == StoreFixture.start && all.lastSeen == StoreFixture.start)
  }

  @Test("A group is new in the first release, by the order of releases, that it was seen in")
  func newGroups() throws {
    // The report of the older release comes last.
    try fixture.file(
      "a",
      [
        Self.report("k1", "1.4.2"), Self.report("k2", "1.4.2"), Self.report("k2", "1.10"),
        Self.report("k1", "1.4.1"),
      ])
    #expect(try figures("1.4.2").newGroups.items.map(\.signature) == ["text of k2"])
    #expect(try figures("1.4.1").newGroups.items.map(\.signature) == ["text of k1"])
    #expect(try figures("1.10").newGroups.total == 0)
    // A set order decides.
    try store.releases.setOrder(of: "Tern", [Release("1.10"), Release("1.4.2")])
    #expect(try figures("1.10").newGroups.items.map(\.signature) == ["text of k2"])
    #expect(try figures("1.4.2").newGroups.total == 0)
    // An older build of the version.
    try fixture.file(
      "b", [Self.report("k9", "2.0", build: "2"), Self.report("k9", "2.0", build: "1")])
    #expect(try figures("2.0 (2)").newGroups.total == 0)
    #expect(try figures("2.0 (1)").newGroups.total == 1)
    #expect(try figures("2.0").newGroups.total == 1)
  }

  @Test("A report without a release does not make a group older")
  func nameless() throws {
    try fixture.file("a", [Self.report("k1", "", build: ""), Self.report("k1", "1.4.2")])
    #expect(try figures("1.4.2").newGroups.total == 1)
  }

  @Test("Regressions are the groups that came back in it, even if open again or merged")
  func regressions() throws {
    try fixture.file(
      "a", [Self.report("k1", "1.0"), Self.report("k2", "1.0"), Self.report("k3", "1.0")])
    try store.triage.resolve(
      ["TERN-1", "TERN-2"], .inRelease(Release(version: "1.4.2")), by: "ann")
    #expect(try figures("1.0").regressions.total == 0)
    try fixture.file(
      "b", [Self.report("k1", "1.4.2", build: "512"), Self.report("k2", "1.4.3", build: "600")])
    #expect(try figures("1.4.2").regressions.items.map(\.id) == ["TERN-1"])
    #expect(try figures("1.4.2").regressions.items.first?.state == .regressed)
    #expect(try figures("1.4.2 (512)").regressions.total == 1)
    #expect(try figures("1.4.3").regressions.items.map(\.id) == ["TERN-2"])
    try store.triage.reopen(["TERN-1"], by: "ann")
    try store.triage.merge(["TERN-1"], into: "TERN-3", by: "ann")
    let merged = try figures("1.4.2").regressions
    #expect(merged.items.map(\.id) == ["TERN-3"] && merged.total == 1)
  }

  @Test("Fixed groups are those that are resolved in it")
  func fixed() throws {
    try fixture.file(
      "a",
      [
        Self.report("k1", "1.0"), Self.report("k2", "1.0"), Self.report("k3", "1.0"),
        Self.report("k4", "1.4.2", build: "511"),
      ])
    try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "1.4.2")), by: "ann")
    try store.triage.resolve(["TERN-2"], .inRelease(Release("1.4.2 (512)")), by: "ann")
    try store.triage.resolve(["TERN-3"], .afterNewestSeen, by: "ann")
    #expect(try figures("1.4.2").fixedGroups.items.map(\.id) == ["TERN-1", "TERN-2"])
    #expect(try figures("1.4.2 (511)").fixedGroups.items.map(\.id) == ["TERN-1"])
    try store.triage.reopen(["TERN-1"], by: "ann")
    #expect(try figures("1.4.2").fixedGroups.items.map(\.id) == ["TERN-2"])
  }

  @Test("Crash-free figures and adoption are by version and build, with raw counts")
  func sessions() throws {
    try sessions([
      ("s1", "1.4.2 (512)", "a"), ("s2", "1.4.2 (512)", "a"), ("s3", "1.4.2 (513)", "b"),
      ("s4", "1.4.1 (500)", "c"), ("s5", "1.4.1 (500)", "a"),
    ])
    try sessions([("s6", "1.4.2 (512)", "d"), ("s7", "1.4.1 (500)", "e")], daysAgo: 2)
    try sessions([("s8", "1.4.2 (512)", "f")], daysAgo: 40)
    try crash("r1", in: "s1", "1.4.2 (512)", install: "a")
    try crash("r2", in: "s1", "1.4.2 (512)", install: "a")
    try crash("r3", in: "s3", "1.4.2 (513)", install: "b", kind: .handled)
    try crash("r4", in: "s4", "1.4.1 (500)", install: "c")
    let all = try figures("1.4.2")
    #expect(all.crashFree.sessions == 4 && all.crashFree.crashedSessions == 1)
    #expect(all.crashFree.installs == 3 && all.crashFree.crashedInstalls == 1)
    #expect(all.crashFree.crashes == 2 && all.crashFree.sessionRate == 0.75)
    // Including the one last seen 40 days ago.
    #expect(all.installs == 4)
    #expect(all.adoption.map(\.sessions) == [1, 0, 3])
    #expect(all.adoption.map(\.allSessions) == [2, 0, 5])
    #expect(all.adoption.map(\.installs) == [1, 0, 2])
    #expect(all.adoption.map(\.allInstalls) == [2, 0, 3])
    let one = try figures("1.4.2 (513)")
    #expect(one.crashFree.sessions == 1 && one.crashFree.crashedSessions == 0)
    #expect(one.adoption.map(\.sessions) == [0, 0, 1] && one.installs == 1)
    #expect(try figures("1.4.2", days: 90).crashFree.sessions == 5)
    #expect(try figures("1.4.2", days: 1).adoption.count == 1)
  }

  @Test("Installations of reports and of sessions count once, even after reports expired")
  func installs() throws {
    try sessions([("s1", "1.4.2 (7)", "a"), ("s2", "1.4.2 (7)", "b")])
    try fixture.file(
      "a",
      [
        Self.report("k1", "1.4.2", install: "a"), Self.report("k1", "1.4.2", install: "c"),
        Self.report("k2", "1.4.2", install: "c"), Self.report("k2", "1.4.1", install: "z"),
        Self.report("k2", "1.4.2"),
      ])
    #expect(try figures("1.4.2").installs == 3)
    #expect(try figures("1.4.1").installs == 1)
    _ = try store.retention.expire(Retention(perGroup: 1), of: "Tern", at: Self.now)
    #expect(try store.reports.list().count < 5)
    #expect(try figures("1.4.2").installs == 3)
  }

  @Test("The summary of each release of an app has the figures of that release")
  func summaries() throws {
    try sessions([
      ("s1", "1.0 (7)", "a"), ("s2", "1.4.2 (7)", "b"), ("s3", "1.4.2 (8)", "b"),
      ("s4", "1.5 (1)", "q"),
    ])
    try sessions([("s5", "1.4.2 (7)", "c")], daysAgo: 6)
    try sessions([("s6", "1.4.2 (7)", "d")], daysAgo: 7)
    try fixture.file(
      "a",
      [
        Self.report("k1", "1.0", install: "a"), Self.report("k2", "1.0", install: "x"),
        Self.report("k3", "1.0"), Self.report("k9", ""),
      ])
    try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "1.4")), by: "ann")
    try fixture.file(
      "b",
      [
        Self.report("k1", "1.4.2", install: "y"), Self.report("k5", "1.4.2", install: "b"),
        Self.report("k5", "1.4.2", build: "8"), Self.report("k6", "1.4.2", build: "8"),
      ])
    _ = try store.retention.expire(Retention(perGroup: 1), of: "Tern", at: Self.now)
    let summaries = try store.releases.summaries(of: "Tern", now: Self.now)
    #expect(summaries.sessions == 5, "of seven days")
    for name in ["1.0 (7)", "1.4.2 (7)", "1.4.2 (8)", "1.5 (1)"] {
      let summary = try #require(summaries.releases[Release(name)], "\(name)")
      let figures = try figures(name, days: ReleaseSummaries.adoptionDays)
      #expect(summary.groups == figures.groups, "\(name)")
      #expect(summary.newGroups == figures.newGroups.total, "\(name)")
      #expect(summary.regressedGroups == Set(figures.regressions.items.map(\.id)), "\(name)")
      #expect(summary.installs == figures.installs, "\(name)")
      #expect(summary.sessions == figures.adoption.reduce(0) { $0 + $1.sessions }, "\(name)")
    }
    #expect(summaries.releases[Release("1.4.2 (7)")]?.regressedGroups == ["TERN-1"])
    #expect(summaries.releases[Release("1.4.2 (8)")]?.newGroups == 1)
    #expect(throws: StoreError.notFound("Nope")) {
      try store.releases.summaries(of: "Nope", now: Self.now)
    }
  }

  @Test("Another app's release with the same name is left out")
  func otherApp() throws {
    try fixture.file("a", [Self.report("k1", "1.4.2", install: "a")])
    _ = try store.reports.add([
      StoreFixture.prepared("x", [Self.report("k1", "1.4.2", install: "b")], app: "Heron")
    ])
    let figures = try figures("1.4.2")
    #expect(figures.reports == 1 && figures.groups == 1 && figures.installs == 1)
    #expect(figures.newGroups.items.map(\.id) == ["TERN-1"])
    #expect(try store.releases.apps(with: Release("1.4.2")) == ["Heron", "Tern"])
  }

  @Test("A release that only sessions name exists; one that nothing names does not")
  func existence() throws {
    try sessions([("s1", "1.4.2 (7)", "a")])
    #expect(try figures("1.4.2").crashFree.sessions == 1)
    #expect(throws: ActionError.self) { try figures("1.4.3") }
    #expect(throws: ActionError.self) { try figures("1.4.2 (8)") }
    #expect(throws: StoreError.unknownApp("Heron", near: nil)) {
      try store.releases.figures(of: Release("1"), app: "Heron", now: Self.now)
    }
  }
}
