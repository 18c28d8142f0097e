import Arguments
import CrashStore
import Identifiers

/// The release that debug files belong to.
struct ReleaseOptions {
  @Option(
    "--release", help: "The release they belong to: 1.4.0, or '1.4.0 (512)' with the build.",
    value: "VERSION")
  var release: String?
  @Option(
    "-a", "--app",
    help: "The app they belong to; with --release, optional if there is only one app.",
    value: "NAME")
  var app: String?

  /// - Returns: `nil` if no release was named.
  func release(in store: CrashStore?) throws -> (app: String, release: Release)? {
    guard let release else { return nil }
    let named = Release(release)
    guard !named.isEmpty else { throw UsageError("--release must be a version") }
    if let app { return (app, named) }
    let apps = try store?.apps.list().map(\.name) ?? []
    guard let only = apps.first, apps.count == 1 else {
      throw UsageError(
        apps.isEmpty
          ? "--release needs --app: there is no app yet"
          : "--release needs --app: the apps are \(apps.joined(separator: ", "))")
    }
    return (only, named)
  }
}
