package import Identifiers
package import Updates

/// A client of App Center's SDKs whose check for an update is explained; for Android of version 5.0.2 or later,
/// which is offered only what a device can install.
package struct CheckQuestion: Hashable, Sendable {
  package var platform: ArtefactPlatform
  /// The installed release; empty if only its hash is known.
  package var installed: Release
  /// The hash that the SDK computes for the installed build; `nil` for that of a known build.
  package var hash: String?
  /// The version of the system, for Android the API level.
  package var system: String?
  /// The email address of a tester; `nil` for anyone.
  package var tester: String?
  /// The only public group that counts, as for SDKs before version 3.
  package var group: String?
  /// The id of the installation in roll-outs.
  package var installation: String?

  /// The systems with an SDK that checks.
  package static let platforms: [ArtefactPlatform] = [.iOS, .android]

  package init(
    platform: ArtefactPlatform, installed: Release = Release(version: ""), hash: String? = nil,
    system: String? = nil, tester: String? = nil, group: String? = nil, installation: String? = nil
  ) {
    self.platform = platform
    self.installed = installed
    self.hash = hash
    self.system = system
    self.tester = tester
    self.group = group
    self.installation = installation
  }
}

extension AppUpdates {
  /// Explains a check.
  ///
  /// - Parameters:
  ///   - tester: The id of the question's tester.
  ///   - group: The id of the question's group.
  ///   - files: All files of the app, the last one added first.
  func explanation(
    of question: CheckQuestion, tester: String?, group: String?, files: [Artefact]
  ) -> CheckExplanation {
    var updates = self
    if let group { updates.groups = updates.groups.filter { $0.key == group } }
    let installed =
      question.installed.isEmpty
      ? question.hash.flatMap(release(ofHash:)) ?? question.installed : question.installed
    // A device has one of them: which one, only its architecture tells.
    let known = releasesByHash.filter { $0.value == installed }.keys.min()
    let client = SDKClient(
      audience: tester.map { .tester($0) } ?? .anyone, platforms: [question.platform],
      installation: question.installation ?? tester, hash: question.hash ?? known,
      isInstallPage: question.platform == .android)
    return updates.explanation(
      for: client, on: question.platform, installed: installed, system: question.system,
      files: files)
  }
}
