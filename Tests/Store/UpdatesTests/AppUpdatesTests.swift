import Identifiers
import Testing
import Updates

@Suite("The release that a client is offered")
struct AppUpdatesTests {
  private static let open = DistributionGroup(
    id: "g1", app: "Tern", name: "Everyone", isPublic: true)
  private static let beta = DistributionGroup(id: "g2", app: "Tern", name: "Beta", isPublic: false)
  private static let ada = Tester(
    id: "t1", email: "ada@example.org", groups: ["g2"], hasAccepted: true)
  private static let bob = Tester(
    id: "t2", email: "bob@example.org", groups: ["g2"], hasAccepted: false)

  private func artefact(
    _ number: Int, _ version: String, to groups: [String], mandatory: Set<String> = [],
    kind: ArtefactKind = .ipa
  ) -> Artefact {
    var package = AppPackage(kind)
    package.hashes = ["hash-\(number)"]
    var artefact = Artefact(
      number: number, app: "Tern", release: Release(version: version), package: package,
      fileName: "tern.\(kind.rawValue)", size: 1, digest: "", md5: "",
      uploaded: Timestamp(seconds: 0))
    artefact.destinations = groups.map {
      Artefact.Destination(.group, id: $0, isMandatory: mandatory.contains($0))
    }
    return artefact
  }

  private func updates(_ artefacts: [Artefact]) -> AppUpdates {
    AppUpdates(
      app: "Tern", artefacts: artefacts, groups: [Self.open, Self.beta],
      testers: [Self.ada, Self.bob], salt: "Tern")
  }

  @Test("All users get releases of public groups, testers those of private ones")
  func visibility() {
    let updates = updates([
      artefact(3, "1.2", to: ["g2"]), artefact(2, "1.1", to: ["g1"]), artefact(1, "1.0", to: []),
    ])
    func newest(_ audience: AppUpdates.Audience) -> Int? {
      updates.newest(for: audience, on: [.iOS], installation: nil)?.artefact.number
    }
    #expect(newest(.anyone) == 2)
    #expect(newest(.tester("t1")) == 3)
    #expect(newest(.tester("t2")) == nil, "who has not accepted an invitation gets nothing")
    #expect(newest(.tester("t3")) == nil)
  }

  @Test("The newest is the last in the order of releases, for App Center's SDKs the one added last")
  func newest() {
    var updates = updates([
      artefact(3, "0.9", to: ["g1"], kind: .apk), artefact(2, "0.8", to: ["g1"]),
      artefact(1, "1.0", to: ["g1"]),
    ])
    func numbers(_ precedence: AppUpdates.Precedence) -> [Int?] {
      [[ArtefactPlatform.iOS], [.android], [.windows]].map { platforms in
        updates.newest(for: .anyone, on: Set(platforms), installation: nil, by: precedence)?
          .artefact.number
      }
    }
    #expect(numbers(.addition) == [2, 3, nil])
    #expect(numbers(.release) == [1, 3, nil])
    updates.order = ReleaseOrder(["1.0", "0.8"].map { Release($0) })
    #expect(numbers(.release) == [2, 3, nil], "the order that people set counts")
    // Two files of one release.
    updates.artefacts.insert(artefact(4, "0.8", to: ["g1"]), at: 0)
    #expect(numbers(.release) == [4, 3, nil])
  }

  @Test("Of several groups the mandatory one counts")
  func mandatory() {
    let both = DistributionGroup(id: "g0", app: "Tern", name: "Another", isPublic: true)
    var updates = updates([artefact(1, "1.0", to: ["g0", "g1"], mandatory: ["g1"])])
    updates.groups["g0"] = both
    let offer = updates.newest(for: .anyone, on: [.iOS], installation: nil)
    #expect(offer?.destination.id == "g1")
    #expect(offer?.destination.isMandatory == true)
  }

