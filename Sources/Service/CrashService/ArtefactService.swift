package import CrashStore
package import Identifiers
package import Updates

/// Release files and their recipients.
package protocol ArtefactService {
  // MARK: Artefacts

  /// Returns an app's artefacts, newest first.
  ///
  /// - Parameter release: Only artefacts of this release; for a version without a build, of all its builds.
  func artefacts(of app: String, release: Release?) throws -> [Artefact]
  /// Stores the file at `path`.
  ///
  /// - Parameters:
  ///   - fileName: The name from which its kind is derived.
  ///   - release: Required if the file does not state it; otherwise it must match the file.
  func addArtefact(
    _ path: String, named fileName: String, release: Release?, to app: String, by author: String
  ) throws -> Artefact
  func editArtefact(
    _ number: Int, of app: String, _ edit: CrashStore.Distribution.Edit, by author: String
  ) throws -> Artefact
  func publishArtefact(
    _ number: Int, of app: String, to audience: ArtefactAudience, by author: String
  ) throws -> Artefact
  func withdrawArtefact(
    _ number: Int, of app: String, from audience: ArtefactAudience, by author: String
  ) throws -> Artefact
  /// Returns the executables and libraries in a file that have an id but no debug file: their crashes would
  /// show addresses.
  func binariesWithoutDebugFile(
    inArtefact number: Int, of app: String
  ) throws -> [AppPackage.Binary]
  /// Returns why published files of an app reach fewer clients than expected, or none; newest file first.
  ///
  /// - Parameter release: Only files of this release; for a version without a build, of all its builds.
  func releaseWarnings(of app: String, release: Release?) throws -> [ReleaseWarning]
  func removeArtefact(_ number: Int, of app: String, by author: String) throws
  /// Explains what a client is offered when it checks for an update.
  func explainCheck(_ question: CheckQuestion, of app: String) throws -> CheckExplanation
  /// Returns the history of an app's releases, oldest first.
  func distributionHistory(of app: String, release: Release?) throws -> [DistributionEvent]

  // MARK: Groups

  func distributionGroups(of app: String) throws -> [DistributionGroup]
  func addDistributionGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup
  /// Renames a group, or makes it public or private. `nil` leaves a value unchanged.
  func editDistributionGroup(
    _ name: String, of app: String, name newName: String?, isPublic: Bool?, by author: String
  ) throws -> DistributionGroup
  func removeDistributionGroup(_ name: String, of app: String, by author: String) throws

  // MARK: Testers

  func testers(of app: String) throws -> [Tester]
  /// - Parameter mails: Whether the invitation is mailed; `nil` mails it where a mail server is set up.
  func inviteTester(
    _ email: String, to group: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester
  /// Replaces a tester's open invitations by a new one.
  ///
  /// - Parameter mails: Whether it is mailed; `nil` mails it where a mail server is set up.
  func resendInvitation(
    _ email: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester
  /// - Parameter group: `nil` removes the tester from the app.
  func removeTester(
    _ email: String, from group: String?, of app: String, by author: String
  ) throws
  /// Revokes everything that was given to a tester, and returns the number of revoked items.
  ///
  /// - Parameter onlyInvitations: Whether sessions and update tokens stay.
  func revokeTester(
    _ email: String, of app: String, by author: String, onlyInvitations: Bool
  ) throws -> Int
  /// Returns the mails to an app's testers, newest first.
  func testerMails(of app: String) throws -> [TesterMail]
}

/// The recipients that an artefact is published to or withdrawn from, by name.
package struct ArtefactAudience: Hashable, Sendable {
  /// Names or ids of groups.
  package var groups: [String]
  /// Email addresses of testers.
  package var testers: [String]
  package var isMandatory: Bool
  /// Whether the testers get a mail, each one for each file.
  package var isNotified: Bool

  package init(
    groups: [String] = [], testers: [String] = [], isMandatory: Bool = false,
    isNotified: Bool = false
  ) {
    self.groups = groups
    self.testers = testers
    self.isMandatory = isMandatory
    self.isNotified = isNotified
  }
}

/// An invited tester.
package struct InvitedTester: Hashable, Sendable {
  package var tester: Tester
  /// The secret of the invitation, which is stored nowhere else.
  package var invitation: String
  /// Whether it is mailed to the tester.
  package var isMailed: Bool

  package init(tester: Tester, invitation: String, isMailed: Bool) {
    self.tester = tester
    self.invitation = invitation
    self.isMailed = isMailed
  }
}
