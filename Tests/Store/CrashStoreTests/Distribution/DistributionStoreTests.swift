import Bytes
import Database
import Identifiers
import TestSupport
import Testing
import Updates

@testable import CrashStore

@Suite("The store of releases as files")
struct DistributionStoreTests {
  private let folder = ScratchFolder()
  private let store: CrashStore

  init() throws { store = try CrashStore(checking: folder.path("home")) }

  private var distribution: CrashStore.Distribution { store.distribution }

  private func package(
    _ version: String, _ build: String, kind: ArtefactKind = .ipa
  ) -> AppPackage {
    var package = AppPackage(kind)
    package.identifier = "com.example.tern"
    package.version = version
    package.build = build
    package.hashes = ["hash of \(version) (\(build))"]
    package.binaries = [
      AppPackage.Binary(
        path: "Payload/Tern.app/Tern", architecture: .arm64,
        debugID: DebugID("5C3DD2E4A4F54C5D8FC4E9B8A5B1DC36"))
    ]
    package.provisioning = AppPackage.Provisioning(
      name: "Tern Ad Hoc", kind: .adhoc, expires: Timestamp(seconds: 1_800_000_000), devices: 3)
    return package
  }

  @discardableResult
  private func add(
    _ text: String, _ version: String, _ build: String, to app: String = "Tern"
  ) throws -> Artefact {
    try distribution.add(
      ByteView(text.utf8), named: "tern.ipa", package: package(version, build), to: app, by: "ci")
  }

