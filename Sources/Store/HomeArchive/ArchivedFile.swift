public import Bytes

/// A file of a home that goes into its backup, besides what the store holds.
public struct ArchivedFile: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The scrubbing rules.
    case scrubRules = "scrub.conf"
    /// The tokens of the server, a line of JSON each.
    case tokens = "tokens.ndjson"
    /// Who may sign in to the pages, a line of JSON each.
    case accounts = "accounts.ndjson"
    /// Who changed what through the server, a line of JSON each.
    case audit = "audit.ndjson"
    /// Who was erased while submissions waited, a line of JSON each.
    case erasures = "erasures.ndjson"
    /// The ignored symbols, a line of JSON each.
    case ignoredSymbols = "ignored-symbols.ndjson"
    /// Where alerts go, a line of JSON each.
    case alertTargets = "alert-targets.ndjson"
    /// The rules of alerts, a line of JSON each.
    case alertRules = "alert-rules.ndjson"

    /// Its name in the archive.
    var member: String { "files/\(rawValue)" }
  }

  /// The most bytes of one.
  static let limit = 256 << 20

  public let kind: Kind
  public let bytes: ByteView

  public init(_ kind: Kind, _ bytes: ByteView) {
    self.kind = kind
    self.bytes = bytes
  }
}
