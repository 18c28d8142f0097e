internal import Bytes
package import CrashStore
package import Identifiers
package import Updates

/// A change of a roll-out.
package enum RolloutChange: Hashable, Sendable {
  /// Offers the release to this percentage of the installations.
  case share(Int)
  /// Stops offering it to further installations.
  case pause
  /// Resumes it. Only users do that.
  case resume
  /// Checks its crash rate, and pauses it if it crashes more often.
  case look
}

/// Partial roll-outs of releases.
package protocol RolloutService {
  /// Returns the builds of a release with their roll-outs.
  ///
  /// - Parameters:
  ///   - release: A version without a build means all of its builds.
  ///   - app: `nil` if only one app has that release.
  func rollouts(of release: Release, app: String?) throws -> [ReleaseRollout]
  /// - Returns: The builds after the change.
  func rollOut(
    _ release: Release, app: String?, _ change: RolloutChange, by author: String
  ) throws -> [ReleaseRollout]
  /// Sets how clients learn of releases that fix their crashes.
  func setKnownFixPolicy(_ policy: KnownFixPolicy, of app: String, by author: String) throws
}

extension LocalService {
  package func setKnownFixPolicy(
    _ policy: KnownFixPolicy, of app: String, by author: String
  ) throws {
    try store.distribution.set(
      AppUpdates.knownFixSetting, to: policy.rawValue, of: app, by: author)
  }

  package func rollouts(of release: Release, app: String?) throws -> [ReleaseRollout] {
    let app = try app ?? owner(of: release)
    let builds = try store.distribution.rollouts(of: release, app: app)
    guard !builds.isEmpty else {
      throw ActionError.noSuchRelease(release.name, app: app, near: nil)
    }
    return builds
  }

  package func rollOut(
    _ release: Release, app: String?, _ change: RolloutChange, by author: String
  ) throws -> [ReleaseRollout] {
    let app = try app ?? owner(of: release)
    let builds = try rollouts(of: release, app: app)
    switch change {
    case .look: return try store.distribution.checkRollouts(of: release, app: app, now: .now)
    case .share(let percent):
      for build in builds {
        try store.distribution.setRollout(
          Rollout(percent: percent, pause: build.rollout?.pause), of: build.release, app: app,
          .rolledOut, "\(percent) %", by: author)
      }
    case .pause, .resume:
      let rolledOut = builds.filter { $0.rollout != nil }
      guard !rolledOut.isEmpty else {
        throw ServiceError(
          "\(release.name.printable) has no partial roll-out: set a share first, such as 25%",
          .wrongUsage)
      }
      for build in rolledOut {
        let isPaused = change == .pause
        guard (build.rollout?.pause != nil) != isPaused else { continue }
        try store.distribution.setRollout(
          Rollout(
            percent: build.rollout?.percent ?? 100, pause: isPaused ? "by \(author)" : nil),
          of: build.release, app: app, isPaused ? .paused : .resumed, "", by: author)
      }
    }
    return try rollouts(of: release, app: app)
  }
}

extension ScopedService {
  package func setKnownFixPolicy(
    _ policy: KnownFixPolicy, of app: String, by author: String
  ) throws { throw appRefusal }

  package func rollouts(of release: Release, app: String?) throws -> [ReleaseRollout] {
    try whole.rollouts(of: release, app: try checked(app: app))
  }

  package func rollOut(
    _ release: Release, app: String?, _ change: RolloutChange, by author: String
  ) throws -> [ReleaseRollout] {
    try whole.rollOut(release, app: try checked(app: app), change, by: author)
  }
}
