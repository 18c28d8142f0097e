/// A file that was refused, and why.
public struct Refusal: Hashable, Sendable {
  /// The source of the file, for display.
  public var source: String
  public var reason: String
  /// The SHA-256 of its bytes; empty when they could not be read.
  public var digest: [UInt8]
  /// Its length in bytes.
  public var byteCount: Int
  /// Whether the ledger has it from the same submission of a queue: if it is known, it is not counted.
  public var isRepeated = false

  public init(source: String, reason: String, digest: [UInt8] = [], byteCount: Int = 0) {
    self.source = source
    self.reason = reason
    self.digest = digest
    self.byteCount = byteCount
  }
}

/// The number of files of an app that were refused for a reason.
public struct RefusalCount: Hashable, Sendable {
  /// `nil` where no app was given.
  public var app: String?
  public var reason: String
  public var files: Int
  /// The source of one of them.
  public var example: String
}
