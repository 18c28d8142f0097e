internal import Bytes
internal import CrashService
package import HTTP
internal import Identifiers
package import ServerCore
internal import Updates

/// The property list that iOS installs an app from.
///
/// Source: Apple's format for over-the-air installation: `items`, each with `assets` and `metadata`.
package struct ManifestEndpoint: Sendable {
  private let context: ServerContext

  package init(context: ServerContext) { self.context = context }

  package func add(to router: inout Router, below prefix: String) {
    router.get(prefix + "/public/apps/:app/releases/:release/ios_manifest") { try answer($0) }
  }

  private func answer(_ request: Request) throws -> Response {
    let found = try DownloadsEndpoint.find(
      request.head, app: context.updates.catalog.name(ofApp: request.parameters["app"] ?? ""),
      number: request.parameters["release"] ?? "", in: context)
    switch found {
    case .failure(.unknown):
      return DistributeRefusal.refusal(.notFound, "not_found", "Error: Release not found")
    case .failure(.forbidden), .failure(.expired):
      return DistributeRefusal.refusal(
        .forbidden, "forbidden", "The token does not match the release, or has expired.")
    case .success(let found):
      guard found.artefact.platform == .iOS else {
        return DistributeRefusal.refusal(
          .badRequest, "bad_request", "Release \(found.artefact.number) is not for iOS.")
      }
      return .bytes(
        ByteView(Self.manifest(of: found, context.downloads, request.head).utf8),
        type: "text/xml; charset=utf-8")
    }
  }

  private static func manifest(
    of found: DownloadsEndpoint.Found, _ links: DownloadLinks, _ head: RequestHead
  ) -> String {
    let artefact = found.artefact
    func address(_ file: DownloadLinks.LinkedFile) -> String {
      links.address(
        of: file, of: artefact, for: found.reader, at: MountPoint.base(of: head), now: .now)
    }
    var assets = [asset("software-package", address(.file))]
    if artefact.icon != nil { assets.append(asset("display-image", address(.icon))) }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>items</key>
        <array>
          <dict>
            <key>assets</key>
            <array>
      \(assets.joined(separator: "\n"))
            </array>
            <key>metadata</key>
            <dict>
              <key>bundle-identifier</key>
              <string>\(escaped(artefact.package.identifier ?? ""))</string>
              <key>bundle-version</key>
              <string>\(escaped(artefact.release.build))</string>
              <key>kind</key>
              <string>software</string>
              <key>title</key>
              <string>\(escaped(artefact.package.name ?? artefact.app))</string>
            </dict>
          </dict>
        </array>
      </dict>
      </plist>

      """
  }

  private static func asset(_ kind: String, _ address: String) -> String {
    """
            <dict>
              <key>kind</key>
              <string>\(kind)</string>
              <key>url</key>
              <string>\(escaped(address))</string>
            </dict>
    """
  }

  /// Returns text for an XML document, without the characters that XML can't contain.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case _ where scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar): break
      case "\u{fffe}", "\u{ffff}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension UpdateCatalog {
  /// Returns the name of an app that an address names by its App-Secret, its id, or its name; another text is
  /// returned as it is.
  func name(ofApp text: String) -> String {
    if apps[text] != nil { return text }
    if let updates = app(ofSecret: text.lowercased()) { return updates.app }
    return apps.values.first { AppCenterCall.uuid($0.salt) == text.lowercased() }?.app ?? text
  }
}
