public import CrashModel

/// A crash of an app that is fixed in a release.
public struct KnownFix: Hashable, Sendable {
  /// `TERN-12`, as it is called now: groups that were merged stand under one.
  public var group: String
  /// In which it is fixed, as somebody resolved the group; a version without a build stands for all of them.
  public var release: Release
  /// The oldest build of that release that is known.
  public var first: Release
  /// The releases that crashed with it.
  public var seen: Set<Release>

  public init(group: String, release: Release, first: Release, seen: Set<Release>) {
    self.group = group
    self.release = release
    self.first = first
    self.seen = seen
  }

  /// Whether the crash is fixed in a release: in that of the fix, and in all that follow.
  public func isFixed(in other: Release, order: ReleaseOrder) -> Bool {
    if other.isEmpty { return false }
    if other.isBuild(of: release) { return true }
    // Of a build that is not named nothing is known.
    if VersionOrder.areSame(other.version, release.version), other.build.isEmpty { return false }
    return order.precedes(first, other)
  }

  /// Whether a release crashed with it and has no fix. A report that names no build stands for all builds of
  /// its version, and so does an installed version of which no build is known.
  public func isNeeded(by installed: Release, order: ReleaseOrder) -> Bool {
    guard !installed.isEmpty, hasSeen(installed) else { return false }
    // Some of its builds have the fix.
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

/// A fix that somebody may have.
public struct OfferedFix: Hashable, Sendable {
  public var fix: KnownFix
  /// The release that has it.
  public var offer: AppUpdates.Offer

  public init(fix: KnownFix, offer: AppUpdates.Offer) {
    self.fix = fix
    self.offer = offer
  }
}

extension AppUpdates {
  /// The setting of an app with its ``KnownFixPolicy``.
  public static let knownFixSetting = "known-fix"

  /// What clients are told of releases that fix a crash of theirs.
  public var knownFixPolicy: KnownFixPolicy {
    settings[Self.knownFixSetting].flatMap { KnownFixPolicy(rawValue: $0) } ?? .suggest
  }

  /// Whether a release is an update for one who has another: a later one in the order of releases.
  public func isUpdate(_ release: Release, for installed: Release) -> Bool {
    !installed.isEmpty && !release.isEmpty && order.precedes(installed, release)
  }

  /// The build with a hash, also of a file that is offered no more.
  public func release(ofHash hash: String) -> Release? { releasesByHash[hash] }

  /// The first fix that an offered release has for a crash of the installed one.
  ///
  /// Never for a build that has the fix, and never where the offered release comes before the installed one.
  public func fix(in offered: Release, for installed: Release) -> KnownFix? {
    guard knownFixPolicy != .off, isUpdate(offered, for: installed) else { return nil }
    return knownFixes.first {
      $0.isNeeded(by: installed, order: order) && $0.isFixed(in: offered, order: order)
    }
  }

  /// What a document says that everybody reads who has a release: a fix in the newest release that is for
  /// everybody, and rolled out to all.
  public func fix(for installed: Release, on platforms: Set<ArtefactPlatform>) -> OfferedFix? {
    guard let offer = newest(for: .anyone, on: platforms, installation: nil),
      let fix = fix(in: offer.artefact.release, for: installed)
    else { return nil }
    return OfferedFix(fix: fix, offer: offer)
  }

  /// What one who reported a crash is told: the newest release that fixes it, of those that they may have.
  ///
  /// - Parameters:
  ///   - group: That the report is in.
  ///   - installed: That crashed.
  ///   - installation: What names it in roll-outs.
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
      // Of two files of a release the newer one.
      if let found = best, !order.precedes(found.artefact.release, artefact.release) { continue }
      best = Offer(artefact: artefact, destination: destination)
    }
    return best.map { OfferedFix(fix: fix, offer: $0) }
  }
}
