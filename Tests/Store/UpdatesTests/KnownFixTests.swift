import Identifiers
import Testing
import Updates

@Suite("Known fixes")
struct KnownFixTests {
  private static let open = DistributionGroup(
    id: "g1", app: "Tern", name: "Everyone", isPublic: true)
  private static let beta = DistributionGroup(id: "g2", app: "Tern", name: "Beta", isPublic: false)
  private static let ada = Tester(
    id: "t1", email: "ada@example.org", groups: ["g2"], hasAccepted: true)

  private static func artefact(
    _ number: Int, _ release: String, to groups: [String], kind: ArtefactKind = .ipa
  ) -> Artefact {
    var package = AppPackage(kind)
    package.hashes = ["hash of \(release)"]
    var artefact = Artefact(
      number: number, app: "Tern", release: Release(release), package: package,
      fileName: "tern.\(kind.rawValue)", size: 1, digest: "", md5: "",
      uploaded: Timestamp(seconds: 0))
    artefact.destinations = groups.map { Artefact.Destination(.group, id: $0, isMandatory: false) }
    return artefact
  }

  private static func updates(
    _ artefacts: [Artefact], fixes: [KnownFix], policy: KnownFixPolicy? = .require,
    order: [String] = []
  ) -> AppUpdates {
    var updates = AppUpdates(
      app: "Tern", artefacts: artefacts, groups: [open, beta], testers: [ada], salt: "Tern")
    updates.knownFixes = fixes
    updates.order = ReleaseOrder(order.map { Release($0) })
    updates.settings[AppUpdates.knownFixSetting] = policy?.rawValue
    for artefact in artefacts {
      for hash in artefact.package.hashes { updates.releasesByHash[hash] = artefact.release }
    }
    return updates
  }

  private static func fix(_ group: String, in release: String, seen: [String]) -> KnownFix {
    KnownFix(
      group: group, release: Release(release), first: Release(release),
      seen: Set(seen.map { Release($0) }))
  }

  private func mandatory(
    _ updates: AppUpdates, _ installed: String, as audience: AppUpdates.Audience = .anyone,
    installation: String? = "i"
  ) -> Bool? {
    updates.newest(
      for: audience, on: [.iOS], installation: installation, installed: "hash of \(installed)")?
      .isMandatory
  }