  @Test("A file is stored with all of its facts, and its release with it")
  func add() throws {
    let artefact = try add("bytes", "1.4.2", "512")
    #expect(artefact.number == 1)
    #expect(artefact.size == 5)
    // printf bytes | md5sum; printf bytes | sha256sum
    #expect(artefact.md5 == "4b3a6218bb3e3a7303e8a171a60fcf92")
    #expect(
      artefact.digest == "277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9")
    #expect(artefact.package == package("1.4.2", "512"))
    #expect(try distribution.artefact(1, of: "Tern") == artefact)
    #expect(
      try store.releases.list(of: "Tern").map(\.release) == [
        Release(version: "1.4.2", build: "512")
      ])
    let path = try distribution.path(ofFile: artefact.digest)
    #expect(try ByteView(mapping: path).array == Array("bytes".utf8))
  }

  @Test("A number is never reused, the same bytes are stored once")
  func numbers() throws {
    let first = try add("same", "1.0", "1")
    let second = try add("same", "1.0", "1")
    #expect([first.number, second.number] == [1, 2])
    #expect(try distribution.path(ofFile: first.digest) == distribution.path(ofFile: second.digest))
    try distribution.remove(2, of: "Tern", by: "ada")
    #expect(try add("other", "1.1", "2").number == 3)
    #expect(try distribution.artefacts(of: "Tern").map(\.number) == [3, 1])
    #expect(throws: DistributionError.noSuchArtefact("#2", app: "Tern")) {
      try distribution.artefact(2, of: "Tern")
    }
  }

  @Test("A debug file with the bytes of a release is deleted, and the release keeps its file")
  func sharedBytes() throws {
    let artefact = try add("bytes", "1.4.2", "512")
    let bytes = ByteView("bytes".utf8)
    try store.debugFiles.add(
      bytes,
      records: [
        DebugFileRecord(
          debugID: DebugID(uuid: [7, 7]), codeID: nil, architecture: .arm64, kind: "debug-info",
          name: "Tern", digest: artefact.digest, size: bytes.count, added: Timestamp(seconds: 0))
      ])
    try store.debugFiles.remove([artefact.digest])
    #expect(
      try ByteView(mapping: distribution.path(ofFile: artefact.digest)).array == bytes.array)
    #expect(try store.checkContents().missing == 0)
    #expect(try store.checkContents().count == 1, "there is no icon, and none is looked for")
    try distribution.remove(1, of: "Tern", by: "ci")
    #expect(try store.retention.sweep(grace: 0).contents == 1)
  }

  @Test("A file that cannot be a release is refused, and nothing of it is stored")
  func refusals() throws {
    #expect(throws: DistributionError.emptyFile("tern.ipa")) { try add("", "1.0", "1") }
    #expect(throws: DistributionError.noVersion("tern.ipa")) { try add("bytes", "", "1") }
    #expect(throws: DistributionError.invalidName("1\n2")) { try add("bytes", "1\n2", "1") }
    #expect(throws: StoreError.invalidAppName("")) { try add("bytes", "1.0", "1", to: "") }
    #expect(try store.apps.list().isEmpty)
  }

  @Test("Each change is a line of the history and another generation of the clients' catalogue")
  func changes() throws {
    try add("bytes", "1.0", "1")
    var generation = try distribution.generation()
    func changed() throws -> Bool {
      defer { generation = (try? distribution.generation()) ?? generation }
      return try distribution.generation() > generation
    }
    let beta = try distribution.addGroup("Beta", isPublic: false, to: "Tern", by: "ada")
    #expect(try changed())
    try distribution.publish(
      1, of: "Tern", to: [.init(.group, id: beta.id, isMandatory: true)], by: "ada")
    #expect(try changed())
    try distribution.edit(1, of: "Tern", .init(notes: "Fixes", isEnabled: false), by: "ada")
    #expect(try changed())
    try distribution.withdraw(1, of: "Tern", from: .group, id: beta.id, by: "ada")
    #expect(try changed())
    try distribution.editGroup("Beta", of: "Tern", name: "Everyone", isPublic: true, by: "ada")
    #expect(try changed())
    try distribution.set("known-fix", to: "require", of: "Tern", by: "ada")
    #expect(try changed())
    try distribution.setRollout(
      Rollout(percent: 25), of: Release(version: "1.0", build: "1"), app: "Tern", .rolledOut,
      "25 %",
      by: "ada")
    #expect(try changed())
    #expect(
      try distribution.history(of: "Tern").map { "\($0.author) \($0.kind.rawValue) \($0.detail)" }
        == [
          "ci added #1 tern.ipa", "ada group added Beta", "ada published #1 to Beta, mandatory",
          "ada edited #1 notes", "ada disabled #1", "ada withdrawn #1 from Beta",
          "ada group renamed Beta to Everyone", "ada group made public Everyone",
          "ada set known-fix to require", "ada rolled out 25 %",
        ])
    #expect(
      try distribution.history(of: "Tern", release: Release(version: "1.0")).count == 6)
  }

  @Test("Every app has the group of its collaborators, which cannot be removed")
  func collaborators() throws {
    try store.apps.add("Tern", secret: nil)
    #expect(try distribution.groups(of: "Tern").map(\.name) == ["Collaborators"])
    let first = try distribution.group("Collaborators", of: "Tern")
    #expect(try distribution.group(first.id, of: "Tern") == first)
    #expect(throws: DistributionError.cannotRemove("Collaborators")) {
      try distribution.removeGroup("Collaborators", of: "Tern", by: "ada")
    }
    #expect(throws: DistributionError.groupExists("Collaborators", app: "Tern")) {
      try distribution.addGroup("Collaborators", isPublic: false, to: "Tern", by: "ada")
    }
  }

  @Test("An invitation makes a tester once; another device needs another")
  func testers() throws {
    try store.apps.add("Tern", secret: nil)
    let invited = try distribution.invite(
      "Ada@Example.org", to: "Collaborators", of: "Tern", by: "bob")
    #expect(invited.tester.email == "ada@example.org")
    #expect(!invited.tester.hasAccepted)
    let invitation = invited.invitation
    let accepted = try distribution.acceptInvitation(invitation)
    #expect(accepted.tester.hasAccepted)
    #expect(accepted.app == "Tern")
    #expect(throws: DistributionError.noInvitation) {
      try distribution.acceptInvitation(invitation)
    }
    let again = try distribution.invite(
      "ada@example.org", to: "Collaborators", of: "Tern", by: "bob")
    #expect(again.tester.hasAccepted, "another device gets another invitation")
    #expect(again.invitation != invitation)
    let token = try distribution.makeSecret(
      .update, forTester: "ada@example.org", of: "Tern", lifetime: nil)
    #expect(try distribution.holder(of: token, .update)?.tester == invited.tester.id)
    #expect(try distribution.holder(of: token, .session) == nil, "it is valid for nothing else")
    #expect(
      try distribution.catalog().tokens.values.first
        == UpdateToken(app: "Tern", tester: invited.tester.id))
    #expect(
      try distribution.revokeSecrets(ofTester: "ada@example.org", of: "Tern", by: "bob") == 2)
    #expect(try distribution.holder(of: token, .update) == nil)
    #expect(try distribution.catalog().tokens.isEmpty)
    #expect(throws: DistributionError.noInvitation) {
      try distribution.acceptInvitation(invitation)
    }
    // Addresses of files are valid only for a tester who has accepted.
    #expect(try distribution.testers(of: "Tern").map(\.hasAccepted) == [false])
    let anew = try distribution.invite(
      "ada@example.org", to: "Collaborators", of: "Tern", by: "bob")
    #expect(try distribution.acceptInvitation(anew.invitation).tester.hasAccepted)
    for address in ["", "ada", "a@b@c", "a b@c", "a@\r\nb", "<a@b>"] {
      #expect(throws: DistributionError.self) {
        try distribution.invite(address, to: "Collaborators", of: "Tern", by: "bob")
      }
    }
  }

  @Test("The catalogue of clients is read at once, by the secret of the app")
  func catalog() throws {
    try store.apps.add("Tern", secret: "8e14e67c")
    try add("bytes", "1.0", "1")
    try add("more", "1.1", "2")
    let group = try distribution.addGroup("Everyone", isPublic: true, to: "Tern", by: "ada")
    for number in [1, 2] {
      try distribution.publish(
        number, of: "Tern", to: [.init(.group, id: group.id, isMandatory: false)], by: "ada")
    }
    func newest() throws -> Int? {
      try distribution.catalog().app(ofSecret: "8e14e67c")?
        .newest(for: .anyone, on: [.iOS], installation: nil)?.artefact.number
    }
    #expect(try newest() == 2)
    try distribution.edit(2, of: "Tern", .init(isEnabled: false), by: "ada")
    #expect(try newest() == 1)
    try store.apps.rename("Tern", to: "Gull")
    #expect(try distribution.catalog().app(ofSecret: "8e14e67c")?.app == "Gull")
    #expect(try newest() == 1)
    try distribution.removeGroup("Everyone", of: "Gull", by: "ada")
    #expect(try newest() == nil)
  }

  @Test("An installation counts once for each release")
  func installs() throws {
    try add("bytes", "1.0", "1")
    func count(_ number: Int, _ install: String) throws -> Bool {
      try distribution.countInstall(of: number, app: "Tern", install: install, group: "")
    }
    #expect(try count(1, "a"))
    #expect(try !count(1, "a"))
    #expect(try count(1, "b"))
    #expect(try !count(9, "a"))
    #expect(try distribution.installs(of: "Tern") == [1: 2])
  }

  @Test("A deleted app leaves nothing")
  func clear() throws {
    try add("bytes", "1.0", "1")
    _ = try distribution.invite("ada@example.org", to: "Collaborators", of: "Tern", by: "bob")
    try store.apps.clear(app: "Tern")
    let rest = try store.read { database in
      try ["artefacts", "testers", "distribution_groups", "tester_secrets", "distribution_history"]
        .map { try database.requiredInteger("SELECT count(*) FROM \($0)") }
    }
    #expect(rest == [0, 0, 0, 0, 0])
  }
}
