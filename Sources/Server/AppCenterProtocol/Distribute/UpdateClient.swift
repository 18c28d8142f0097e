internal import Bytes
package import HTTP
internal import Pipeline
package import ServerCore
package import Updates

/// A client that checks for an update: its app, its system, and whether it is a tester's.
///
/// All that it reads of a request must be in `UpdateAnswers.Question`, too: equal questions get one answer.
package struct UpdateClient {
  package let updates: AppUpdates
  package let audience: AppUpdates.Audience
  package let head: RequestHead

  /// - Parameter needsToken: Whether an update token is required; otherwise one is used if sent.
  package static func of(
    _ head: RequestHead, in catalog: UpdateCatalog, token policy: TokenPolicy
  ) -> Result<UpdateClient, Refused> {
    guard let updates = catalog.app(ofSecret: secret(of: head)) else {
      return .failure(Refused(.unknownApp))
    }
    guard let text = updateToken(in: head, policy) else {
      if policy == .needed { return .failure(Refused(.unknownToken)) }
      return .success(UpdateClient(updates: updates, audience: .anyone, head: head))
    }
    guard let token = catalog.token(text) else {
      return .failure(Refused(.unknownToken))
    }
    guard token.app == updates.app else { return .failure(Refused(.otherApp)) }
    return .success(
      UpdateClient(updates: updates, audience: .tester(token.tester), head: head))
  }

  /// Returns the update token that a client sent, where the route looks at it.
  package static func updateToken(in head: RequestHead, _ policy: TokenPolicy) -> String? {
    policy == .ignored ? nil : head.headers["x-api-token"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the App-Secret named by the path, in one spelling.
  package static func secret(of head: RequestHead) -> String {
    AppCenterIntake.canonicalID(head.parameters["secret"] ?? "")
  }

  package enum TokenPolicy: Sendable {
    case ignored
    case optional
    case needed
  }

  package struct Refused: Error {
    package let refusal: DistributeRefusal

    package init(_ refusal: DistributeRefusal) { self.refusal = refusal }
  }

  package var reader: DownloadLinks.Reader {
    switch audience {
    case .anyone: .anyone
    case .tester(let id): .tester(id)
    }
  }

  /// The hash that the SDK computes for the running build.
  package var releaseHash: String? { head.query["release_hash"]?.lowercased() }

  /// The installation's id in roll-outs. SDKs send an id only after an update; a tester is identified by the
  /// token, anyone else by the network.
  package var installation: String {
    if let id = head.query["install_id"], UUIDText.isUUID(id) { return id.lowercased() }
    if case .tester(let id) = audience { return id }
    return head.network
  }

  // MARK: The system

  /// The systems that the client may be on.
  package var platforms: Set<ArtefactPlatform> {
    if asksForInstallableFile { return [.android] }
    let agent = head.headers["User-Agent"]?.lowercased() ?? ""
    if ["dalvik", "okhttp", "android"].contains(where: agent.contains) { return [.android] }
    if ["cfnetwork", "darwin"].contains(where: agent.contains) { return [.iOS] }
    if let releaseHash,
      let artefact = updates.artefacts.first(where: { $0.package.hashes.contains(releaseHash) })
    {
      return [artefact.platform]
    }
    return [.iOS, .android]
  }

  private var asksForInstallableFile: Bool {
    head.query["is_install_page"]?.lowercased() == "true"
  }

  // MARK: The release

  /// Returns the client limited to one public group: nothing of another group is offered.
  package func ofGroup(_ id: String) -> UpdateClient {
    var updates = updates
    let group = updates.groups.first { $0.key.lowercased() == id.lowercased() }?.value
    updates.groups = group.map { [$0.id: $0] } ?? [:]
    return UpdateClient(updates: updates, audience: audience, head: head)
  }

  /// Returns the newest release for the client that its SDK can install.
  package func newest() -> AppUpdates.Offer? {
    updates.newest(
      for: SDKClient(
        audience: audience, platforms: platforms, installation: installation, hash: releaseHash,
        isInstallPage: asksForInstallableFile))
  }
}

/// UUIDs as texts.
package enum UUIDText {
  /// Whether a text is a UUID in its usual form, in any letter case.
  package static func isUUID(_ text: String) -> Bool {
    let lengths = [8, 4, 4, 4, 12]
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == lengths.count
      && zip(parts, lengths).allSatisfy { part, length in
        part.utf8.count == length
          && part.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
            default: false
            }
          }
      }
  }
}
