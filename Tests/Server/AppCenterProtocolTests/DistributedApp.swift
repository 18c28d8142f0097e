import Bytes
import CrashStore
import Crypto
import Identifiers
import TestSupport
import Updates

/// An app of a home and its releases, as a test needs it.
struct DistributedApp {
  let store: CrashStore
  let name: String
  /// Identifier of the app, as its clients spell it.
  let secret: String

  static let identifier = "com.example.tern"

  init(_ name: String, number: Int, in store: CrashStore, isDistributed: Bool = true) throws {
    self.store = store
    self.name = name
    let digits = String(number)
    secret = "8e14e67c-7c91-40ac-8517-" + String(repeating: "0", count: 12 - digits.count) + digits
    try store.apps.add(name, secret: secret)
  }

  /// Hash of a release, as the SDK for iOS computes it.
  static func hash(uuid: String, _ version: String, _ build: String) -> String {
    SHA256.hex(of: ByteView("\(uuid.lowercased()):\(version):\(build)".utf8))
  }

  /// Hash of a release, as the SDK for Android computes it.
  static func hash(package: String = identifier, _ name: String, _ code: Int) -> String {
    SHA256.hex(of: ByteView("\(package):\(name):\(code)".utf8))
  }

  /// A release for iOS, published to these groups.
  ///
  /// - Parameter uuids: UUIDs of the slices of its executable.
  @discardableResult
  func ipa(
    _ version: String, _ build: String, uuids: [String] = [uuid], minimumOS: String? = "13.0",
    mandatory: Bool = false, to groups: [String] = [open], notes: String = ""
  ) throws -> Artefact {
    var package = AppPackage(.ipa)
    package.minimumOS = minimumOS
    package.hashes = uuids.map { Self.hash(uuid: $0, version, build) }
    package.deviceFamilies = ["iPhone", "iPad"]
    return try add(package, version, build, mandatory, groups, notes)
  }

  /// A release for Android.
  @discardableResult
  func apk(
    _ version: String, _ build: String, kind: ArtefactKind = .apk, minimumOS: String? = "21",
    hash: String? = nil, mandatory: Bool = false, to groups: [String] = [open], notes: String = ""
  ) throws -> Artefact {
    var package = AppPackage(kind)
    package.minimumOS = minimumOS
    package.hashes = [hash ?? Self.hash(version, Int(build) ?? 0)]
    return try add(package, version, build, mandatory, groups, notes)
  }

  private func add(
    _ package: AppPackage, _ version: String, _ build: String, _ isMandatory: Bool,
    _ groups: [String], _ notes: String
  ) throws -> Artefact {
    var package = package
    package.identifier = Self.identifier
    package.version = version
    package.build = build
    let text = "\(name) \(version) (\(build)) \(package.kind) \(package.hashes)"
    let artefact = try store.distribution.add(
      ByteView(text.utf8), named: "tern.\(package.kind.rawValue)", package: package, to: name,
      by: "test")
    if !notes.isEmpty {
      try store.distribution.edit(artefact.number, of: name, .init(notes: notes), by: "test")
    }
    for group in groups {
      try publish(artefact.number, to: group, mandatory: isMandatory)
    }
    return artefact
  }

  func publish(_ number: Int, to group: String, mandatory: Bool = false) throws {
    try store.distribution.publish(
      number, of: name,
      to: [Artefact.Destination(.group, id: try id(ofGroup: group), isMandatory: mandatory)],
      by: "test")
  }

  /// The id of a group, which is created if missing: public if its name says so.
  func id(ofGroup name: String) throws -> String {
    if let group = try store.distribution.groups(of: self.name).first(where: { $0.name == name }) {
      return group.id
    }
    return try store.distribution.addGroup(
      name, isPublic: name.hasPrefix(Self.open), to: self.name, by: "test"
    ).id
  }

  func enable(_ number: Int, _ isEnabled: Bool) throws {
    try store.distribution.edit(number, of: name, .init(isEnabled: isEnabled), by: "test")
  }

  func rollOut(_ version: String, _ build: String, percent: Int, pause: String? = nil) throws {
    try store.distribution.setRollout(
      Rollout(percent: percent, pause: pause), of: Release(version: version, build: build),
      app: name, .rolledOut, "\(percent) %", by: "test")
  }

  /// The prefix of public groups.
  static let open = "Everyone"
  static let uuid = "0e4b3c9d-5a59-4c5e-9a1c-6b6f4a3d2c1b"
  static let otherUUID = "aaaaaaaa-5a59-4c5e-9a1c-6b6f4a3d2c1b"

  // MARK: Devices

  func apple(
    _ version: String, _ build: String, uuid: String = uuid, system: String = "17.2.1"
  ) -> AppleUpdateClient {
    AppleUpdateClient(
      secret: secret, shortVersion: version, build: build,
      hash: Self.hash(uuid: uuid, version, build), system: system)
  }

  func android(_ version: String, _ code: Int, apiLevel: Int = 33) -> AndroidUpdateClient {
    AndroidUpdateClient(
      secret: secret, package: Self.identifier, versionName: version, versionCode: code,
      hash: Self.hash(version, code), apiLevel: apiLevel)
  }
}
