internal import Bytes
internal import Crypto

/// The updates available to all clients, at one moment: loaded from a home, kept in memory, and replaced
/// as a whole when part of it changes.
public struct UpdateCatalog: Sendable {
  /// Identifies the state of the home.
  public var generation: Int
  /// Updates by the name of the app.
  public var apps: [String: AppUpdates]
  /// The names of the apps by the secrets that are compiled into them.
  public var secrets: [String: String]
  /// Update tokens that are valid, by the SHA-256 of each in lower-case hexadecimal.
  public var tokens: [String: UpdateToken]
  /// The configurations served to apps with the RemoteConfiguration library, by the name of the app.
  public var configurations: [String: ServedConfiguration]

  public init(
    generation: Int, apps: [String: AppUpdates], secrets: [String: String],
    tokens: [String: UpdateToken], configurations: [String: ServedConfiguration] = [:]
  ) {
    self.configurations = configurations
    self.generation = generation
    self.apps = apps
    self.secrets = secrets
    self.tokens = tokens
  }

  /// - Parameter secret: The secret, normalised.
  public func app(ofSecret secret: String) -> AppUpdates? {
    secrets[secret].flatMap { apps[$0] }
  }

  /// The update token with this text; `nil` if it is unknown or was revoked.
  public func token(_ text: String) -> UpdateToken? {
    tokens[SHA256.hex(of: ByteView(text.utf8))]
  }
}

/// A token that lets an installed app read the releases of one app for one tester, and nothing else.
public struct UpdateToken: Hashable, Sendable {
  public var app: String
  /// The id of the tester.
  public var tester: String

  public init(app: String, tester: String) {
    self.app = app
    self.tester = tester
  }
}
