internal import Identifiers

/// A client of App Center's SDKs that checks for an update.
public struct SDKClient: Hashable, Sendable {
  public var audience: AppUpdates.Audience
  /// The systems that it may be on.
  public var platforms: Set<ArtefactPlatform>
  /// The id of the installation in roll-outs.
  public var installation: String?
  /// The hash of the installed build.
  public var hash: String?
  /// Whether only a file that a device can install counts.
  public var isInstallPage = false

  public init(
    audience: AppUpdates.Audience, platforms: Set<ArtefactPlatform>, installation: String? = nil,
    hash: String? = nil, isInstallPage: Bool = false
  ) {
    self.audience = audience
    self.platforms = platforms
    self.installation = installation
    self.hash = hash
    self.isInstallPage = isInstallPage
  }
}

extension AppUpdates {
  /// The release that App Center's SDKs are offered: the one added last. An app bundle, which only stores
  /// install, is offered if there is nothing else.
  public func newest(for client: SDKClient) -> Offer? {
    let installable = newest(for: client) { $0.package.kind != .aab }
    if installable != nil || client.isInstallPage { return installable }
    return newest(for: client) { _ in true }
  }

  private func newest(for client: SDKClient, where isFitting: (Artefact) -> Bool) -> Offer? {
    newest(
      for: client.audience, on: client.platforms, installation: client.installation,
      installed: client.hash, by: .addition
    ) { $0.isReadableBySDK && isFitting($0) }
  }
}

extension Artefact {
  /// Whether the platform's SDK accepts an answer with this file at all.
  public var isReadableBySDK: Bool {
    guard platform == .android else { return true }
    return Int32(release.build) != nil && !package.hashes.isEmpty
  }
}
