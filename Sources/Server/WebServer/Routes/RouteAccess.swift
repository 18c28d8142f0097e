package import ServerStore

/// Who may use a route of the API.
package struct RouteAccess: Sendable, Equatable {
  /// A token needs one of these; none where nobody is asked for a token.
  package let scopes: [TokenScope]
  /// Whether the key of an app will do, which is compiled into its copies.
  package let takesAppKeys: Bool
  /// Whether a token of one app is refused.
  package let isOfAllApps: Bool

  package static let anyone = RouteAccess([])
  package static let read = RouteAccess([.read])
  package static let triage = RouteAccess([.triage])
  package static let symbols = RouteAccess([.symbols])
  package static let releases = RouteAccess([.releases])
  /// What was released, and to whom.
  package static let readReleases = RouteAccess([.read, .releases])
  package static let ingest = RouteAccess([.ingest])
  package static let admin = RouteAccess([.admin], isOfAllApps: true)
  /// Submitting reports, and asking what became of them.
  package static let submissions = RouteAccess([.ingest], takesAppKeys: true)
  /// Uploads in parts, of whatever the token may send.
  package static let uploads = RouteAccess([.symbols, .ingest])
  /// Debug files, whoever handed them in: which app one belongs to, nobody knows.
  package static let allDebugFiles = RouteAccess([.symbols], isOfAllApps: true)
  /// Figures of the server.
  package static let figures = RouteAccess([.read], isOfAllApps: true)

  package init(_ scopes: [TokenScope], takesAppKeys: Bool = false, isOfAllApps: Bool = false) {
    self.scopes = scopes
    self.takesAppKeys = takesAppKeys
    self.isOfAllApps = isOfAllApps
  }

  /// The scopes in words: `symbols or ingest`.
  package var text: String {
    scopes.isEmpty ? "none" : scopes.map(\.rawValue).joined(separator: " or ")
  }
}
