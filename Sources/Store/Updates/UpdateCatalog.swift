internal import Bytes
internal import Hashing

/// What all clients may be offered, at one moment: loaded from a home, kept in memory, and replaced as a
/// whole when something of it changes.
public struct UpdateCatalog: Sendable {
  /// Which state of the home it is.
  public var generation: Int
  /// By the name of the app.
  public var apps: [String: AppUpdates]
  /// The names of the apps by the secrets that are compiled into them.
  public var secrets: [String: String]
  /// Update tokens that are valid, by the SHA-256 of each in lower-case hexadecimal.
  public var tokens: [String: UpdateToken]
  /// What apps with the RemoteConfiguration library are served, by the name of the app.
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

  /// - Parameter secret: In one spelling.
  public func app(ofSecret secret: String) -> AppUpdates? {
    secrets[secret].flatMap { apps[$0] }
  }

  /// Whose an update token is; `nil` for one that is unknown or was revoked.
  public func token(_ text: String) -> UpdateToken? {
    tokens[SHA256.hex(of: ByteView(text.utf8))]
  }
}

/// What lets an installed app read the releases of one app for one tester, and nothing else.
public struct UpdateToken: Hashable, Sendable {
  public var app: String
  /// The id of the tester.
  public var tester: String

  public init(app: String, tester: String) {
    self.app = app
    self.tester = tester
  }
}
