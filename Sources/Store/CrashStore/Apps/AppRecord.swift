public import TriageModel

/// An app: a product whose releases crash.
public struct AppRecord: Hashable, Sendable {
  public var name: String
  /// Prefix of its groups' ids: `TERN`.
  public var prefix: String
  /// Key with which an app's copies submit reports; it permits nothing else.
  public var intakeKey: String
  /// How long its reports are kept.
  public var retention: Retention
  /// Secrets by which App Center's SDKs identify it, the oldest first.
  public var secrets: [String] = []
  /// Policy for linking keys by likeness; `nil` where none was set.
  public var linking: LinkPolicy?
  /// Where issues about its groups are written.
  public var tracker: TicketTracker?
  /// The parts of its reports that only some roles see.
  public var protection = ReportProtection()

  /// Whether `text` has the form of an intake key.
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
