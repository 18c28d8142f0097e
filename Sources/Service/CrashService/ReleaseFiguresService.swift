internal import Bytes
package import CrashStore
package import Identifiers

/// Figures of releases.
package protocol ReleaseFiguresService {
  /// Returns the figures of a release.
  ///
  /// - Parameters:
  ///   - release: A version without a build means all of its builds.
  ///   - app: `nil` if only one app has that release.
  ///   - days: The number of days of sessions; `nil` for the default.
  func figures(of release: Release, app: String?, days: Int?) throws -> ReleaseFigures
}

extension LocalService {
  package func figures(of release: Release, app: String?, days: Int?) throws -> ReleaseFigures {
    try store.releases.figures(
      of: release, app: try app ?? owner(of: release),
      days: days ?? CrashStore.Releases.figureDays.usual, now: .now)
  }

  /// Returns the only app that has a release.
  package func owner(of release: Release) throws -> String {
    let apps = try store.releases.apps(with: release)
    guard let only = apps.first else {
      throw ServiceError("no app has a release \(release.name.printable)", .notFound)
    }
    guard apps.count == 1 else {
      let names = apps.map(\.printable).joined(separator: ", ")
      throw ServiceError(
        "\(release.name.printable) is a release of several apps: name one of \(names)", .wrongUsage)
    }
    return only
  }
}

extension ScopedService {
  package func figures(of release: Release, app: String?, days: Int?) throws -> ReleaseFigures {
    try whole.figures(of: release, app: try checked(app: app), days: days)
  }
}
