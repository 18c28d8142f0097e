package import CrashModel
package import CrashStore
package import Updates

/// Releases as files, and whom they are for.
package protocol ArtefactService {
  // MARK: Artefacts

  /// The newest first.
  ///
  /// - Parameter release: Only of this one; of a version without a build of all of its builds.
  func artefacts(of app: String, release: Release?) throws -> [Artefact]
  /// Files what lies at `path`.
  ///
  /// - Parameters:
  ///   - fileName: What its kind follows from.
  ///   - release: Needed where the file doesn't say it; else it must be what the file says.
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
  /// The executables and libraries in a file that have an id, and no debug file: their crashes would show
  /// addresses.
  func binariesWithoutDebugFile(
    inArtefact number: Int, of app: String
  ) throws -> [AppPackage.Binary]
  func removeArtefact(_ number: Int, of app: String, by author: String) throws
  /// The history of an app's releases, the oldest line first.
  func distributionHistory(of app: String, release: Release?) throws -> [DistributionEvent]

  // MARK: Groups

  func distributionGroups(of app: String) throws -> [DistributionGroup]
  func addDistributionGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup
  /// Gives a group another name, or makes it public or private. What is `nil` stays.
  func editDistributionGroup(
    _ name: String, of app: String, name newName: String?, isPublic: Bool?, by author: String
  ) throws -> DistributionGroup
  func removeDistributionGroup(_ name: String, of app: String, by author: String) throws

  // MARK: Testers

  func testers(of app: String) throws -> [Tester]
  func inviteTester(
    _ email: String, to group: String, of app: String, by author: String
  ) throws -> InvitedTester
  /// - Parameter group: `nil` takes the tester away from the app.
  func removeTester(
    _ email: String, from group: String?, of app: String, by author: String
  ) throws
  /// Ends everything that a tester was given. How much there was.
  func revokeTester(_ email: String, of app: String, by author: String) throws -> Int
}

/// Whom an artefact is published to, or withdrawn from, by name.
package struct ArtefactAudience: Hashable, Sendable {
  /// Names or ids of groups.
  package var groups: [String]
  /// Email addresses of testers.
  package var testers: [String]
  package var isMandatory: Bool

  package init(groups: [String] = [], testers: [String] = [], isMandatory: Bool = false) {
    self.groups = groups
    self.testers = testers
    self.isMandatory = isMandatory
  }
}

/// Somebody who was invited.
package struct InvitedTester: Hashable, Sendable {
  package var tester: Tester
  /// The secret of the invitation, which is nowhere else.
  package var invitation: String

  package init(tester: Tester, invitation: String) {
    self.tester = tester
    self.invitation = invitation
  }
}
