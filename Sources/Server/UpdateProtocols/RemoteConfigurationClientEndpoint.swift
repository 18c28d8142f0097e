internal import Bytes
internal import Crypto
package import HTTP
internal import Identifiers
internal import ReportFormats
package import ServerCore
internal import Updates

/// `/config/APP.json` and `/config/APP/VERSION.json`, which apps with the RemoteConfiguration library poll.
///
/// APP is the app's name or one of its App Center secrets. A response is 200 with a document that every
/// client can decode, or 404: then clients use the last document they got, or the one they were shipped with.
///
/// Source: cellular/remoteconfiguration-swift, Manager.swift.
package struct RemoteConfigurationClientEndpoint: Sendable {
  package let context: ServerContext

  /// Seconds for which a response may be cached.
  static let lifetime = 60
  private static let suffix = ".json"
  /// The maximum number of bytes of the path component that names a release.
  private static let longestRelease = 200

  package init(context: ServerContext) {
    self.context = context
  }

  package func document(_ request: Request) -> Response {
    answer(request, app: named(request)) { _ in nil }
  }

  package func documentOfVersion(_ request: Request) -> Response {
    guard let release = named(request).flatMap(Self.release) else { return Self.nothing }
    return answer(request, app: request.parameters["app"]) { _ in release }
  }

  private func answer(
    _ request: Request, app name: String?, _ installed: (AppUpdates?) -> Release?
  ) -> Response {
    let catalog = context.updates.catalog
    guard let name,
      let app = catalog.configurations[name] == nil
        ? catalog.secrets[AppCenterLogs.canonicalID(name)] : name,
      let configuration = catalog.configurations[app]
    else { return Self.nothing }
    let updates = catalog.apps[app]
    let release = installed(updates)
    let newest = updates?.newestForConfiguration
    let offered =
      configuration.followsReleases
      ? newest : Release(version: configuration.document.availableVersion)
    var fix = KnownFixPolicy.off
    if let release, let offered {
      fix = updates?.fixPolicy(of: offered, for: release) ?? .off
    }
    let bytes = ByteView(
      configuration.answer(
        to: release, newest: newest.map { ServedConfiguration.Offer($0) }, fix: fix))
    return Response.bytes(
      bytes, type: "application/json",
      headers: [
        "Cache-Control": "public, max-age=\(Self.lifetime)", "X-Content-Type-Options": "nosniff",
      ]
    ).tagged(String(SHA256.hex(of: bytes).prefix(32)), for: request.head)
  }

  /// Returns the last path component without its suffix.
  private func named(_ request: Request) -> String? {
    guard let file = request.parameters["file"], file.hasSuffix(Self.suffix) else { return nil }
    return String(file.dropLast(Self.suffix.count))
  }

  /// `1.4.2`, `1.4.2 (512)` or `1.4.2+512`.
  static func release(_ text: String) -> Release? {
    guard text.utf8.count <= longestRelease else { return nil }
    var release = Release(text)
    if release.build.isEmpty, let plus = release.version.lastIndex(of: "+") {
      release = Release(
        version: String(release.version[..<plus]),
        build: String(release.version[release.version.index(after: plus)...]))
    }
    return release.version.isEmpty ? nil : release
  }

  private static let nothing = Response.problem(.notFound)
}

extension AppUpdates {
  /// Returns whether and how to tell an installation that the offered release fixes a crash of its own
  /// release.
  fileprivate func fixPolicy(of offered: Release, for installed: Release) -> KnownFixPolicy {
    fix(in: offered, for: installed) == nil ? .off : knownFixPolicy
  }
}
