public import Identifiers

/// The updates of an app available to its clients, at one moment. Queries need no input or output.
///
/// Clients have their own rules of "newer": the server responds with the newest release that a client may
/// have, and whether it must install it.
public struct AppUpdates: Sendable {
  public var app: String
  /// Artefacts that are not disabled or removed, newest first.
  public var artefacts: [Artefact]
  /// Distribution groups by id.
  public var groups: [String: DistributionGroup]
  /// Testers by id.
  public var testers: [String: Tester]
  public var rollouts: [Release: Rollout] = [:]
  /// The order of the app's releases.
  public var order = ReleaseOrder()
  /// The builds by their hashes, including those whose files are no longer offered.
  public var releasesByHash: [String: Release] = [:]
  /// Crashes that are fixed in a release.
  public var knownFixes: [KnownFix] = []
  /// Settings by the app's owner, by name.
  public var settings: [String: String] = [:]
  /// The app's salt in the stable hash of a roll-out.
  public var salt: String

  /// The recipient of an update.
  public enum Audience: Hashable, Sendable {
    case anyone
    /// A tester by id, in all of the tester's private groups.
    case tester(String)
  }

  /// A release that may be offered.
  public struct Offer: Hashable, Sendable {
    public var artefact: Artefact
    /// The destination that made it visible; among several, the first group by name.
    public var destination: Artefact.Destination
    /// A crash of the installed build that it fixes.
    public var fix: KnownFix?

    public init(artefact: Artefact, destination: Artefact.Destination) {
      self.artefact = artefact
      self.destination = destination
    }

    /// Whether the client has to install it.
    public var isMandatory: Bool { destination.isMandatory }
  }

  public init(
    app: String, artefacts: [Artefact], groups: [DistributionGroup], testers: [Tester], salt: String
  ) {
    self.app = app
    self.artefacts = artefacts
    self.groups = Dictionary(groups.map { ($0.id, $0) }) { first, _ in first }
    self.testers = Dictionary(testers.map { ($0.id, $0) }) { first, _ in first }
    self.salt = salt
  }

  /// The setting of an app with the name that scripts of App Center gave it for display.
  public static let displayNameSetting = "display_name"

  /// The rule by which one of several releases is the newest.
  public enum Precedence: Hashable, Sendable {
    /// The one that was added last: the rule of App Center's SDKs.
    case addition
    /// The last one in the ``order`` of releases.
    case release
  }

  /// The newest release available to an audience.
  ///
  /// - Parameters:
  ///   - platforms: The platforms of the client.
  ///   - installation: The id of the installation in roll-outs; `nil` gets no release that is partly rolled
  ///     out.
  ///   - installed: The hash of the installed build, which it may keep.
  ///   - isFitting: Whether the client understands the artefact.
  public func newest(
    for audience: Audience, on platforms: Set<ArtefactPlatform>, installation: String?,
    installed: String? = nil, by precedence: Precedence = .release,
    where isFitting: (Artefact) -> Bool = { _ in true }
  ) -> Offer? {
    var newest: Offer?
    for artefact in artefacts
    where platforms.contains(artefact.platform) && isFitting(artefact) {
      if let newest, !order.precedes(newest.artefact.release, artefact.release) { continue }
      guard let destination = destination(of: artefact, for: audience) else { continue }
      let hasIt = installed.map(artefact.package.hashes.contains) ?? false
      guard hasIt || isRolledOut(artefact.release, to: installation) else { continue }
      newest = Offer(artefact: artefact, destination: destination)
      if precedence == .addition { break }
    }
    guard var offer = newest else { return nil }
    guard let installed = installed.flatMap(release(ofHash:)) else { return offer }
    if let fix = fix(in: offer.artefact.release, for: installed) {
      offer.fix = fix
      if knownFixPolicy == .require { offer.destination.isMandatory = true }
    }
    if !offer.isMandatory {
      offer.destination.isMandatory = hasMandatory(
        after: installed, upTo: offer.artefact, for: audience, installation)
    }
    return offer
  }

  /// Whether a file is published to anyone.
  public var isPublishing: Bool { artefacts.contains { !$0.destinations.isEmpty } }

  /// Whether a mandatory release that an installation skipped is before an optional one.
  private func hasMandatory(
    after installed: Release, upTo offered: Artefact, for audience: Audience,
    _ installation: String?
  ) -> Bool {
    artefacts.contains { artefact in
      artefact.platform == offered.platform && artefact.package.kind != .aab
        && artefact.destinations.contains(where: \.isMandatory)
        && isUpdate(artefact.release, for: installed)
        && order.precedes(artefact.release, offered.release)
        && destination(of: artefact, for: audience)?.isMandatory == true
        && isRolledOut(artefact.release, to: installation)
    }
  }

  /// The artefacts, those of the last release in the ``order`` first.
  public var artefactsByRelease: [Artefact] {
    let releases = order.sorted(Set(artefacts.map(\.release)))
    let ranks = Dictionary(zip(releases, 0...)) { first, _ in first }
    return artefacts.sorted { one, other in
      let (left, right) = (ranks[one.release] ?? 0, ranks[other.release] ?? 0)
      return left != right ? left > right : one.number > other.number
    }
  }

  /// The destination that makes an artefact visible to an audience; among several, the mandatory one, then
  /// the first group by name.
  public func destination(
    of artefact: Artefact, for audience: Audience
  ) -> Artefact.Destination? {
    let visible = artefact.destinations.filter { destination in
      switch (audience, destination.kind) {
      case (.anyone, .group): groups[destination.id]?.isPublic == true
      case (.anyone, .tester): false
      case (.tester(let id), .tester): destination.id == id && testers[id]?.hasAccepted == true
      case (.tester(let id), .group):
        groups[destination.id]?.isPublic == false && testers[id]?.hasAccepted == true
          && testers[id]?.groups.contains(destination.id) == true
      }
    }
    return visible.min { left, right in
      if left.isMandatory != right.isMandatory { return left.isMandatory }
      return (groups[left.id]?.name ?? "", left.id) < (groups[right.id]?.name ?? "", right.id)
    }
  }

  /// Whether a release is offered to some installations, and not to others.
  public var isRollingOut: Bool {
    rollouts.values.contains { $0.pause == nil && $0.percent < 100 }
  }

  /// Whether a partly rolled-out release is offered to an installation. The same installation gets it at
  /// this share and any larger one.
  public func isRolledOut(_ release: Release, to installation: String?) -> Bool {
    guard let rollout = rollouts[release] else { return true }
    guard rollout.pause == nil else { return false }
    guard rollout.percent < 100 else { return true }
    guard let installation else { return false }
    let name = "\(salt)\n\(release.version)\n\(release.build)\n\(installation)"
    return RolloutPosition.position(of: name) < rollout.percent * 100
  }
}
