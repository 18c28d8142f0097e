public import Bytes

/// A file of a home that is included in its backup, in addition to the store.
public struct ArchivedFile: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The scrubbing rules.
    case scrubRules = "scrub.conf"
    /// The tokens of the server, one JSON object per line.
    case tokens = "tokens.ndjson"
    /// The accounts for the pages, one JSON object per line.
    case accounts = "accounts.ndjson"
    /// The audit log of the server, one JSON object per line.
    case audit = "audit.ndjson"
    /// The erasures requested while submissions were waiting, one JSON object per line.
    case erasures = "erasures.ndjson"
    /// The ignored symbols, one JSON object per line.
    case ignoredSymbols = "ignored-symbols.ndjson"
    /// The targets of alerts, one JSON object per line.
    case alertTargets = "alert-targets.ndjson"
    /// The alert rules, one JSON object per line.
    case alertRules = "alert-rules.ndjson"

    /// Its name in the archive.
    var member: String { "files/\(rawValue)" }
  }

  /// Maximum size of one file in bytes.
  static let limit = 256 << 20

  public let kind: Kind
  public let bytes: ByteView

  public init(_ kind: Kind, _ bytes: ByteView) {
    self.kind = kind
    self.bytes = bytes
  }
}
