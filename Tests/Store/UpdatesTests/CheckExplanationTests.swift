import Identifiers
import TestSupport
import Testing

@testable import Updates

@Suite("The explanation of a check for an update")
struct CheckExplanationTests {
  private static let groups = [
    DistributionGroup(id: "g1", app: "Tern", name: "Everyone", isPublic: true),
    DistributionGroup(id: "g2", app: "Tern", name: "Beta", isPublic: false),
  ]
  private static let testers = [
    Tester(id: "t1", email: "ada@example.org", groups: ["g2"], hasAccepted: true),
    Tester(id: "t2", email: "bob@example.org", groups: ["g2"], hasAccepted: false),
  ]

  private func artefact(
    _ number: Int, _ version: String, build: String = "1", kind: ArtefactKind = .ipa,
    to groups: [String] = ["g1"], minimumOS: String? = nil
  ) -> Artefact {
    var package = AppPackage(kind)
    package.hashes = ["hash-\(number)"]
    package.minimumOS = minimumOS
    var artefact = Artefact(
      number: number, app: "Tern", release: Release(version: version, build: build),
      package: package, fileName: "tern.\(kind.rawValue)", size: 1, digest: "", md5: "",
      uploaded: Timestamp(seconds: 0))
    artefact.destinations = groups.map { Artefact.Destination(.group, id: $0, isMandatory: false) }
    return artefact
  }

  private func explain(
    _ files: [Artefact], rollouts: [Release: Rollout] = [:],
    audience: AppUpdates.Audience = .anyone, platform: ArtefactPlatform = .iOS,
    installed: Release = Release(version: ""), system: String? = nil, installation: String? = nil
  ) -> CheckExplanation {
    var updates = AppUpdates(
      app: "Tern", artefacts: files.filter(\.isEnabled), groups: Self.groups,
      testers: Self.testers, salt: "Tern")
    updates.rollouts = rollouts
    return updates.explanation(
      for: SDKClient(audience: audience, platforms: [platform], installation: installation),
      on: platform, installed: installed, system: system, files: files)
  }

