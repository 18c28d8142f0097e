public import Identifiers

/// A crash of an app that is fixed in a release.
public struct KnownFix: Hashable, Sendable {
  /// `TERN-12`, the present name: merged groups share one.
  public var group: String
  /// The release in which a user resolved the group; a version without a build means all of its builds.
  public var release: Release
  /// The oldest known build of that release.
  public var first: Release
  /// The releases that had the crash.
  public var seen: Set<Release>

  public init(group: String, release: Release, first: Release, seen: Set<Release>) {
    self.group = group
    self.release = release
    self.first = first
    self.seen = seen
  }

  /// Whether the crash is fixed in a release: in the fixed one, and in all that follow.
  public func isFixed(in other: Release, order: ReleaseOrder) -> Bool {
    if other.isEmpty { return false }
    if other.isBuild(of: release) { return true }
    // Without a build, it is unknown whether it has the fix.
    if VersionOrder.areSame(other.version, release.version), other.build.isEmpty { return false }
    return order.precedes(first, other)
  }

  /// Whether a release had the crash and lacks the fix. A report without a build means all builds of its
  /// version, and so does an installed version without a known build.
  public func isNeeded(by installed: Release, order: ReleaseOrder) -> Bool {
    guard !installed.isEmpty, hasSeen(installed) else { return false }
    // Some of its builds may have the fix.
    if installed.build.isEmpty, VersionOrder.areSame(installed.version, release.version) {
      return false
    }
    return !isFixed(in: installed, order: order)
  }

  private func hasSeen(_ installed: Release) -> Bool {
    if seen.contains(installed) { return true }
    guard !installed.version.isEmpty else { return false }
    return seen.contains { $0.mayBe(installed) }
  }
}

/// A fix that a client may install.
public struct OfferedFix: Hashable, Sendable {
  public var fix: KnownFix
  /// The release with the fix.
  public var offer: AppUpdates.Offer

  public init(fix: KnownFix, offer: AppUpdates.Offer) {
    self.fix = fix
    self.offer = offer
  }
}

extension AppUpdates {
  /// The setting of an app with its ``KnownFixPolicy``.
  public static let knownFixSetting = "known-fix"

  /// The policy for offering releases that fix a client's crash.
  public var knownFixPolicy: KnownFixPolicy {
    settings[Self.knownFixSetting].flatMap { KnownFixPolicy(rawValue: $0) } ?? .suggest
  }

  /// Whether a release is an update for a client with another one: later in the order of releases.
  public func isUpdate(_ release: Release, for installed: Release) -> Bool {
    !installed.isEmpty && !release.isEmpty && order.precedes(installed, release)
  }

  /// The build with a hash, even if its file is no longer offered.
  public func release(ofHash hash: String) -> Release? { releasesByHash[hash] }

  /// The first fix in an offered release for a crash of the installed one.
  ///
  /// There is none for a build that has the fix, or if the offered release comes before the installed one.
  public func fix(in offered: Release, for installed: Release) -> KnownFix? {
    guard knownFixPolicy != .off, isUpdate(offered, for: installed) else { return nil }
    return knownFixes.first {
      $0.isNeeded(by: installed, order: order) && $0.isFixed(in: offered, order: order)
    }
  }

  /// A fix for a document that all clients of a release read: in the newest release that is public and fully
  /// rolled out.
  public func fix(for installed: Release, on platforms: Set<ArtefactPlatform>) -> OfferedFix? {
    guard let offer = newest(for: .anyone, on: platforms, installation: nil),
      let fix = fix(in: offer.artefact.release, for: installed)
    else { return nil }
    return OfferedFix(fix: fix, offer: offer)
  }

  /// A fix for a client that reported a crash: in the newest available release that fixes it.
  ///
  /// - Parameters:
  ///   - group: The group of the report.
  ///   - installed: The release that crashed.
  ///   - installation: The id of the installation in roll-outs.
  public func fix(
    ofGroup group: String, for installed: Release, audience: Audience,
    on platforms: Set<ArtefactPlatform>, installation: String?
  ) -> OfferedFix? {
    guard knownFixPolicy != .off,
      let fix = knownFixes.first(where: { $0.group == group }),
      !installed.isEmpty, !fix.isFixed(in: installed, order: order)
    else { return nil }
    var best: Offer?
    for artefact in artefacts where platforms.contains(artefact.platform) {
      guard isUpdate(artefact.release, for: installed),
        fix.isFixed(in: artefact.release, order: order),
        let destination = destination(of: artefact, for: audience),
        isRolledOut(artefact.release, to: installation)
      else { continue }
      // The newer of two files of a release is offered.
      if let found = best, !order.precedes(found.artefact.release, artefact.release) { continue }
      best = Offer(artefact: artefact, destination: destination)
    }
    return best.map { OfferedFix(fix: fix, offer: $0) }
  }
}
