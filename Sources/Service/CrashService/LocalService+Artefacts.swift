internal import Bytes
package import CrashStore
package import Identifiers
internal import ServerStore
package import Updates

extension LocalService {
  private var distribution: CrashStore.Distribution { store.distribution }

  // MARK: Artefacts

  package func artefacts(of app: String, release: Release?) throws -> [Artefact] {
    try distribution.artefacts(of: app, release: release)
  }

  package func addArtefact(
    _ path: String, named fileName: String, release: Release?, to app: String, by author: String
  ) throws -> Artefact {
    try addArtefact(
      path, named: fileName, release: release, to: app, upload: nil, by: author)
  }

  /// - Parameter upload: The id of its upload, which creates at most one artefact.
  package func addArtefact(
    _ path: String, named fileName: String, release: Release?, to app: String, upload: String?,
    by author: String
  ) throws -> Artefact {
    guard let kind = ArtefactKind(fileName: fileName) else {
      throw DistributionError.unknownKind(fileName)
    }
    let bytes = try ByteView(mapping: path)
    guard !bytes.isEmpty else { throw DistributionError.emptyFile(fileName) }
    var (package, icon) = try ArtefactReading.read(bytes, named: fileName, as: kind)
    try package.take(release, file: fileName)
    return try distribution.add(
      bytes, named: fileName, package: package, icon: icon, to: app, upload: upload, by: author)
  }

  package func editArtefact(
    _ number: Int, of app: String, _ edit: CrashStore.Distribution.Edit, by author: String
  ) throws -> Artefact {
    try distribution.edit(number, of: app, edit, by: author)
  }

  package func publishArtefact(
    _ number: Int, of app: String, to audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    try distribution.publish(
      number, of: app, to: destinations(of: audience, app: app), by: author,
      notifies: audience.isNotified && mails(true))
  }

  package func withdrawArtefact(
    _ number: Int, of app: String, from audience: ArtefactAudience, by author: String
  ) throws -> Artefact {
    for destination in try destinations(of: audience, app: app) {
      try distribution.withdraw(
        number, of: app, from: destination.kind, id: destination.id, by: author)
    }
    return try distribution.artefact(number, of: app)
  }

  private func destinations(
    of audience: ArtefactAudience, app: String
  ) throws -> [Artefact.Destination] {
    try audience.groups.map {
      Artefact.Destination(
        .group, id: try distribution.group($0, of: app).id, isMandatory: audience.isMandatory)
    }
      + audience.testers.map {
        Artefact.Destination(
          .tester, id: try distribution.tester($0, of: app).id, isMandatory: audience.isMandatory)
      }
  }

  package func binariesWithoutDebugFile(
    inArtefact number: Int, of app: String
  ) throws -> [AppPackage.Binary] {
    try distribution.artefact(number, of: app).package.binaries.filter { binary in
      guard let debugID = binary.debugID else { return false }
      return try store.debugFiles.list(for: debugID).allSatisfy {
        $0.kind == DebugFileRecord.sourcesKind
      }
    }
  }

  package func releaseWarnings(of app: String, release: Release?) throws -> [ReleaseWarning] {
    let updates = try distribution.updates(of: app)
    let systems = try distribution.systems(of: app)
    return updates.artefacts.filter { artefact in
      guard let release else { return true }
      return artefact.release.version == release.version
        && (release.build.isEmpty || artefact.release.build == release.build)
    }.flatMap { updates.warnings(of: $0, systems: systems) }
  }

  package func removeArtefact(_ number: Int, of app: String, by author: String) throws {
    try distribution.remove(number, of: app, by: author)
  }

  package func explainCheck(_ question: CheckQuestion, of app: String) throws -> CheckExplanation {
    let files = try distribution.artefacts(of: app, release: nil)
    let tester = try question.tester.map { try distribution.tester($0, of: app).id }
    let group = try question.group.map { try distribution.group($0, of: app) }
    if let group, !group.isPublic {
      throw ServiceError(
        "\(group.name) is a private group: name one of its testers instead", .wrongUsage)
    }
    guard let updates = try distribution.catalog().apps[app] else {
      return CheckExplanation(
        app: app, platform: question.platform, installed: question.installed, result: .none,
        reason: "\(app) has no release files.", files: [])
    }
    return updates.explanation(of: question, tester: tester, group: group?.id, files: files)
  }