  @Test("A check of a build that crashed is answered with the fix as mandatory, by policy")
  func check() {
    let artefacts = [
      Self.artefact(3, "1.4.2 (512)", to: ["g1"]), Self.artefact(2, "1.4.1 (500)", to: ["g1"]),
      Self.artefact(1, "1.4.0 (400)", to: ["g1"]),
    ]
    let fixes = [Self.fix("TERN-12", in: "1.4.2", seen: ["1.4.1 (500)"])]
    let require = Self.updates(artefacts, fixes: fixes)
    #expect(mandatory(require, "1.4.1 (500)") == true)
    #expect(mandatory(require, "1.4.2 (512)") == false)
    #expect(mandatory(require, "1.4.0 (400)") == false)
    let offer = require.newest(
      for: .anyone, on: [.iOS], installation: nil, installed: "hash of 1.4.1 (500)")
    #expect(offer?.fix?.group == "TERN-12")
    for policy in [KnownFixPolicy.suggest, nil] {
      let suggest = Self.updates(artefacts, fixes: fixes, policy: policy)
      #expect(mandatory(suggest, "1.4.1 (500)") == false)
      #expect(
        suggest.newest(
          for: .anyone, on: [.iOS], installation: nil, installed: "hash of 1.4.1 (500)")?.fix
          != nil)
    }
    let off = Self.updates(artefacts, fixes: fixes, policy: .off)
    #expect(
      off.newest(for: .anyone, on: [.iOS], installation: nil, installed: "hash of 1.4.1 (500)")?
        .fix == nil)
  }

  @Test("A build with a known hash whose file is no longer offered gets the fix, too")
  func disabled() {
    var updates = Self.updates(
      [Self.artefact(3, "1.4.2 (512)", to: ["g1"])],
      fixes: [Self.fix("TERN-12", in: "1.4.2", seen: ["1.4.1 (500)"])])
    #expect(mandatory(updates, "1.4.1 (500)") == false)
    updates.releasesByHash["hash of 1.4.1 (500)"] = Release("1.4.1 (500)")
    #expect(mandatory(updates, "1.4.1 (500)") == true)
  }

  @Test("The fix in a single build is in that build and in later ones")
  func builds() {
    let fix = Self.fix("TERN-1", in: "1.4.2 (512)", seen: ["1.4.2 (511)", "1.4.1"])
    let order = ReleaseOrder()
    #expect(!fix.isFixed(in: Release("1.4.2 (511)"), order: order))
    #expect(fix.isFixed(in: Release("1.4.2 (512)"), order: order))
    #expect(fix.isFixed(in: Release("1.4.3"), order: order))
    #expect(!fix.isFixed(in: Release("1.4.2"), order: order))
    #expect(!fix.isFixed(in: Release(""), order: order))
    #expect(fix.isNeeded(by: Release("1.4.2 (511)"), order: order))
    // The report named no build.
    #expect(fix.isNeeded(by: Release("1.4.1 (7)"), order: order))
    #expect(!fix.isNeeded(by: Release("1.4.2"), order: order))
    #expect(!fix.isNeeded(by: Release(""), order: order))
  }

  @Test(
    "A document of a version is for everybody who has it, and names no fix that some of them have")
  func document() {
    var updates = Self.updates(
      [Self.artefact(3, "1.4.2 (512)", to: ["g1"])],
      fixes: [Self.fix("TERN-12", in: "1.4.2 (512)", seen: ["1.4.1 (500)", "1.4.2 (511)"])])
    #expect(updates.fix(for: Release("1.4.1"), on: [.iOS])?.fix.group == "TERN-12")
    #expect(updates.fix(for: Release("1.4.1 (500)"), on: [.iOS]) != nil)
    #expect(updates.fix(for: Release("1.4.1 (501)"), on: [.iOS]) == nil)
    #expect(updates.fix(for: Release("1.4.2 (511)"), on: [.iOS]) != nil)
    #expect(updates.fix(for: Release("1.4.2"), on: [.iOS]) == nil)
    #expect(updates.fix(for: Release("1.4.1"), on: [.android]) == nil)
    updates.rollouts[Release("1.4.2 (512)")] = Rollout(percent: 99)
    #expect(updates.fix(for: Release("1.4.1"), on: [.iOS]) == nil)
  }

  /// Numbers that are the same on each run (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  @Test(
    "Whatever happened: never to a build that has the fix, never a downgrade, never outside the groups, never against a roll-out",
    arguments: [UInt64(1), 2, 3, 4])
  func property(seed: UInt64) {
    var numbers = Numbers(state: seed)
    let names = ["1.0 (1)", "1.1 (2)", "1.1 (3)", "1.2 (4)", "1.10 (5)", "2.0-beta (6)", "2.0 (7)"]
    var (answers, mandatoryChecks) = (0, 0)
    for _ in 0..<1_500 {
      // Uploaded in any order, some twice, to any groups.
      let artefacts = (0..<Int.random(in: 1...6, using: &numbers)).map { number in
        Self.artefact(
          10 - number, names.randomElement(using: &numbers)!,
          to: [["g1"], ["g2"], ["g1", "g2"], []].randomElement(using: &numbers)!,
          kind: Bool.random(using: &numbers) ? .ipa : .apk)
      }
      let fixes = (1...3).map { number in
        let isVersion = Bool.random(using: &numbers)
        let release = Release(names.randomElement(using: &numbers)!)
        return Self.fix(
          "TERN-\(number)", in: isVersion ? release.version : release.name,
          seen: names.filter { _ in Bool.random(using: &numbers) })
      }
      var updates = Self.updates(
        artefacts, fixes: fixes, policy: KnownFixPolicy.allCases.randomElement(using: &numbers),
        order: Bool.random(using: &numbers) ? names.shuffled(using: &numbers) : [])
      for name in names {
        updates.releasesByHash["hash of \(name)"] = Release(name)
        guard Int.random(in: 0..<3, using: &numbers) == 0 else { continue }
        updates.rollouts[Release(name)] = Rollout(
          percent: [0, 10, 50, 100].randomElement(using: &numbers)!,
          pause: Bool.random(using: &numbers) ? "worse" : nil)
      }
      let order = updates.order
      let installed = Release(names.randomElement(using: &numbers)!)
      let isTester = Bool.random(using: &numbers)
      let groups: Set<String> = isTester ? ["g2"] : ["g1"]
      let installation = Bool.random(using: &numbers) ? "install \(seed)" : nil
      let group = "TERN-\(Int.random(in: 1...4, using: &numbers))"

      func check(_ fix: KnownFix, _ artefact: Artefact) {
        #expect(updates.knownFixPolicy != .off)
        // Only the order determines which is later.
        #expect(order.precedes(installed, artefact.release))
        let isOfFix = installed == fix.release || installed.isBuild(of: fix.release)
        #expect(!isOfFix && !order.precedes(fix.release, installed))
        let offeredIsOfFix = artefact.release.isBuild(of: fix.release)
        #expect(offeredIsOfFix || order.precedes(fix.release, artefact.release))
        #expect(artefact.destinations.contains { groups.contains($0.id) })
        #expect(artefact.platform == .iOS)
        if let rollout = updates.rollouts[artefact.release] {
          #expect(rollout.pause == nil && rollout.percent > 0)
          #expect(rollout.percent == 100 || installation != nil)
          #expect(updates.isRolledOut(artefact.release, to: installation))
        }
      }
      let audience: AppUpdates.Audience = isTester ? .tester("t1") : .anyone
      if let found = updates.fix(
        ofGroup: group, for: installed, audience: audience, on: [.iOS], installation: installation)
      {
        answers += 1
        #expect(found.fix.group == group)
        check(found.fix, found.offer.artefact)
      }
      if let offer = updates.newest(
        for: audience, on: [.iOS], installation: installation,
        installed: "hash of \(installed.name)")
      {
        if let fix = offer.fix {
          #expect(fix.seen.contains(installed))
          check(fix, offer.artefact)
        }
        // Nothing else is mandatory here.
        #expect(offer.isMandatory == (offer.fix != nil && updates.knownFixPolicy == .require))
        if offer.isMandatory { mandatoryChecks += 1 }
      }
    }
    #expect(answers > 20 && mandatoryChecks > 5, "\(answers), \(mandatoryChecks)")
  }
}
