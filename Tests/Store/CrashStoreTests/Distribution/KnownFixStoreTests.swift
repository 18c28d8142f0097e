import Bytes
import CrashModel
import Crypto
import Identifiers
import TestSupport
import Testing
import TriageModel
import Updates

@testable import CrashStore

@Suite("Known fixes of a store")
struct KnownFixStoreTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws {
    fixture = try StoreFixture()
    for (version, build) in [("1.4.1", "7"), ("1.4.2", "512")] {
      var package = AppPackage(.ipa)
      (package.version, package.build) = (version, build)
      package.hashes = ["hash of \(version)"]
      let artefact = try store.distribution.add(
        ByteView("\(version)".utf8), named: "tern.ipa", package: package, to: "Tern", by: "ci")
      #expect(artefact.release.build == build)
    }
  }

  private func fixes() throws -> [KnownFix] {
    try #require(try store.distribution.catalog().apps["Tern"]).knownFixes
  }

  private static func report(
    _ key: String, _ version: String, build: String = "7"
  ) -> CrashReport {
    var report = StoreFixture.report(key, version: version)
    report.app.build = build
    return report
  }

  /// Whether the catalogue would be reloaded.
  private func isNewer(_ change: () throws -> Void) throws -> Bool {
    let before = try store.distribution.generation()
    try change()
    return try store.distribution.generation() > before
  }

  @Test("A group resolved in a release is a fix, until it is reopened or regresses")
  func status() throws {
    try fixture.file("a", [Self.report("k1", "1.4.1"), Self.report("k2", "1.4.1")])
    #expect(try fixes().isEmpty)
    #expect(
      try isNewer {
        try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "1.4.2")), by: "ann")
      })
    #expect(
      try fixes() == [
        KnownFix(
          group: "TERN-1", release: Release(version: "1.4.2"), first: Release("1.4.2 (512)"),
          seen: [Release("1.4.1 (7)")])
      ])
    // Without a named release there is no promise.
    try store.triage.resolve(["TERN-2"], .afterNewestSeen, by: "ann")
    #expect(try fixes().map(\.group) == ["TERN-1"])
    // An older release crashes with it, too.
    #expect(try isNewer { try fixture.file("b", [Self.report("k1", "1.4.0")]) })
    #expect(try fixes().first?.seen == [Release("1.4.1 (7)"), Release("1.4.0 (7)")])
    // It regresses in the release that should fix it.
    #expect(try isNewer { try fixture.file("c", [Self.report("k1", "1.4.2", build: "512")]) })
    #expect(try store.groups.get("TERN-1").state == .regressed && fixes().isEmpty)
    try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "1.4.3")), by: "ann")
    #expect(try fixes().map(\.release.version) == ["1.4.3"])
    #expect(try isNewer { try store.triage.reopen(["TERN-1"], by: "ann") })
    #expect(try fixes().isEmpty)
    #expect(try isNewer { try store.triage.undo(["TERN-1"], by: "ann") })
    #expect(try fixes().count == 1)
  }

  @Test("Merged groups follow")
  func merged() throws {
    try fixture.file("a", [Self.report("k1", "1.4.1"), Self.report("k2", "1.4.0")])
    try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "1.4.2")), by: "ann")
    #expect(try isNewer { try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann") })
    #expect(try fixes().first?.seen == [Release("1.4.1 (7)"), Release("1.4.0 (7)")])
    #expect(try isNewer { try store.triage.unmerge(["TERN-2"], by: "ann") })
    #expect(try fixes().first?.seen == [Release("1.4.1 (7)")])
    #expect(try isNewer { try store.triage.merge(["TERN-1"], into: "TERN-2", by: "ann") })
    #expect(try fixes().isEmpty)
  }

  @Test(
    "A catalogue knows the hashes of builds that are offered no more, and the order of releases")
  func builds() throws {
    #expect(
      try isNewer {
        try store.releases.setOrder(of: "Tern", [Release("1.4.2"), Release("1.4.1")])
      })
    let updates = try #require(try store.distribution.catalog().apps["Tern"])
    #expect(updates.release(ofHash: "hash of 1.4.1") == Release("1.4.1 (7)"))
    #expect(updates.order.precedes(Release("1.4.2 (512)"), Release("1.4.1 (7)")))
    #expect(updates.knownFixPolicy == .suggest)
    try store.distribution.set(
      AppUpdates.knownFixSetting, to: "require", of: "Tern", by: "ann")
    #expect(try store.distribution.catalog().apps["Tern"]?.knownFixPolicy == .require)
  }

  @Test("Builds that were never uploaded are known by their reports, with each slice that is named")
  func reportedBuilds() throws {
    func id(_ digit: UInt8) -> DebugID { DebugID(uuid: [digit]) }
    func hash(_ digit: UInt8) -> String { BuildHash.apple(id(digit), of: Release("1.3.0 (7)")) }
    func build(_ hash: String) throws -> Release? {
      try store.distribution.catalog().apps["Tern"]?.release(ofHash: hash)
    }
    let first = StoreFixture.report("k1", waitsFor: [id(1)], version: "1.3.0")
    try fixture.file("a", [first])
    #expect(try build(hash(1)) == nil, "nothing is fixed")
    try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "1.4.2")), by: "ann")
    #expect(try build(hash(1)) == Release("1.3.0 (7)"))
    #expect(try build(hash(2)) == nil)
    // The version was seen before, the slice was not.
    let second = StoreFixture.report("k1", waitsFor: [id(2)], version: "1.3.0")
    #expect(try isNewer { try fixture.file("b", [second]) })
    #expect(try build(hash(2)) == Release("1.3.0 (7)"))
    #expect(try !isNewer { try fixture.file("c", [second]) }, "nothing is new")
    // A third slice is known by the debug file that it shares with the first.
    let bytes = ByteView("dSYM".utf8)
    let records = [1, 3].map { digit in
      DebugFileRecord(
        debugID: id(digit), codeID: nil, architecture: .arm64, kind: "debug-info", name: "Tern",
        digest: SHA256.hex(of: bytes), size: bytes.count, added: StoreFixture.start)
    }
    #expect(try isNewer { _ = try store.debugFiles.add(bytes, records: records) })
    #expect(try build(hash(3)) == Release("1.3.0 (7)"))
    let android = BuildHash.android("com.example.tern", of: Release("1.3.0 (7)"))
    #expect(try build(android) == nil, "the app has no release for Android")
    var package = AppPackage(.apk)
    (package.identifier, package.version, package.build) = ("com.example.tern", "1.4.2", "512")
    _ = try store.distribution.add(
      ByteView("apk".utf8), named: "tern.apk", package: package, to: "Tern", by: "ci")
    #expect(try build(android) == Release("1.3.0 (7)"))
  }

  @Test("Answers are counted by release, day and client, and shown with the release")
  func answers() throws {
    let now = CrashStore.now
    let release = Release("1.4.2 (512)")
    try store.distribution.countKnownFix(in: release, of: "Tern", .report, at: now)
    try store.distribution.countKnownFix(in: release, of: "Tern", .check, by: 4, at: now)
    try store.distribution.countKnownFix(in: release, of: "Tern", .check, by: 2, at: now)
    let figures = try store.releases.figures(of: release, app: "Tern", now: now)
    #expect(figures.knownFixAnswers == 7 && figures.artefacts.map(\.number) == [2])
    #expect(
      try store.releases.figures(of: Release("1.4.1"), app: "Tern", now: now).knownFixAnswers == 0)
  }
}
