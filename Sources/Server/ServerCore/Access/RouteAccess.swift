package import ServerStore

/// The access requirements of a route of the API.
package struct RouteAccess: Sendable, Equatable {
  /// The scopes of which a token needs one; empty if no token is required.
  package let scopes: [TokenScope]
  /// Whether an app key, which is compiled into the app, is enough.
  package let takesAppKeys: Bool
  /// Whether a token for one app is refused.
  package let isOfAllApps: Bool

  package static let anyone = RouteAccess([])
  package static let read = RouteAccess([.read])
  package static let triage = RouteAccess([.triage])
  package static let symbols = RouteAccess([.symbols])
  package static let releases = RouteAccess([.releases])
  /// Access to releases and their recipients.
  package static let readReleases = RouteAccess([.read, .releases])
  package static let ingest = RouteAccess([.ingest])
  package static let admin = RouteAccess([.admin], isOfAllApps: true)
  /// Submitting reports, and asking for their outcome.
  package static let submissions = RouteAccess([.ingest], takesAppKeys: true)
  /// Uploads in parts, of any kind that the token may send.
  package static let uploads = RouteAccess([.symbols, .ingest])
  /// Debug files of any sender: it is unknown which app one belongs to.
  package static let allDebugFiles = RouteAccess([.symbols], isOfAllApps: true)
  /// Tools of the Model Context Protocol: the token's scopes decide which of them are there.
  package static let tools = RouteAccess([.read, .triage, .symbols])
  /// Figures of the server.
  package static let figures = RouteAccess([.read], isOfAllApps: true)

  package init(_ scopes: [TokenScope], takesAppKeys: Bool = false, isOfAllApps: Bool = false) {
    self.scopes = scopes
    self.takesAppKeys = takesAppKeys
    self.isOfAllApps = isOfAllApps
  }

  /// The scopes as text: `symbols or ingest`.
  package var text: String {
    scopes.isEmpty ? "none" : scopes.map(\.rawValue).joined(separator: " or ")
  }
}
