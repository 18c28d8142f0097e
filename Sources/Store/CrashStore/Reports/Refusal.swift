/// A file that was refused, and why.
public struct Refusal: Hashable, Sendable {
  /// Where it came from, for showing.
  public var source: String
  public var reason: String
  /// The SHA-256 of its bytes; empty when they could not be read.
  public var digest: [UInt8]
  /// Its length.
  public var byteCount: Int

  public init(source: String, reason: String, digest: [UInt8] = [], byteCount: Int = 0) {
    self.source = source
    self.reason = reason
    self.digest = digest
    self.byteCount = byteCount
  }
}

/// How many files of an app were refused for a reason.
public struct RefusalCount: Hashable, Sendable {
  /// `nil` where no app was given.
  public var app: String?
  public var reason: String
  public var files: Int
  /// Where one of them came from.
  public var example: String
}
