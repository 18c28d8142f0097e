public import CrashModel

/// The remote configuration of an app as it is served, and who is told of an update in it.
public struct ServedConfiguration: Sendable {
  public var document: RemoteConfiguration
  /// Whether the newest public release is on offer, whatever version the document names.
  public var followsReleases: Bool
  /// The releases of the app that somebody put in order, oldest first.
  public var order: [Release]

  public init(
    _ document: RemoteConfiguration, followsReleases: Bool = false, order: [Release] = []
  ) {
    self.document = document
    self.followsReleases = followsReleases
    self.order = order
  }

  /// The release that is on offer.
  public struct Offer: Sendable {
    public var release: Release
    /// What the update button opens; `nil` for what the document says.
    public var url: String?

    public init(_ release: Release, url: String? = nil) {
      self.release = release
      self.url = url
    }
  }

  /// What an installation is answered.
  ///
  /// - Parameters:
  ///   - installed: What it runs; `nil` where its address doesn't say.
  ///   - newest: The newest public release, which counts where the document follows releases.
  ///   - fix: What is said of a fix for this installation.
  /// - Complexity: O(bytes of the document).
  public func answer(
    to installed: Release?, newest: Offer?, fix: KnownFixPolicy = .off
  ) -> [UInt8] {
    if followsReleases && newest == nil { return document.offering(.ignore) }
    let offer = followsReleases ? newest : nil
    let version = offer.map(\.release.shownVersion)
    guard let installed else { return document.offering(version: version, url: offer?.url) }
    let offered = offer?.release ?? Release(version: document.availableVersion)
    let isCurrent = isUpToDate(installed, with: offered)
    return document.offering(
      isCurrent ? .ignore : kind(with: fix), version: version, url: offer?.url)
  }

  private func kind(with fix: KnownFixPolicy) -> RemoteConfiguration.Kind {
    // Without alerts in every language clients could not decode it.
    guard document.hasAlerts else { return document.kind }
    return switch fix {
    case .off: document.kind
    case .suggest: document.kind == .ignore ? .recommended : document.kind
    case .require: .mandatory
    }
  }

  /// Whether what is installed is not older than what is offered. A version without a build is any of its
  /// builds.
  func isUpToDate(_ installed: Release, with offered: Release) -> Bool {
    let isVersionAlike =
      installed.version == offered.version
      || VersionOrder.compare(installed.version, offered.version) == 0
    if isVersionAlike, installed.build.isEmpty || offered.build.isEmpty { return true }
    let order = ReleaseOrder(order)
    return !order.precedes(placed(installed, \.last), placed(offered, \.first))
  }

  /// Where builds of a version were put in order, one of them stands for the version.
  private func placed(
    _ release: Release, _ choice: ([Release]) -> Release?
  ) -> Release {
    guard release.build.isEmpty else { return release }
    return choice(order.filter { $0.version == release.version }) ?? release
  }
}

extension Release {
  /// The version; the build of a release without one.
  fileprivate var shownVersion: String { version.isEmpty ? build : version }
}
