import Bytes
import CrashService
import ServerCore
import Terminal
import Updates

/// Says where users install a release of a public group from.
enum InstallPageLine {
  /// - Parameter server: The address of the server, as it was given; `nil` for a home.
  /// - Throws: The service's error.
  static func say(
    of artefacts: [Artefact], app: String, in service: any CrashService, at server: String?,
    _ console: Console
  ) throws {
    // The page has no app bundles, from which only stores install.
    let shown = artefacts.filter { $0.isEnabled && $0.package.kind != .aab }
    let published = Set(shown.flatMap(\.destinations).map(\.id))
    guard !published.isEmpty else { return }
    let isPublic = try service.distributionGroups(of: app).contains {
      $0.isPublic && published.contains($0.id)
    }
    guard isPublic else { return }
    let path = InstallPage.path(ofApp: app)
    guard var server else { return console.say("Users install it from \(path) of the server.") }
    while server.hasSuffix("/") { server.removeLast() }
    console.say("Users install it from \(server.printable + path)")
  }
}
