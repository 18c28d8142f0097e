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
    try all(.listArtefacts, query: [("app", app), ("version", release?.name)]) {
      try Artefact($0)
    }.items
  }

  package func addArtefact(
    _ path: String, named fileName: String, release: Release?, to app: String, by author: String
  ) throws -> Artefact {
    let bytes = try ByteView(mapping: path)
    guard !bytes.isEmpty else { throw DistributionError.emptyFile(fileName) }
    let answer = try self.bytes(
      .addArtefact,
      query: [("app", app), ("name", fileName), ("version", release?.name)], body: bytes,
      type: "application/octet-stream")
    return try Artefact(decoded(answer))
  }

  package func editArtefact(
    _ number: Int, of app: String, _ edit: CrashStore.Distribution.Edit, by author: String
  ) throws -> Artefact {
    try Artefact(
      ask(.editArtefact, sending: ArtefactEdit(app: app, number: number, edit: edit)))
  }

  package func publishArtefact(
    _ number: Int, of app: String, to audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try Artefact(
      ask(
        .publishArtefact,
        sending: ArtefactPublication(app: app, number: number, audience: audience)))
  }

  package func withdrawArtefact(
    _ number: Int, of app: String, from audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try Artefact(
      ask(
        .withdrawArtefact,
        sending: ArtefactWithdrawal(app: app, number: number, audience: audience)))
  }

  package func binariesWithoutDebugFile(
    inArtefact number: Int, of app: String
  ) throws -> [AppPackage.Binary] {
    try all(
      .listMissingDebugFiles, query: [("app", app), ("number", "\(number)")]
    ) { try AppPackage.Binary($0) }.items
  }

  package func releaseWarnings(of app: String, release: Release?) throws -> [ReleaseWarning] {
    try all(.listReleaseWarnings, query: [("app", app), ("version", release?.name)]) {
      try ReleaseWarning($0)
    }.items
  }

  package func removeArtefact(_ number: Int, of app: String, by author: String) throws {
    try change(.removeArtefact, sending: ArtefactRemoval(app: app, number: number))
  }

  package func explainCheck(_ question: CheckQuestion, of app: String) throws -> CheckExplanation {
    let installed = question.installed
    return try CheckExplanation(
      ask(
        .explainCheck,
        query: [
          ("app", app), ("platform", question.platform.rawValue),
          ("version", installed.isEmpty ? nil : installed.name), ("hash", question.hash),
          ("system", question.system), ("tester", question.tester), ("group", question.group),
          ("install", question.installation),
        ]))
  }

  package func distributionHistory(
    of app: String, release: Release?
  ) throws -> [DistributionEvent] {
    try all(.listDistributionHistory, query: [("app", app), ("version", release?.name)]) {
      try DistributionEvent($0)
    }.items
  }

  // MARK: Groups

  package func distributionGroups(of app: String) throws -> [DistributionGroup] {
    try all(.listDistributionGroups, query: [("app", app)]) { try DistributionGroup($0) }.items
  }

  package func addDistributionGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup {
    try DistributionGroup(
      ask(
        .addDistributionGroup,
        sending: NewDistributionGroup(app: app, name: name, isPublic: isPublic)))
  }

  package func editDistributionGroup(
    _ name: String, of app: String, name newName: String?, isPublic: Bool?, by author: String
  ) throws -> DistributionGroup {
    try DistributionGroup(
      ask(
        .editDistributionGroup,
        sending: DistributionGroupEdit(
          app: app, name: name, newName: newName, isPublic: isPublic)))
  }

  package func removeDistributionGroup(_ name: String, of app: String, by author: String) throws {
    try change(.removeDistributionGroup, sending: DistributionGroupRemoval(app: app, name: name))
  }

  // MARK: Testers

  package func testers(of app: String) throws -> [Tester] {
    try all(.listTesters, query: [("app", app)]) { try Tester($0) }.items
  }

  package func inviteTester(
    _ email: String, to group: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester {
    try InvitedTester(
      ask(
        .inviteTester,
        sending: TesterInvitation(app: app, email: email, group: group, mails: mails)))
  }

  package func resendInvitation(
    _ email: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester {
    try InvitedTester(
      ask(
        .resendInvitation, sending: InvitationResending(app: app, email: email, mails: mails)))
  }

  package func testerMails(of app: String) throws -> [TesterMail] {
    try all(.listTesterMails, query: [("app", app)]) { try TesterMail($0) }.items
  }

  package func removeTester(
    _ email: String, from group: String?, of app: String, by author: String
  ) throws {
    try change(.removeTester, sending: TesterRemoval(app: app, email: email, group: group))
  }

  package func revokeTester(
    _ email: String, of app: String, by author: String, onlyInvitations: Bool
  ) throws -> Int {
    let answer = try ask(
      .revokeTester,
      sending: TesterRevocation(app: app, email: email, onlyInvitations: onlyInvitations))
    return try answer.value["revoked"].map { try DocumentValue<Int>.count.read($0) } ?? 0
  }
}