  package func distributionHistory(
    of app: String, release: Release?
  ) throws -> [DistributionEvent] {
    try distribution.history(of: app, release: release)
  }

  // MARK: Groups

  package func distributionGroups(of app: String) throws -> [DistributionGroup] {
    try distribution.groups(of: app)
  }

  package func addDistributionGroup(
    _ name: String, isPublic: Bool, to app: String, by author: String
  ) throws -> DistributionGroup {
    try distribution.addGroup(name, isPublic: isPublic, to: app, by: author)
  }

  package func editDistributionGroup(
    _ name: String, of app: String, name newName: String?, isPublic: Bool?, by author: String
  ) throws -> DistributionGroup {
    try distribution.editGroup(name, of: app, name: newName, isPublic: isPublic, by: author)
  }

  package func removeDistributionGroup(_ name: String, of app: String, by author: String) throws {
    try distribution.removeGroup(name, of: app, by: author)
  }

  // MARK: Testers

  package func testers(of app: String) throws -> [Tester] { try distribution.testers(of: app) }

  package func inviteTester(
    _ email: String, to group: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester {
    InvitedTester(
      try distribution.invite(
        email, to: group, of: app, by: author, mails: self.mails(mails)))
  }

  package func resendInvitation(
    _ email: String, of app: String, by author: String, mails: Bool?
  ) throws -> InvitedTester {
    InvitedTester(
      try distribution.inviteAgain(email, of: app, by: author, mails: self.mails(mails)))
  }

  /// Whether a mail is sent.
  ///
  /// - Parameter asked: `nil` for a mail where a mail server is set up.
  /// - Throws: ``ServiceError`` if a mail is asked for, and no mail server is set up.
  private func mails(_ asked: Bool?) throws -> Bool {
    guard asked != false else { return false }
    let table = AlertsTable(in: try ServerStore(opening: home))
    guard try table.testerMailing() == nil else { return true }
    guard asked == true else { return false }
    let reason =
      try table.serverURL() == nil
      ? "start mayday serve once, with --server-url"
      : "mayday alerts target NAME --smtp URL --testers sets one up"
    throw ServiceError("no mail can be sent to testers: " + reason, .wrongUsage)
  }

  package func testerMails(of app: String) throws -> [TesterMail] {
    try distribution.mails(of: app)
  }

  package func removeTester(
    _ email: String, from group: String?, of app: String, by author: String
  ) throws {
    if let group {
      try distribution.removeTester(email, from: group, of: app, by: author)
    } else {
      try distribution.removeTester(email, of: app, by: author)
    }
  }

  package func revokeTester(
    _ email: String, of app: String, by author: String, onlyInvitations: Bool
  ) throws -> Int {
    onlyInvitations
      ? try distribution.revokeInvitations(ofTester: email, of: app, by: author)
      : try distribution.revokeSecrets(ofTester: email, of: app, by: author)
  }
}

extension InvitedTester {
  init(_ invited: CrashStore.Distribution.Invited) {
    self.init(
      tester: invited.tester, invitation: invited.invitation, isMailed: invited.isMailed)
  }
}

extension AppPackage {
  /// Uses the release stated by the uploader, if the file itself doesn't state it.
  ///
  /// - Throws: ``DistributionError`` if the two differ, or neither states a version.
  mutating func take(_ release: Release?, file: String) throws {
    if let release {
      let own = self.release
      let isOther =
        !own.version.isEmpty && !release.version.isEmpty && own.version != release.version
        || !own.build.isEmpty && !release.build.isEmpty && own.build != release.build
      guard !isOther else {
        throw DistributionError.otherRelease(file, says: own.name, given: release.name)
      }
      if own.version.isEmpty, !release.version.isEmpty { version = release.version }
      if own.build.isEmpty, !release.build.isEmpty { build = release.build }
    }
    guard version?.isEmpty == false else { throw DistributionError.noVersion(file) }
  }
}