  @Test("An optional release after a mandatory one is mandatory for who skipped that")
  func skipped() {
    var updates = updates([
      artefact(4, "1.3", to: ["g1"]), artefact(3, "1.2", to: ["g1"], mandatory: ["g1"]),
      artefact(2, "1.1", to: ["g1"]), artefact(1, "1.0", to: ["g1"]),
    ])
    for artefact in updates.artefacts {
      updates.releasesByHash["hash-\(artefact.number)"] = artefact.release
    }
    func isMandatory(_ installed: Int, by precedence: AppUpdates.Precedence = .addition) -> Bool? {
      updates.newest(
        for: .anyone, on: [.iOS], installation: "i", installed: "hash-\(installed)",
        by: precedence)?.isMandatory
    }
    #expect([1, 2, 3, 4].map { isMandatory($0) } == [true, true, false, false])
    #expect(isMandatory(1, by: .release) == true)
    #expect(isMandatory(9) == false, "the installed build is unknown")
    updates.rollouts[Release("1.2")] = Rollout(percent: 100, pause: "crashes")
    #expect(isMandatory(1) == false, "nobody is offered the mandatory one")
    updates.rollouts = [:]
    updates.artefacts[1].destinations = [.init(.group, id: "g2", isMandatory: true)]
    #expect(isMandatory(1) == false, "it was for others")
  }

  @Test("Files are sorted by the order of releases, the last file of a release first")
  func sorted() {
    var updates = updates([
      artefact(4, "1.4", to: []), artefact(3, "2.0", to: []), artefact(2, "1.10", to: []),
      artefact(1, "2.0", to: []),
    ])
    #expect(updates.artefactsByRelease.map(\.number) == [3, 1, 2, 4])
    updates.order = ReleaseOrder(["2.0", "1.4"].map { Release($0) })
    #expect(updates.artefactsByRelease.map(\.number).suffix(2) == [3, 1])
  }

  @Test("A roll-out grows and never withdraws a release from installations that have it")
  func rollout() {
    var updates = updates([artefact(2, "1.1", to: ["g1"]), artefact(1, "1.0", to: ["g1"])])
    let release = Release(version: "1.1")
    func share(_ percent: Int) -> Set<Int> {
      updates.rollouts[release] = Rollout(percent: percent)
      return Set(
        (0..<2_000).filter {
          updates.newest(for: .anyone, on: [.iOS], installation: "install \($0)")?.artefact.number
            == 2
        })
    }
    let (none, tenth, half, all) = (share(0), share(10), share(50), share(100))
    #expect(none.isEmpty)
    #expect((150...250).contains(tenth.count), "\(tenth.count) of 2,000")
    #expect((900...1_100).contains(half.count), "\(half.count) of 2,000")
    #expect(all.count == 2_000)
    #expect(tenth.isSubset(of: half))

    updates.rollouts[release] = Rollout(percent: 50)
    let unnamed = updates.newest(for: .anyone, on: [.iOS], installation: nil)
    #expect(unnamed?.artefact.number == 1)
    updates.rollouts[release] = Rollout(percent: 100, pause: "crashes")
    let paused = updates.newest(for: .anyone, on: [.iOS], installation: "install 1")
    #expect(paused?.artefact.number == 1)
    let has = updates.newest(
      for: .anyone, on: [.iOS], installation: "install 1", installed: "hash-2")
    #expect(has?.artefact.number == 2)
  }

  @Test("The position in a roll-out is the first four bytes of a SHA-256, as a share of 10,000")
  func place() {
    // Python: int.from_bytes(sha256(b"...").digest()[:4], "big") * 10_000 >> 32
    let places = ["", "Tern", "Tern\n1.1\n\ninstall 1"].map(RolloutPosition.position)
    #expect(places == [8894, 9063, 1677])
  }

  @Test(
    "The end of a file's name says what it is",
    arguments: [
      ("Tern.IPA", ArtefactKind.ipa), ("tern.app.zip", .appZip), ("tern.zip", .zip),
      ("a.msixbundle", .msixbundle),
    ])
  func kind(name: String, kind: ArtefactKind) {
    #expect(ArtefactKind(fileName: name) == kind)
    #expect(ArtefactKind(fileName: name + ".txt") == nil)
  }
}
