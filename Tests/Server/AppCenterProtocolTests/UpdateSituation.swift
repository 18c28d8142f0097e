import CrashStore
import Identifiers
import TestSupport
import Testing
import Updates

/// The releases of an app, the build on a device, and the result of its check for updates.
struct UpdateSituation: Sendable, CustomTestStringConvertible {
  let name: String
  /// Creates the releases.
  let releases: @Sendable (DistributedApp) throws -> Void
  /// Checks once.
  let check: @Sendable (DistributedApp, UpdateTransport) -> UpdateEvent
  let expected: UpdateEvent
  /// The device of the check; `nil` for one request of no device.
  var device: Device?

  /// What an explanation of the check is told.
  struct Device: Sendable {
    let platform: ArtefactPlatform
    let release: Release
    let hash: String
    let system: String
  }

  var testDescription: String { name }

  /// An iPhone with the given build.
  static func iOS(
    _ name: String, runs version: String, _ build: String, uuid: String = DistributedApp.uuid,
    system: String = "17.2.1", _ expected: UpdateEvent,
    _ releases: @escaping @Sendable (DistributedApp) throws -> Void
  ) -> UpdateSituation {
    UpdateSituation(
      name: "iOS, " + name, releases: releases,
      check: { app, send in
        let client = app.apple(version, build, uuid: uuid, system: system)
        return client.check(at: 0, send)
      }, expected: expected,
      device: Device(
        platform: .iOS, release: Release(version: version, build: build),
        hash: DistributedApp.hash(uuid: uuid, version, build), system: system))
  }

  /// An Android device with the given build.
  static func android(
    _ name: String, runs version: String, _ code: Int, apiLevel: Int = 33, isOld: Bool = false,
    _ expected: UpdateEvent, _ releases: @escaping @Sendable (DistributedApp) throws -> Void
  ) -> UpdateSituation {
    UpdateSituation(
      name: "Android, " + name, releases: releases,
      check: { app, send in
        let client = app.android(version, code, apiLevel: apiLevel)
        client.isOld = isOld
        return client.check(at: 0, send)
      }, expected: expected,
      // Explanations are those of later SDKs, which ask for what can be installed.
      device: isOld
        ? nil
        : Device(
          platform: .android, release: Release(version: version, build: "\(code)"),
          hash: DistributedApp.hash(version, code), system: "\(apiLevel)"))
  }

