import Identifiers
import Testing
import Updates

@Suite("Listings of the iTunes lookup")
struct StoreListingTests {
  @Test(
    "Versions that clients compare rightly get three parts",
    arguments: [
      ("1", "1.0.0"), ("1.4", "1.4.0"), ("1.4.2", "1.4.2"), ("0.0.1", "0.0.1"),
      ("999.999.999", "999.999.999"), ("1.02.3", "1.2.3"),
    ])
  func versions(version: String, shown: String) {
    #expect(StoreVersion(version)?.description == shown)
    #expect(StoreVersion.problem(of: Release(version)) == nil)
  }

  @Test(
    "Versions that clients would compare wrongly are not listed",
    arguments: [
      "", "1.4.2.1", "1.4-beta", "v1.4", "1000", "1.1000", "1.4.1000", "1..2", "1.", ".1", "-1",
      "+1",
      "1. 2", "٣.1", "9223372036854775808", "1.99999999999999999999",
    ])
  func others(version: String) {
    #expect(StoreVersion(version) == nil)
    #expect(StoreVersion.problem(of: Release(version: version, build: "7")) != nil)
  }

  private func updates(
    _ artefacts: [(version: String, kind: ArtefactKind, isPublic: Bool)],
    settings: [String: String] = [:], salt: String = "Tern"
  ) -> AppUpdates {
    let all = artefacts.enumerated().map { index, one in
      var package = AppPackage(one.kind)
      package.identifier = "com.example.\(one.kind == .ipa ? "Tern" : "Other")"
      var artefact = Artefact(
        number: artefacts.count - index, app: "Tern", release: Release(one.version),
        package: package, fileName: "f", size: 1, digest: "", md5: "",
        uploaded: Timestamp(seconds: Int64(artefacts.count - index) * 100))
      artefact.destinations = [
        .init(.group, id: one.isPublic ? "open" : "beta", isMandatory: false)
      ]
      return artefact
    }
    var updates = AppUpdates(
      app: "Tern", artefacts: all,
      groups: [
        DistributionGroup(id: "open", app: "Tern", name: "Everyone", isPublic: true),
        DistributionGroup(id: "beta", app: "Tern", name: "Beta", isPublic: false),
      ], testers: [], salt: salt)
    updates.settings = settings
    return updates
  }

  @Test("The newest public release for iOS that clients can compare is listed")
  func newest() {
    let all = updates([
      ("3.0", .dmg, true), ("2.1", .ipa, false), ("2.0.0.1", .ipa, true), ("1.9", .ipa, true),
      ("2.2", .ipa, true), ("0.9", .apk, true),
    ])
    let listing = StoreListing(all)
    #expect(listing?.version.description == "2.2.0", "1.9 was added after it")
    #expect(listing?.firstReleased == Timestamp(seconds: 200))
    #expect(StoreListing(all, identifier: "COM.example.tern")?.version.description == "2.2.0")
    #expect(StoreListing(all, identifier: "com.example.other")?.version.description == "3.0.0")
    #expect(StoreListing(all, identifier: "com.example.x") == nil)
    #expect(StoreListing(updates([("1.0", .ipa, false)])) == nil)
    #expect(StoreListing(updates([("1.0", .apk, true)])) == nil)
    #expect(StoreListing(updates([("1.0", .dmg, true)]))?.version.description == "1.0.0")
    var partly = updates([("2.0", .ipa, true), ("1.0", .ipa, true)])
    partly.rollouts[Release("2.0")] = Rollout(percent: 50)
    #expect(StoreListing(partly)?.version.description == "1.0.0")
  }

  @Test("The number is the one that was set, or otherwise a stable one")
  func numbers() {
    let plain = StoreListing.trackID(of: updates([]))
    #expect((1_000_000_000..<2_000_000_000).contains(plain))
    #expect(plain == StoreListing.trackID(of: updates([("1.0", .ipa, true)])))
    #expect(plain != StoreListing.trackID(of: updates([], salt: "Heron")))
    #expect(StoreListing.trackID(of: updates([], settings: ["store_id": "42"])) == 42)
    #expect(StoreListing.trackID(of: updates([], settings: ["store_id": "x"])) == plain)
    let listing = StoreListing(
      updates([("1.0", .ipa, true)], settings: ["store_url": "https://a.b"]), address: "https://c")
    #expect(listing?.address == "https://a.b")
  }

  @Test("Settings are validated")
  func settings() {
    for value in ["1", "123456789", "9007199254740991"] {
      #expect(UpdateSetting.storeID.problem(of: value) == nil, "\(value)")
    }
    for value in [
      "", "0", "-1", "+1", "01", "9007199254740992", "99999999999999999999", "1.0", "id1",
    ] {
      #expect(UpdateSetting.storeID.problem(of: value) != nil, "\(value)")
    }
    #expect(UpdateSetting.storeURL.problem(of: "https://apps.apple.com/app/id1") == nil)
    #expect(UpdateSetting.storeURL.problem(of: "javascript:alert(1)") != nil)
  }
}
