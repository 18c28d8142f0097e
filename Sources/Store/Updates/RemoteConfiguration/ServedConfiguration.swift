public import Identifiers

/// The remote configuration of an app as it is served, and the recipients of its update.
public struct ServedConfiguration: Sendable {
  public var document: RemoteConfiguration
  /// Whether the newest public release is on offer, whatever version the document names.
  public var followsReleases: Bool
  /// The releases of the app in the order set by a user, oldest first.
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
    /// The address that the update button opens; `nil` for the one in the document.
    public var url: String?

    public init(_ release: Release, url: String? = nil) {
      self.release = release
      self.url = url
    }
  }

  /// The response to an installation.
  ///
  /// - Parameters:
  ///   - installed: The installed release; `nil` where the request's address lacks it.
  ///   - newest: The newest public release, which is used where the document follows releases.
  ///   - fix: The policy for a fix for this installation.
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
    // Without alerts in every language, clients could not decode the document.
    guard document.hasAlerts else { return document.kind }
    return switch fix {
    case .off: document.kind
    case .suggest: document.kind == .ignore ? .recommended : document.kind
    case .require: .mandatory
    }
  }

  /// Whether the installed release is not older than the offered one. A version without a build means any
  /// of its builds.
  func isUpToDate(_ installed: Release, with offered: Release) -> Bool {
    let isVersionAlike =
      installed.version == offered.version
      || VersionOrder.compare(installed.version, offered.version) == 0
    if isVersionAlike, installed.build.isEmpty || offered.build.isEmpty { return true }
    let order = ReleaseOrder(order)
    return !order.precedes(placed(installed, \.last), placed(offered, \.first))
  }

  /// If builds of a version have an order, one of them represents the version.
  private func placed(
    _ release: Release, _ choice: ([Release]) -> Release?
  ) -> Release {
    guard release.build.isEmpty else { return release }
    return choice(order.filter { $0.version == release.version }) ?? release
  }
}

extension AppUpdates {
  /// The release that a configuration offers which follows releases: the newest that every user on iOS may
  /// have.
  public var newestForConfiguration: Release? {
    newest(for: .anyone, on: [.iOS], installation: nil)?.artefact.release
  }
}

extension Release {
  /// The version; the build of a release without one.
  public var shownVersion: String { version.isEmpty ? build : version }
}
