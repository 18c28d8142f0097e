package import CrashModel
package import CrashStore
package import Updates

/// What somebody does with a roll-out.
package enum RolloutChange: Hashable, Sendable {
  /// Offers the release to so many percent of the installations.
  case share(Int)
  /// Nobody new is offered it.
  case pause
  /// Goes on with it. Only people do that.
  case resume
  /// Looks at how it does, and pauses it if it crashes more often.
  case look
}

/// Releases that are offered to a share of the installations.
package protocol RolloutService {
  /// The builds of a release with their roll-outs.
  ///
  /// - Parameters:
  ///   - release: A version without a build stands for all of its builds.
  ///   - app: `nil` where one app alone has that release.
  func rollouts(of release: Release, app: String?) throws -> [ReleaseRollout]
  /// - Returns: The builds as they are then.
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
          "\(release.name.printable) is not rolled out in part: give a share first, such as 25%",
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
