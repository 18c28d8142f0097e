public import Bytes
public import Identifiers

/// Bytes as they were received, with their source and time.
public struct Submission: Sendable {
  /// The bytes, kept unchanged.
  public var bytes: ByteView
  /// The source, for display: a path, an address.
  public var source: String
  public var received: Timestamp
  /// The name of the app that they are stored under; a new app is created.
  public var app: String
  /// Whether the app was given for all reports in the bytes, whatever they name themselves; the
  /// position of each report depends on it.
  public var isAppGiven: Bool
  /// The reason why no report could be read; the bytes are kept, so that a later version can try again.
  public var problem: String?

  public init(
    bytes: ByteView, source: String, received: Timestamp, app: String, isAppGiven: Bool = false,
    problem: String? = nil
  ) {
    self.bytes = bytes
    self.source = source
    self.received = received
    self.app = app
    self.isAppGiven = isAppGiven
    self.problem = problem
  }
}
