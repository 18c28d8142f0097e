import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing
import Updates

@testable import CrashStore

@Suite("Checks of roll-outs")
struct RolloutCheckTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private static let new = Release("1.4.2 (512)")
  private static let former = Release("1.4.1 (500)")

  init() throws {
    fixture = try StoreFixture()
    try store.releases.add([Release("1.0 (1)"), Self.former, Self.new], to: "Tern")
  }

  /// Adds N sessions of a release today, the first of which crashed, each of another installation.
  private func sessions(
    _ release: Release, _ count: Int, crashed: Int, from first: Int = 0, ofInstalls: Int = .max
  ) throws {
    let now = CrashStore.now
    for number in first..<(first + count) {
      let install = "\(release.name) \(number % ofInstalls)"
      var batch = ClientBatch(app: "Tern", received: now, install: install)
      let id = "\(release.name) s\(number)"
      batch.sessions = [
        ClientBatch.Session(id: id, time: now, version: release.version, build: release.build)
      ]
      if number < first + crashed {
        var report = StoreFixture.report("k", version: release.version, install: install)
        report.app.build = release.build
        report.time = now
        batch.reports = [
          ClientBatch.Report(
            try StoreFixture.prepared("r \(id)", [report], received: now), id: "r \(id)",
            kind: .crash,
            session: id, time: now, version: release.version, build: release.build)
        ]
      }
      _ = try store.sessions.add(batch)
    }
  }

  private func rollOut(_ percent: Int = 25, pause: String? = nil) throws {
    try store.distribution.setRollout(
      Rollout(percent: percent, pause: pause), of: Self.new, app: "Tern", .rolledOut,
      "\(percent) %", by: "ann")
  }

  private func look() throws -> [ReleaseRollout] {
    try store.distribution.lookAtRollouts(now: CrashStore.now)
  }

  private func rollout() throws -> ReleaseRollout? {
    try store.distribution.rollouts(of: Self.new, app: "Tern").first
  }

  @Test("A check shows why it does not test, and tests when it can")
  func check() throws {
    func untested() throws -> String? {
      try store.distribution.checkRollouts(of: Self.new, app: "Tern", now: CrashStore.now).first?
        .untested
    }
    #expect(try untested() == "it is not rolled out in part")
    try rollOut(0)
    #expect(try untested() == "its roll-out is at 0 %")
    try rollOut()
    #expect(try untested() == "0 sessions since the roll-out began; the next look is at 100")
    try sessions(Self.new, 100, crashed: 2, ofInstalls: 2)
    #expect(
      try untested() == "no release before it has 100 sessions since the roll-out began")
    try sessions(Self.former, 100, crashed: 0)
    #expect(try untested() == nil)
    let rollout = try #require(try rollout())
    #expect(rollout.look?.number == 1 && !rollout.isPaused)
    #expect(try untested() == "100 sessions since the roll-out began; the next look is at 200")
    try rollOut(25, pause: "by ann")
    #expect(try untested() == "it is paused")
  }

  @Test("A release that crashes more often is paused, with test and counts in the history")
  func pause() throws {
    try rollOut()
    try sessions(Self.former, 100, crashed: 1)
    try sessions(Self.new, 99, crashed: 20)
    #expect(try look().isEmpty)
    try sessions(Self.new, 1, crashed: 0, from: 99)
    let seen = try look()
    #expect(seen.count == 1 && seen.first?.isPaused == true)
    let rollout = try #require(try rollout())
    #expect(rollout.isPaused && rollout.rollout?.percent == 25)
    #expect(rollout.look?.new == RolloutTest.Sessions(crashed: 20, all: 100))
    #expect(rollout.look?.former == RolloutTest.Sessions(crashed: 1, all: 100))
    #expect(rollout.look?.formerRelease == "1.4.1 (500)")
    let line = try #require(try store.distribution.history(of: "Tern", release: Self.new).last)
    #expect(line.kind == .paused && line.author == "mayday")
    #expect(line.detail.contains("20 of 100 sessions crashed, of 1.4.1 (500) 1 of 100: p = "))
    #expect(line.detail.contains("Fisher's exact test, one-sided, look 1"))
    let figures = try store.releases.figures(of: Self.new, app: "Tern", now: CrashStore.now)
    #expect(figures.rollouts == [rollout] && figures.history.last == line)
    // A paused one is not checked, and never resumes on its own.
    #expect(try look().isEmpty)
    try sessions(Self.new, 400, crashed: 0, from: 100)
    #expect(try look().isEmpty)
    #expect(try self.rollout()?.isPaused == true)
    // After it was resumed, it is checked at twice the sessions.
    try store.distribution.setRollout(
      Rollout(percent: 25), of: Self.new, app: "Tern", .resumed, "", by: "ann")
    #expect(try look().map(\.isPaused) == [false])
    #expect(try self.rollout()?.look?.number == 2)
    #expect(try look().isEmpty)
  }

  @Test("A release that crashes equally often continues")
  func goesOn() throws {
    try rollOut()
    try sessions(Self.former, 100, crashed: 5)
    try sessions(Self.new, 100, crashed: 7)
    #expect(try look().map(\.isPaused) == [false])
    #expect(try rollout()?.look?.number == 1)
  }

  @Test("Crashes of one or two installations pause nothing")
  func fewInstalls() throws {
    try rollOut()
    try sessions(Self.former, 100, crashed: 0)
    try sessions(Self.new, 100, crashed: 50, ofInstalls: 2)
    #expect(try look().map(\.isPaused) == [false])
  }

  @Test(
    "The former release is the last before it with enough sessions; without one nothing is tested")
  func former() throws {
    try rollOut()
    try sessions(Self.new, 100, crashed: 20)
    #expect(try look().isEmpty)
    try sessions(Self.former, 99, crashed: 0)
    #expect(try look().isEmpty)
    try sessions(Release("1.5 (600)"), 100, crashed: 0)
    #expect(try look().isEmpty)
    try sessions(Release("1.0 (1)"), 100, crashed: 0)
    #expect(try look().first?.look?.formerRelease == "1.0 (1)")
  }

  @Test("Sessions from before the roll-out, and apps without sessions, are not evidence")
  func window() throws {
    try sessions(Self.former, 100, crashed: 0)
    try sessions(Self.new, 100, crashed: 20)
    #expect(try look().isEmpty)
    try rollOut()
    let later = Timestamp(seconds: CrashStore.now.seconds + 40 * 86_400)
    #expect(try store.distribution.lookAtRollouts(now: later).isEmpty)
    // More crashes than sessions: the app does not report its sessions.
    let other = try StoreFixture()
    try other.store.releases.add([Self.new], to: "Tern")
    try other.store.distribution.setRollout(
      Rollout(percent: 5), of: Self.new, app: "Tern", .rolledOut, "", by: "ann")
    try other.file("a", (0..<5).map { _ in StoreFixture.report("k", version: "1.4.2") })
    #expect(try other.store.distribution.lookAtRollouts(now: CrashStore.now).isEmpty)
  }
}
