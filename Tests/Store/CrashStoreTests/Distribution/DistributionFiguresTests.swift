import Bytes
import Database
import Identifiers
import TestSupport
import Testing
import Updates

@testable import CrashStore

@Suite("Downloads and installations of releases")
struct DistributionFiguresTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private let group: DistributionGroup
  private static let first = Timestamp(day: 20_000)
  private static let second = Timestamp(seconds: first.seconds + 86_400)

  init() throws {
    fixture = try StoreFixture()
    let store = fixture.store
    for build in ["7", "8"] {
      var package = AppPackage(.apk)
      (package.version, package.build) = ("1.4.1", build)
      _ = try store.distribution.add(
        ByteView("build \(build)".utf8), named: "tern.apk", package: package, to: "Tern", by: "ci")
    }
    group = try store.distribution.addGroup("Everyone", isPublic: true, to: "Tern", by: "ann")
  }

  private func count(_ number: Int, _ group: String, at time: Timestamp, by count: Int = 1) throws {
    try store.distribution.countDownloads(
      of: number, app: "Tern", group: group, by: count, at: time)
  }

  @Test("Downloads are counted by file, group and day")
  func downloads() throws {
    try count(1, group.id, at: Self.first)
    try count(1, group.id, at: Timestamp(seconds: Self.second.seconds - 1), by: 3)
    try count(1, "", at: Self.second)
    // A group that is not the app's.
    try count(1, "2ecf1b1c-52cb-4b9c-a0a4-6c0a1a06a5c3", at: Self.second)
    try count(2, group.id, at: Self.second, by: 10)
    let figures = try store.distribution.figures(ofArtefact: 1, of: "Tern")
    #expect(figures.downloads == 6 && figures.installs == 0)
    #expect(figures.groups.map(\.name) == ["Everyone", nil])
    #expect(figures.groups.map(\.downloads) == [4, 2])
    #expect(figures.groups.map(\.id) == [group.id, nil])
    #expect(figures.days.map(\.start) == [Self.first, Self.second])
    #expect(figures.totals.map(\.downloads) == [4, 2])

    let release = try store.releases.figures(
      of: Release("1.4.1"), app: "Tern", now: Timestamp(seconds: Self.second.seconds + 5))
    #expect(release.distribution.downloads == 16)
    #expect(release.distribution.totals.map(\.downloads) == [4, 12])
    let later = Timestamp(seconds: Self.second.seconds + 30 * 86_400)
    let build = try store.releases.figures(of: Release("1.4.1 (8)"), app: "Tern", now: later)
    #expect(build.distribution.downloads == 10)
    #expect(build.distribution.days.isEmpty, "they are older than the days that are listed")
  }

  @Test("Installations are counted on the day of their report, by the group that they name")
  func installs() throws {
    for (install, name) in [("a", group.id), ("b", group.id), ("b", ""), ("c", "made up")] {
      try store.distribution.countInstall(of: 1, app: "Tern", install: install, group: name)
    }
    try count(1, group.id, at: CrashStore.now)
    let figures = try store.distribution.figures(ofArtefact: 1, of: "Tern")
    #expect(figures.installs == 3 && figures.downloads == 1)
    #expect(figures.groups.map(\.installs) == [2, 1])
    #expect(figures.totals.reduce(0) { $0 + $1.installs } == 3)
    #expect(figures.days.allSatisfy { abs($0.start.seconds - CrashStore.now.seconds) < 2 * 86_400 })
    // A group that is gone is not told apart.
    try store.distribution.removeGroup("Everyone", of: "Tern", by: "ann")
    let rest = try store.distribution.figures(ofArtefact: 1, of: "Tern")
    #expect(rest.groups.map(\.installs) == [3] && rest.groups.map(\.id) == [nil])
  }

  @Test("What is not there is not counted, and counts go with their file")
  func unknown() throws {
    #expect(throws: DistributionError.noSuchArtefact("#9", app: "Tern")) {
      try count(9, "", at: Self.first)
    }
    #expect(throws: StoreError.unknownApp("Nobody", near: nil)) {
      try store.distribution.countDownloads(of: 1, app: "Nobody", group: "", at: Self.first)
    }
    try count(1, group.id, at: Self.first)
    try store.distribution.remove(1, of: "Tern", by: "ann")
    let database = try Connection(opening: store.home + "/mayday.db")
    #expect(try database.integer("SELECT count(*) FROM artefact_downloads") == 0)
  }
}