  /// One request of a client, and the status or members of the response.
  static func request(
    _ name: String, _ path: @escaping @Sendable (DistributedApp) -> String, headers: [String] = [],
    _ expected: String, _ releases: @escaping @Sendable (DistributedApp) throws -> Void
  ) -> UpdateSituation {
    UpdateSituation(
      name: name, releases: releases,
      check: { app, send in
        guard let answer = send("GET", path(app), headers) else { return .ignored("no answer") }
        let id = answer.text.firstMatch(of: #/"id":\s*(\d+)/#)?.1
        let code = answer.text.firstMatch(of: #/"code":\s*"(\w+)"/#)?.1
        return .ignored("\(answer.status) \(id ?? code ?? "")")
      }, expected: .ignored(expected))
  }
}

extension UpdateSituation {
  static let all = iOS + android + requests

  static let offered1 = UpdateEvent.offered(1, isMandatory: false)
  static let offered2 = UpdateEvent.offered(2, isMandatory: false)

  private static let iOS: [UpdateSituation] = [
    .iOS("a higher version", runs: "1.3.0", "119", offered1) { try $0.ipa("1.4.0", "120") },
    .iOS("a lower version", runs: "1.4.0", "120", .noRelease) { try $0.ipa("1.3.0", "121") },
    .iOS("the same version, a higher build", runs: "1.4.0", "119", offered1) {
      try $0.ipa("1.4.0", "120")
    },
    .iOS("the same version, a lower build", runs: "1.4.0", "121", .noRelease) {
      try $0.ipa("1.4.0", "120")
    },
    .iOS("the same build", runs: "1.4.0", "120", .noRelease) { try $0.ipa("1.4.0", "120") },
    .iOS("the same file twice", runs: "1.4.0", "120", .noRelease) {
      try $0.ipa("1.4.0", "120")
      try $0.ipa("1.4.0", "120")
    },
    .iOS("the same numbers, another executable", runs: "1.4.0", "120", offered1) {
      try $0.ipa("1.4.0", "120", uuids: [DistributedApp.otherUUID])
    },
    .iOS("the second slice of a fat executable", runs: "1.4.0", "120", .noRelease) {
      try $0.ipa("1.4.0", "120", uuids: [DistributedApp.otherUUID, DistributedApp.uuid])
    },
    .iOS(
      "no slice of a fat executable", runs: "1.4.0", "120",
      uuid: "bbbbbbbb-5a59-4c5e-9a1c-6b6f4a3d2c1b", offered1
    ) { try $0.ipa("1.4.0", "120", uuids: [DistributedApp.otherUUID, DistributedApp.uuid]) },
    .iOS("1.10 after 1.9", runs: "1.9.0", "1", offered1) { try $0.ipa("1.10.0", "1") },
    .iOS("1.9 after 1.10", runs: "1.10.0", "1", .noRelease) { try $0.ipa("1.9.0", "1") },
    .iOS("1.4 and 1.4.0 are one", runs: "1.4", "1", .noRelease) {
      try $0.ipa("1.4.0", "1", uuids: [DistributedApp.uuid])
      try $0.ipa("1.4", "1")
    },
    .iOS("a release after its beta", runs: "2.0.0-beta.1", "7", offered1) {
      try $0.ipa("2.0.0", "7")
    },
    .iOS("a beta after its release", runs: "2.0.0", "7", .noRelease) {
      try $0.ipa("2.0.0-rc.1", "8")
    },
    .iOS("beta.10 after beta.2", runs: "2.0.0-beta.2", "1", offered1) {
      try $0.ipa("2.0.0-beta.10", "1")
    },
    .iOS("beta after alpha", runs: "2.0.0-alpha", "1", offered1) { try $0.ipa("2.0.0-beta", "1") },
    .iOS("more identifiers of a beta", runs: "2.0.0-beta", "1", offered1) {
      try $0.ipa("2.0.0-beta.1", "1")
    },
    .iOS("what follows a plus does not count", runs: "2.0.0+2", "2", .noRelease) {
      try $0.ipa("2.0.0+3", "1")
    },
    .iOS("v before the version", runs: "v1.4.0", "1", offered1) { try $0.ipa("V1.5.0", "1") },
    .iOS("four numbers are not a version, another build", runs: "1.2.3.4", "4", offered1) {
      try $0.ipa("1.2.3.5", "5")
    },
    .iOS("four numbers are not a version, the same build", runs: "1.2.3.4", "4", .noRelease) {
      try $0.ipa("1.2.3.4", "4")
    },
    .iOS("four numbers, lower, are another build", runs: "1.2.3.4", "4", offered1) {
      try $0.ipa("1.2.3.3", "3")
    },
    .iOS("a version after none", runs: "1.2.3.4", "4", offered1) { try $0.ipa("0.1.0", "1") },
    .iOS("none after a version", runs: "1.2.3", "3", .noRelease) { try $0.ipa("1.2.3.4", "4") },
    .iOS("a leading zero is not a version", runs: "1.0", "1", .noRelease) {
      try $0.ipa("1.02", "2")
    },
    .iOS("builds by their numbers", runs: "1.4.0", "9", offered1) { try $0.ipa("1.4.0", "10") },
    .iOS("builds of several numbers", runs: "1.4.0", "1.2.9", offered1) {
      try $0.ipa("1.4.0", "1.2.10")
    },
    .iOS("a build of many digits", runs: "1.4.0", "99999999999999999999", offered1) {
      try $0.ipa("1.4.0", "100000000000000000000")
    },
    .iOS("mandatory", runs: "1.3.0", "1", .offered(1, isMandatory: true)) {
      try $0.ipa("1.4.0", "2", mandatory: true)
    },
    .iOS("mandatory, but older", runs: "1.4.0", "2", .noRelease) {
      try $0.ipa("1.3.0", "1", mandatory: true)
    },
    .iOS(
      "the system is older", runs: "1.3.0", "1", system: "12.5.7", .ignored("the system is older")
    ) { try $0.ipa("1.4.0", "2") },
    .iOS("the system is just new enough", runs: "1.3.0", "1", system: "13.0", offered1) {
      try $0.ipa("1.4.0", "2")
    },
    .iOS(
      "systems by their numbers", runs: "1.3.0", "1", system: "9.3.5",
      .ignored("the system is older")
    ) { try $0.ipa("1.4.0", "2", minimumOS: "10.0") },
    .iOS("no minimum system is known", runs: "1.3.0", "1", system: "9.3.5", offered1) {
      try $0.ipa("1.4.0", "2", minimumOS: nil)
    },
    .iOS("nothing was released", runs: "1.3.0", "1", .noRelease) { _ in },
    .iOS("nothing was published", runs: "1.3.0", "1", .noRelease) {
      try $0.ipa("1.4.0", "2", to: [])
    },
    .iOS("published to a private group alone", runs: "1.3.0", "1", .noRelease) {
      try $0.ipa("1.4.0", "2", to: ["Beta"])
    },
    .iOS("public before, private newer", runs: "1.3.0", "1", offered1) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3", to: ["Beta"])
    },
    .iOS("two public groups, the newest of both", runs: "1.3.0", "1", offered2) {
      try $0.ipa("1.4.0", "2", to: ["Everyone A"])
      try $0.ipa("1.5.0", "3", to: ["Everyone B"])
    },
    .iOS("mandatory in one of two groups", runs: "1.3.0", "1", .offered(1, isMandatory: true)) {
      let artefact = try $0.ipa("1.4.0", "2", to: ["Everyone A"])
      try $0.publish(artefact.number, to: "Everyone B", mandatory: true)
    },
    .iOS("the group became private", runs: "1.3.0", "1", .noRelease) {
      try $0.ipa("1.4.0", "2")
      try $0.store.distribution.editGroup(
        DistributedApp.open, of: $0.name, isPublic: false, by: "test")
    },
    .iOS("the newest is disabled", runs: "1.3.0", "1", offered1) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.enable(2, false)
    },
    .iOS("enabled again", runs: "1.3.0", "1", offered2) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.enable(2, false)
      try $0.enable(2, true)
    },
    .iOS("all are disabled", runs: "1.3.0", "1", .noRelease) {
      try $0.ipa("1.4.0", "2")
      try $0.enable(1, false)
    },
    .iOS("the newest was removed", runs: "1.3.0", "1", offered1) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.store.distribution.remove(2, of: $0.name, by: "test")
    },
    .iOS("the newest number has a lower version", runs: "1.4.0", "2", .noRelease) {
      try $0.ipa("1.5.0", "3")
      try $0.ipa("1.3.1", "4")
    },
    .iOS("rolled out to no installation yet", runs: "1.3.0", "1", offered1) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.rollOut("1.5.0", "3", percent: 0)
    },
    .iOS("rolled out to all", runs: "1.3.0", "1", offered2) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.rollOut("1.5.0", "3", percent: 100)
    },
    .iOS("a roll-out that is paused", runs: "1.3.0", "1", offered1) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.rollOut("1.5.0", "3", percent: 100, pause: "crashes")
    },
    .iOS("who runs a paused release keeps it", runs: "1.5.0", "3", .noRelease) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
      try $0.rollOut("1.5.0", "3", percent: 100, pause: "crashes")
    },
    .iOS("released for Android alone", runs: "1.3.0", "1", .noRelease) {
      try $0.apk("1.4.0", "2")
    },
    .iOS("released for both systems", runs: "1.3.0", "1", offered1) {
      try $0.ipa("1.4.0", "2")
      try $0.apk("1.5.0", "3")
    },
  ]

  private static let android: [UpdateSituation] = [
    .android("a higher versionCode", runs: "3.4.0", 340, offered1) { try $0.apk("3.4.1", "341") },
    .android("a higher versionCode of a lower name", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.3.0", "341")
    },
    .android("the same build", runs: "3.4.1", 341, .noRelease) { try $0.apk("3.4.1", "341") },
    .android("the same versionCode, another name", runs: "3.4.1-a", 341, offered1) {
      try $0.apk("3.4.1-b", "341")
    },
    .android("a lower versionCode", runs: "3.4.1", 341, .noRelease) { try $0.apk("3.5.0", "340") },
    .android("mandatory", runs: "3.4.0", 340, .offered(1, isMandatory: true)) {
      try $0.apk("3.4.1", "341", mandatory: true)
    },
    .android(
      "the system is older", runs: "3.4.0", 340, apiLevel: 20, .ignored("the system is older")
    ) { try $0.apk("3.4.1", "341") },
    .android("no minimum level is known", runs: "3.4.0", 340, apiLevel: 16, offered1) {
      try $0.apk("3.4.1", "341", minimumOS: nil)
    },
    .android("a codename for a minimum level", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341", minimumOS: "VanillaIceCream")
    },
    .android("an app bundle can't be installed", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341")
      try $0.apk("3.4.2", "342", kind: .aab)
    },
    .android("app bundle and APK of one release", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341")
      try $0.apk("3.4.1", "341", kind: .aab)
    },
    .android("an app bundle alone", runs: "3.4.0", 340, .noRelease) {
      try $0.apk("3.4.1", "341", kind: .aab)
    },
    .android("an app bundle alone, for an old SDK", runs: "3.4.0", 340, isOld: true, offered1) {
      try $0.apk("3.4.1", "341", kind: .aab)
    },
    .android("an old SDK", runs: "3.4.0", 340, isOld: true, offered2) {
      try $0.ipa("3.4.1", "341")
      try $0.apk("3.4.1", "341")
    },
    .android("a versionCode that is not a number", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341")
      try $0.apk("3.4.2", "3.4.2")
    },
    .android("a versionCode beyond 31 bits", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341")
      try $0.apk("3.4.2", "2147483648")
    },
    .android("the largest versionCode", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "2147483647")
    },
    .android("nothing was released", runs: "3.4.0", 340, .noRelease) { _ in },
    .android("released for iOS alone", runs: "3.4.0", 340, .noRelease) { try $0.ipa("3.4.1", "1") },
    .android("released for both systems", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341")
      try $0.ipa("3.4.2", "342")
    },
    .android("the newest is disabled", runs: "3.4.0", 340, offered1) {
      try $0.apk("3.4.1", "341")
      try $0.apk("3.4.2", "342")
      try $0.enable(2, false)
    },
  ]

  /// Old paths, other paths, and refused requests.
  private static let requests: [UpdateSituation] = [
    .request(
      "A path of SDKs before 3.0", { "/v0.1/sdk/apps/\($0.secret)/releases/latest?release_hash=x" },
      "200 1"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "A public group of SDKs before 3.0",
      {
        let group = (try? $0.id(ofGroup: "Everyone A")) ?? ""
        return "/v0.1/public/sdk/apps/\($0.secret)/distribution_groups/\(group)/releases/latest"
      }, "200 1"
    ) {
      try $0.ipa("1.4.0", "2", to: ["Everyone A"])
      try $0.ipa("1.5.0", "3", to: ["Everyone B"])
    },
    .request(
      "A private group of SDKs before 3.0, without a token",
      {
        let group = (try? $0.id(ofGroup: "Beta")) ?? ""
        return "/v0.1/public/sdk/apps/\($0.secret)/distribution_groups/\(group)/releases/latest"
      }, "404 no_releases_for_user"
    ) { try $0.ipa("1.4.0", "2", to: ["Beta"]) },
    .request(
      "No such group",
      {
        "/v0.1/public/sdk/apps/\($0.secret)/distribution_groups/x/releases/latest"
      }, "404 no_releases_for_user"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "Below another path",
      { "/crashes/tern/v0.1/public/sdk/apps/\($0.secret)/releases/latest" }, "200 1"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "An App-Secret in capital letters",
      { "/v0.1/public/sdk/apps/\($0.secret.uppercased())/releases/latest" }, "200 1"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "Unknown parameters and no hash",
      { "/v0.1/public/sdk/apps/\($0.secret)/releases/latest?udid=1&x=%ff&release_hash=" }, "200 1"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "The app is unknown",
      { _ in "/v0.1/public/sdk/apps/ffffffff-7c91-40ac-8517-ffffffffffff/releases/latest" },
      "404 not_found"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "The private track without a token",
      { "/v0.1/sdk/apps/\($0.secret)/releases/private/latest" }, "401 unauthorized"
    ) { try $0.ipa("1.4.0", "2") },
    .request(
      "The private track with a token that is made up",
      { "/v0.1/sdk/apps/\($0.secret)/releases/private/latest" },
      headers: ["x-api-token: 0123456789abcdef"], "401 unauthorized"
    ) { try $0.ipa("1.4.0", "2", to: ["Beta"]) },
    .request(
      "A build by its hash",
      {
        let hash = DistributedApp.hash(uuid: DistributedApp.uuid, "1.4.0", "2")
        return "/v0.1/sdk/apps/\($0.secret)/releases/\(hash)"
      }, "200 1"
    ) {
      try $0.ipa("1.4.0", "2")
      try $0.ipa("1.5.0", "3")
    },
    .request(
      "A build by its hash that is private",
      {
        let hash = DistributedApp.hash(uuid: DistributedApp.uuid, "1.4.0", "2")
        return "/v0.1/sdk/apps/\($0.secret)/releases/\(hash)"
      }, "404 not_found"
    ) { try $0.ipa("1.4.0", "2", to: ["Beta"]) },
    .request(
      "No build has the hash", { "/v0.1/sdk/apps/\($0.secret)/releases/0123" }, "404 not_found"
    ) { try $0.ipa("1.4.0", "2") },
  ]
}
