internal import APIDocuments
internal import Bytes
package import CrashService
package import CrashStore
internal import Documents
package import Identifiers
internal import JSON
package import Updates

extension RemoteService {
  // MARK: Artefacts

  package func artefacts(of app: String, release: Release?) throws -> [Artefact] {
    try all("/artefacts", [("app", app), ("version", release?.name)], limit: nil) {
      try Artefact($0)
    }.items
  }

  package func addArtefact(
    _ path: String, named fileName: String, release: Release?, to app: String, by author: String
  ) throws -> Artefact {
    let bytes = try ByteView(mapping: path)
    guard !bytes.isEmpty else { throw DistributionError.emptyFile(fileName) }
    return try Artefact(
      send(
        bytes, to: "/artefacts",
        [("app", app), ("name", fileName), ("version", release?.name)]))
  }

  package func editArtefact(
    _ number: Int, of app: String, _ edit: CrashStore.Distribution.Edit, by author: String
  ) throws -> Artefact {
    try Artefact(
      ask("POST", "/artefacts/edit") { writer in
        writer.member("app", app)
        writer.member("number", number)
        writer.member("notes", edit.notes)
        writer.member("enabled", edit.isEnabled)
        writer.member("ed_signature", edit.edSignature)
        writer.member("dsa_signature", edit.dsaSignature)
      })
  }

  package func publishArtefact(
    _ number: Int, of app: String, to audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try Artefact(
      ask("POST", "/artefacts/publish") { writer in
        Self.write(number, app, audience, to: &writer)
        writer.member("mandatory", audience.isMandatory)
      })
  }

  package func withdrawArtefact(
    _ number: Int, of app: String, from audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try Artefact(
      ask("POST", "/artefacts/withdraw") { Self.write(number, app, audience, to: &$0) })
  }

  private static func write(
    _ number: Int, _ app: String, _ audience: ArtefactAudience, to writer: inout JSONWriter
  ) {
    writer.member("app", app)
    writer.member("number", number)
    writer.member("groups", audience.groups)
    writer.member("testers", audience.testers)
  }

  package func binariesWithoutDebugFile(
    inArtefact number: Int, of app: String
  ) throws -> [AppPackage.Binary] {
    try all(
      "/artefacts/missing-debug-files", [("app", app), ("number", "\(number)")], limit: nil
    ) { try AppPackage.Binary($0) }.items
  }

  package func removeArtefact(_ number: Int, of app: String, by author: String) throws {
    try change("/artefacts/remove") { writer in
      writer.member("app", app)
      writer.member("number", number)
    }
  }

  package func distributionHistory(
    of app: String, release: Release?
  ) throws -> [DistributionEvent] {
    try all("/artefacts/history", [("app", app), ("version", release?.name)], limit: nil) {
      try DistributionEvent($0)
    }.items
  }

  // MARK: Groups

  package func distributionGroups(of app: String) throws -> [DistributionGroup] {
    try all("/distribution-groups", [("app", app)], limit: nil) { try DistributionGroup($0) }.items
  }

  package func addDistributionGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup {
    try DistributionGroup(
      ask("POST", "/distribution-groups") { writer in
        writer.member("app", app)
        writer.member("name", name)
        writer.member("public", isPublic)
      })
  }

  package func editDistributionGroup(
    _ name: String, of app: String, name newName: String?, isPublic: Bool?, by author: String
  ) throws -> DistributionGroup {
    try DistributionGroup(
      ask("POST", "/distribution-groups/edit") { writer in
        writer.member("app", app)
        writer.member("name", name)
        writer.member("to", newName)
        writer.member("public", isPublic)
      })
  }

  package func removeDistributionGroup(_ name: String, of app: String, by author: String) throws {
    try change("/distribution-groups/remove") { writer in
      writer.member("app", app)
      writer.member("name", name)
    }
  }

  // MARK: Testers

  package func testers(of app: String) throws -> [Tester] {
    try all("/testers", [("app", app)], limit: nil) { try Tester($0) }.items
  }

  package func inviteTester(
    _ email: String, to group: String, of app: String, by author: String
  ) throws -> InvitedTester {
    try InvitedTester(
      ask("POST", "/testers/invite") { writer in
        writer.member("app", app)
        writer.member("email", email)
        writer.member("group", group)
      })
  }

  package func removeTester(
    _ email: String, from group: String?, of app: String, by author: String
  ) throws {
    try change("/testers/remove") { writer in
      writer.member("app", app)
      writer.member("email", email)
      writer.member("group", group)
    }
  }

  package func revokeTester(_ email: String, of app: String, by author: String) throws -> Int {
    let answer = try ask("POST", "/testers/revoke") { writer in
      writer.member("app", app)
      writer.member("email", email)
    }
    return try answer.value["revoked"].map { try DocumentValue<Int>.count.read($0) } ?? 0
  }

  /// Makes a change whose response has no body.
  private func change(_ path: String, _ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    _ = try bytes("POST", path, body: ByteView(writer.takeBytes()))
  }
}
