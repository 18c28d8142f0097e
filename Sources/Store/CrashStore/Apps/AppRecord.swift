public import CrashModel

/// An app: what is released and crashes.
public struct AppRecord: Hashable, Sendable {
  public var name: String
  /// What the ids of its groups begin with: `TERN`.
  public var prefix: String
  /// With which an app's copies submit reports; they can do nothing else with it.
  public var intakeKey: String
  /// How long its reports are kept.
  public var retention: Retention
  /// The secrets under which App Center's SDKs know it, the oldest first.
  public var secrets: [String] = []
  /// Which keys are linked by likeness, where somebody set it.
  public var linking: LinkPolicy?

  /// Whether a text has the form of an intake key.
  public static func isIntakeKey(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  public init(
    name: String, prefix: String, intakeKey: String, retention: Retention, secrets: [String] = [],
    linking: LinkPolicy? = nil
  ) {
    self.name = name
    self.prefix = prefix
    self.intakeKey = intakeKey
    self.retention = retention
    self.secrets = secrets
    self.linking = linking
  }
}
