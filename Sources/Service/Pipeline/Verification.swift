public import CrashModel

/// Whether a stored report is what its bytes and debug files make of it today.
public struct Verification: Sendable {
  /// Why the two are not the same.
  public enum Cause: Hashable, Sendable {
    /// Another version of the program made it.
    case engine(made: String, now: String)
    /// Other rules gave its signature; digests of the lists.
    case rules(made: String?, now: String?)
    /// Other rules scrubbed it; their versions.
    case scrubRules(made: String?, now: String?)
    /// Debug files were searched in another form.
    case symbolCache(made: Int?, now: Int?)
    /// It was made with a debug file that the store does not have.
    case absentDebugFile(name: String?, debugID: DebugID, digest: String)
    /// It was made with a debug file that is there, but another one is used today.
    case otherDebugFile(name: String?, debugID: DebugID, made: String, now: String)
    /// It was made with a debug file that is there, but cannot be used any more.
    case damagedDebugFile(name: String?, debugID: DebugID, digest: String)
    /// A debug file is there now that it was made without.
    case newDebugFile(name: String?, debugID: DebugID)
    /// Its document or submission cannot be read; the text of the error.
    case damage(String)
    /// Its submission holds no such report for this version.
    case unreadable(String)
    /// Everything that it was made from is the same.
    case unexplained
  }

  public let report: String
  public let group: String
  /// Empty where both are the same, byte for byte.
  public let causes: [Cause]
  /// The stored document and the one that was made now, where both are there and differ.
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