  @Test("Every file has the reason why it is not offered")
  func verdicts() {
    var disabled = artefact(9, "2.0")
    disabled.isEnabled = false
    let files = [
      disabled, artefact(8, "1.9", kind: .apk), artefact(7, "1.8", to: []),
      artefact(6, "1.7", to: ["g2"]), artefact(5, "1.6"), artefact(4, "1.5"),
      artefact(3, "1.4"), artefact(2, "1.3"),
    ]
    let explanation = explain(
      files,
      rollouts: [
        Release(version: "1.6", build: "1"): Rollout(percent: 50, pause: "crashes"),
        Release(version: "1.5", build: "1"): Rollout(percent: 0),
      ])
    #expect(
      explanation.files.map(\.verdict) == [
        .disabled, .platform, .unpublished, .recipients, .paused, .rollout, .offered, .earlier,
      ])
    #expect(explanation.files[3].reason == "published to others: Beta (private)")
    #expect(explanation.files[4].reason == "its roll-out is paused: crashes")
    #expect(explanation.offered == 3)
    #expect(explanation.reason == "The client offers 1.4 (1) to its user.")
  }

  @Test("Android's builds have to be numbers, and a bundle is a last resort")
  func android() {
    let both = explain(
      [artefact(3, "3.0", kind: .aab), artefact(2, "2.0", build: "x", kind: .apk)]
        + [artefact(1, "1.0", kind: .apk)], platform: .android)
    #expect(both.files.map(\.verdict) == [.bundle, .unreadable, .offered])
    let alone = explain([artefact(3, "3.0", kind: .aab)], platform: .android)
    #expect(alone.files.map(\.verdict) == [.offered])
  }

  @Test("The SDK's own rules come last")
  func results() {
    let files = [artefact(2, "1.5.0", build: "10", minimumOS: "15.0")]
    func result(_ version: String, _ system: String) -> CheckExplanation.Result {
      explain(files, installed: Release(version: version, build: "9"), system: system).result
    }
    #expect(result("1.4.0", "15.1") == .update)
    #expect(result("1.4.0", "13.2") == .system)
    #expect(result("1.5.0", "15.1") == .update, "the build is higher")
    #expect(result("1.5.1", "15.1") == .notNewer)
    #expect(explain(files, audience: .tester("t1")).result == .none, "of a public group")
    #expect(explain([]).reason == "No release is offered to this client.")
  }

  @Test("The file that is called offered is the one that a check gets", arguments: 0..<200)
  func same(_ seed: Int) {
    var source = SplitMix(seed: UInt64(seed))
    let files = (1...Int.random(in: 1...8, using: &source)).reversed().map { number -> Artefact in
      var file = artefact(
        number, "1.\(Int.random(in: 0...4, using: &source))",
        build: ["1", "2", "x"].randomElement(using: &source)!,
        kind: [.ipa, .apk, .aab, .zip].randomElement(using: &source)!,
        to: [[], ["g1"], ["g2"], ["g1", "g2"]].randomElement(using: &source)!)
      file.isEnabled = Int.random(in: 0..<5, using: &source) > 0
      return file
    }
    var updates = AppUpdates(
      app: "Tern", artefacts: files.filter(\.isEnabled), groups: Self.groups,
      testers: Self.testers, salt: "Tern")
    for file in files where Bool.random(using: &source) {
      updates.rollouts[file.release] = Rollout(
        percent: Int.random(in: 0...100, using: &source),
        pause: Int.random(in: 0..<4, using: &source) == 0 ? "why" : nil)
    }
    for audience in [AppUpdates.Audience.anyone, .tester("t1"), .tester("t2")] {
      for platform in [ArtefactPlatform.iOS, .android] {
        let client = SDKClient(
          audience: audience, platforms: [platform],
          installation: ["a", nil].randomElement(using: &source)!,
          hash: ["hash-1", "hash-3", nil].randomElement(using: &source)!)
        let explanation = updates.explanation(
          for: client, on: platform, installed: Release(version: "1.0"), system: nil, files: files)
        let newest = updates.newest(for: client)?.artefact.number
        #expect(explanation.offered == newest)
        let offered = explanation.files.firstIndex { $0.verdict == .offered }
        #expect(offered.map { explanation.files[$0].number } == newest)
        // A file that was added later has a reason of its own.
        let later = explanation.files[..<(offered ?? explanation.files.endIndex)]
        #expect(later.allSatisfy { $0.verdict != .earlier })
      }
    }
  }

  @Test("Versions have the order of the SDK", arguments: 0..<50)
  func order(_ seed: Int) {
    var source = SplitMix(seed: UInt64(seed))
    let parts = ["0", "1", "2", "10", "x", "*", "01", "a", "99999999999999999999"]
    let tails = ["", "-beta", "-beta.2", "-beta.11", "-1", "+7", "-rc+7", "-"]
    func version() -> String {
      var text = ["", "v"].randomElement(using: &source)!
      text += (0..<Int.random(in: 1...4, using: &source))
        .map { _ in parts.randomElement(using: &source)! }.joined(separator: ".")
      return text + tails.randomElement(using: &source)!
    }
    for _ in 0..<200 {
      let (left, right) = (version(), version())
      let (one, other) = (ComparedVersion(left), ComparedVersion(right))
      #expect(AppleVersion.isComparable(left) == (one != nil), "\(left)")
      guard let one, let other else { continue }
      #expect(
        AppleVersion.compare(left, right).signum() == ComparedVersion.compare(one, other).signum(),
        "\(left) and \(right)")
      #expect(
        AppleVersion.compareNumbers(in: left, and: right).signum()
          == NumericText.compare(left, right).signum(), "\(left) and \(right)")
    }
  }
}
