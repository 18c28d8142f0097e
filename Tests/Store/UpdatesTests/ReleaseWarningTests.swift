import Identifiers
import Testing
import Updates

@Suite("Warnings about published files")
struct ReleaseWarningTests {
  private func artefact(
    _ number: Int, _ release: String, _ kind: ArtefactKind = .ipa, to groups: [String] = ["open"],
    minimumOS: String? = nil
  ) -> Artefact {
    var package = AppPackage(kind)
    package.minimumOS = minimumOS
    var artefact = Artefact(
      number: number, app: "Tern", release: Release(release), package: package, fileName: "f",
      size: 1, digest: "", md5: "", uploaded: Timestamp(seconds: 0))
    artefact.destinations = groups.map { .init(.group, id: $0, isMandatory: false) }
    return artefact
  }

  private func updates(_ artefacts: [Artefact]) -> AppUpdates {
    AppUpdates(
      app: "Tern", artefacts: artefacts,
      groups: [
        DistributionGroup(id: "open", app: "Tern", name: "Everyone", isPublic: true),
        DistributionGroup(id: "beta", app: "Tern", name: "Beta", isPublic: false),
      ], testers: [], salt: "Tern")
  }

  /// The kinds of the warnings about the first of some files, which was added last.
  private func kinds(
    _ artefacts: Artefact..., systems: [String] = []
  ) -> [ReleaseWarning.Kind] {
    updates(artefacts).warnings(of: artefacts[0], systems: SeenSystems(systems)).map(\.kind)
  }

  @Test("A release that every client takes has none, nor has one that nobody is offered")
  func none() {
    #expect(kinds(artefact(1, "1.4.2 (512)")) == [])
    #expect(kinds(artefact(2, "1.7-beta", to: [])) == [])
    var disabled = artefact(1, "1.7-beta")
    disabled.isEnabled = false
    #expect(updates([disabled]).warnings(of: disabled) == [])
  }

  @Test("An app bundle is offered to no device")
  func bundle() {
    #expect(kinds(artefact(1, "1.4.2 (512)", .aab)) == [.appBundle])
    #expect(kinds(artefact(1, "1.4.2 (512)", .apk)) == [])
  }

  @Test("A version that SDK and lookup don't compare", arguments: ["1.7-beta", "1.6.1.1", "1.02"])
  func incomparable(version: String) {
    let isListed = version == "1.02"
    #expect(kinds(artefact(1, version)) == (isListed ? [.incomparable] : [.incomparable, .lookup]))
    #expect(kinds(artefact(1, version, to: ["beta"])) == [.incomparable])
    #expect(kinds(artefact(1, version, .apk)) == [])
  }

  @Test("A release added after a later one of the same recipients")
  func lower() {
    let hotfix = artefact(3, "1.4.4 (3)")
    let all = updates([hotfix, artefact(2, "2.0.0 (2)"), artefact(1, "2.1.0 (1)", to: ["beta"])])
    let warnings = all.warnings(of: hotfix)
    #expect(warnings.map(\.kind) == [.lower] && warnings[0].number == 3)
    #expect(warnings[0].text.contains("2.0.0 (2)") && warnings[0].text.hasPrefix("1.4.4 (3): "))
    #expect(kinds(hotfix, artefact(2, "2.0.0 (2)", to: ["beta"])) == [])
    #expect(kinds(hotfix, artefact(2, "2.0.0 (2)", .apk)) == [])
    #expect(kinds(hotfix, artefact(2, "1.4.4 (2)")) == [])
    #expect(
      kinds(artefact(3, "1.4.4 (3)", .dmg), artefact(2, "2.0.0 (2)", .dmg)) == [],
      "Sparkle takes the highest")
    var ordered = updates([hotfix, artefact(2, "2.0.0 (2)")])
    ordered.order = ReleaseOrder(["2.0.0 (2)", "1.4.4 (3)"].map { Release($0) })
    #expect(ordered.warnings(of: hotfix) == [], "people say that it comes later")
  }

  @Test(
    "A minimum system above those of all reports",
    arguments: [
      ("18.0", ArtefactKind.ipa, ["iOS 17.2.1", "iOS 9.3"], true),
      ("17.2", .ipa, ["iOS 17.2.1"], false), ("17.10", .ipa, ["iOS 17.9"], true),
      ("18.0", .ipa, ["Android 13"], false), ("18.0", .ipa, [], false),
      ("18.0", .ipa, ["iOS", "iOS ", "", "iOS x"], false), ("34", .apk, ["Android 13"], true),
      ("33", .apk, ["Android 13"], false), ("33", .apk, ["Android 12", "Android 9"], true),
      ("27", .apk, ["Android 8.1.0"], false), ("27", .apk, ["Android 8.0.0"], true),
      ("x", .apk, ["Android 8"], false), ("99999999999999999999", .apk, ["Android 8"], false),
      ("34", .apk, ["Android 99999999999999999999"], false), ("21", .apk, ["Android 3"], false),
    ])
  func system(minimum: String, kind: ArtefactKind, systems: [String], isWarned: Bool) {
    let found = kinds(artefact(1, "1.0.0 (1)", kind, minimumOS: minimum), systems: systems)
    #expect(found == (isWarned ? [.system] : []))
  }

  @Test(
    "Versions that App Center's SDK for iOS compares",
    arguments: [
      "1", "0", "1.4", "1.4.2", "v1.4.2", "V2", "1.x", "1.*.3", "1.4.2-beta.1", "1.4.2+7",
      "1.4.2-rc.1+x-y", "99999999999999999999.1",
    ])
  func comparable(version: String) { #expect(AppleVersion.isComparable(version)) }

  @Test(
    "Versions that it doesn't",
    arguments: [
      "", "v", "1.4-beta", "1+2", "1.02", "01", "1.2.3.4", "x", "x.1", "1.", ".1", "1..2",
      "1.2.3-", "1.2.3+", "1.2.3-a+", "1.2.3-ä", "1.2.3+a+b", "1.2.3 ", "-1", "１.2",
    ])
  func others(version: String) { #expect(!AppleVersion.isComparable(version)) }
}
