public import Identifiers

/// Compares a stored report with what its bytes and debug files give today.
public struct Verification: Sendable {
  /// Why the two differ.
  public enum Cause: Hashable, Sendable {
    /// Another version of the program made it.
    case engine(made: String, now: String)
    /// Other rules gave its signature; the digests of the lists.
    case rules(made: String?, now: String?)
    /// Other rules scrubbed it; their versions.
    case scrubRules(made: String?, now: String?)
    /// The symbol caches had another version.
    case symbolCache(made: Int?, now: Int?)
    /// It was made with a debug file that the store does not have.
    case absentDebugFile(name: String?, debugID: DebugID, digest: String)
    /// It was made with a debug file that is stored, but another one is used today.
    case otherDebugFile(name: String?, debugID: DebugID, made: String, now: String)
    /// It was made with a debug file that is stored, but can no longer be used.
    case damagedDebugFile(name: String?, debugID: DebugID, digest: String)
    /// A debug file is stored now that was missing then.
    case newDebugFile(name: String?, debugID: DebugID)
    /// Its document or submission cannot be read; the text of the error.
    case damage(String)
    /// Its submission contains no such report for this version.
    case unreadable(String)
    /// Everything that it was made from is the same.
    case unexplained
  }

  public let report: String
  public let group: String
  /// The causes; empty if both are equal, byte for byte.
  public let causes: [Cause]
  /// The stored document and today's, if both exist and differ.
  public let documents: (stored: [UInt8], now: [UInt8])?

  public var isIdentical: Bool { causes.isEmpty }

  init(
    report: String, group: String, causes: [Cause] = [],
    documents: (stored: [UInt8], now: [UInt8])? = nil
  ) {
    self.report = report
    self.group = group
    self.causes = causes
    self.documents = documents
  }
}
