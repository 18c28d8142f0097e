import Identifiers
import Testing

@Suite struct VersionOrderTests {
  /// Versions in their order.
  private static let versions = [
    "", "(3)", "r1199", "r1200", "0.9", "1.0.dev3", "1.0-beta", "1.0-beta2", "1.0b10", "1.0 rc 1",
    "1.0-rc2", "1.0", "1.0 (7)", "1.0 (12)", "1.0+17", "1.0-1", "1.0-12", "1.0k", "1.0.1", "1.2",
    "1.10", "2.0", "10", "2026-09-30", "2026-10-01", "18446744073709551617",
  ]

  @Test("Versions are ordered, and no pair both ways")
  func order() {
    for (left, earlier) in Self.versions.enumerated() {
      for (right, later) in Self.versions.enumerated() {
        #expect(VersionOrder.precedes(earlier, later) == (left < right), "\(earlier), \(later)")
      }
    }
    #expect(!VersionOrder.precedes("1.01", "1.1") && !VersionOrder.precedes("1.1", "1.01"))
  }

  @Test(
    "Spellings of one version come in no order",
    arguments: [
      ["1", "1.0", "1.0.0", "v1.0", "V1", " 1.0 ", "v 1.0"], ["1.5", "1.05", "v.1.5.0.0"],
      ["1.5.0-rc.1", "1.5.0rc1", "1.5 RC 1", "1.5.0c1", "1.5.0.rc1", "1.5-rc1", "1.5.0~rc1"],
      ["1.5.0-beta.2", "1.5.0b2", "1.5.0 beta 2", "1.5.0_BETA2"], ["1.0 (7)", "1.0.0 (7)"],
    ])
  func spellings(versions: [String]) {
    for one in versions {
      for other in versions {
        #expect(VersionOrder.areSame(one, other), "\(one), \(other)")
        #expect(Release(version: one).isBuild(of: Release(version: other)))
      }
    }
  }

  @Test(
    "What comes before a release",
    arguments: [
      "1.5.0-beta", "1.5.0rc1", "1.5.0b3", "1.5.0a1", "1.5.0 beta 2", "1.5.0 Beta", "1.5.0.dev4",
      "1.5.0-SNAPSHOT", "1.5.0-dev", "1.5.0~git20261127", "1.5.0-alpha.9", "1.5.0 preview 3",
      "1.5.0.beta2", "1.5.0-M2", "v1.5.0-RC1",
    ])
  func before(version: String) {
    for release in ["1.5", "1.5.0", "v1.5.0"] {
      #expect(VersionOrder.precedes(version, release))
      #expect(!VersionOrder.precedes(release, version))
    }
    #expect(VersionOrder.precedes("1.4.9", version))
  }

  @Test("Versions after a release", arguments: ["1.5.0k", "1.5.0-1", "1.5+17", "1.5.0.post1"])
  func after(version: String) {
    #expect(VersionOrder.precedes("1.5.0", version) && VersionOrder.precedes(version, "1.5.1"))
  }

  @Test("Commit hashes are distinguished from numbers")
  func hashes() {
    for hash in ["0abc12345", "f00dcafe1", "ga1b2c3d", String(repeating: "a1", count: 20)] {
      #expect(VersionOrder.isHash(hash))
      #expect(VersionOrder.areUnordered(hash, "deadbeef"))
      #expect(VersionOrder.areUnordered("1.5-\(hash)", "1.5.0-0c0ffee"))
      #expect(!VersionOrder.areUnordered("1.4-\(hash)", "1.5.0-0c0ffee"))
    }
    for other in ["1.5.0", "20261127", "abcdef", "r1234567", "release", "1.5.0-beta"] {
      #expect(!VersionOrder.isHash(other))
      #expect(!VersionOrder.areUnordered(other, "0c0ffee"))
    }
  }

  @Test("Long and odd versions are compared in bounded time")
  func odd() {
    let long = String(repeating: "1.", count: 20_000)
    #expect(VersionOrder.compare(long, long + "1") < 0)
    for version in ["v", "v.", ".", "-", "1.", "1..0", "\u{0}", "é1", "1.0\u{301}"] {
      #expect(VersionOrder.compare(version, version) == 0)
      _ = VersionOrder.compare(version, "1.0")
    }
  }
}
