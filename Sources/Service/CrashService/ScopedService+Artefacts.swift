package import CrashStore
package import Identifiers
package import Updates

extension ScopedService {
  package func artefacts(of app: String, release: Release?) throws -> [Artefact] {
    try whole.artefacts(of: try checked(app: app), release: release)
  }

  package func addArtefact(
    _ path: String, named fileName: String, release: Release?, to app: String, by author: String
  ) throws -> Artefact {
    try whole.addArtefact(
      path, named: fileName, release: release, to: try checked(app: app), by: author)
  }

  package func editArtefact(
    _ number: Int, of app: String, _ edit: CrashStore.Distribution.Edit, by author: String
  ) throws -> Artefact {
    try whole.editArtefact(number, of: try checked(app: app), edit, by: author)
  }

  package func publishArtefact(
    _ number: Int, of app: String, to audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try whole.publishArtefact(number, of: try checked(app: app), to: audience, by: author)
  }

  package func withdrawArtefact(
    _ number: Int, of app: String, from audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try whole.withdrawArtefact(number, of: try checked(app: app), from: audience, by: author)
  }

  package func binariesWithoutDebugFile(
    inArtefact number: Int, of app: String
  ) throws -> [AppPackage.Binary] {
    try whole.binariesWithoutDebugFile(inArtefact: number, of: try checked(app: app))
  }

  package func releaseWarnings(of app: String, release: Release?) throws -> [ReleaseWarning] {
    try whole.releaseWarnings(of: try checked(app: app), release: release)
  }

  package func removeArtefact(_ number: Int, of app: String, by author: String) throws {
    try whole.removeArtefact(number, of: try checked(app: app), by: author)
  }

  package func explainCheck(_ question: CheckQuestion, of app: String) throws -> CheckExplanation {
    try whole.explainCheck(question, of: try checked(app: app))
  }

  package func distributionHistory(
    of app: String, release: Release?
  ) throws -> [DistributionEvent] {
    try whole.distributionHistory(of: try checked(app: app), release: release)
  }

  package func distributionGroups(of app: String) throws -> [DistributionGroup] {
    try whole.distributionGroups(of: try checked(app: app))
  }

  package func addDistributionGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup {
    try whole.addDistributionGroup(
      name, isPublic: isPublic, to: try checked(app: app), by: author)
  }

  package func editDistributionGroup(
    _ name: String, of app: String, name newName: String?, isPublic: Bool?, by author: String
  ) throws -> DistributionGroup {
    try whole.editDistributionGroup(
      name, of: try checked(app: app), name: newName, isPublic: isPublic, by: author)
  }

  package func removeDistributionGroup(_ name: String, of app: String, by author: String) throws {
    try whole.removeDistributionGroup(name, of: try checked(app: app), by: author)
  }

  package func testers(of app: String) throws -> [Tester] {
    try whole.testers(of: try checked(app: app))
  }

  package func inviteTester(
    _ email: String, to group: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester {
    try whole.inviteTester(
      email, to: group, of: try checked(app: app), by: author, mails: mails)
  }

  package func resendInvitation(
    _ email: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester {
    try whole.resendInvitation(email, of: try checked(app: app), by: author, mails: mails)
  }

  package func testerMails(of app: String) throws -> [TesterMail] {
    try whole.testerMails(of: try checked(app: app))
  }

  package func removeTester(
    _ email: String, from group: String?, of app: String, by author: String
  ) throws {
    try whole.removeTester(email, from: group, of: try checked(app: app), by: author)
  }

  package func revokeTester(
    _ email: String, of app: String, by author: String, onlyInvitations: Bool
  ) throws -> Int {
    try whole.revokeTester(
      email, of: try checked(app: app), by: author, onlyInvitations: onlyInvitations)
  }
}
