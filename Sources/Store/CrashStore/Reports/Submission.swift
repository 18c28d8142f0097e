public import Bytes
public import CrashModel

/// The bytes as they came, with where and when.
public struct Submission: Sendable {
  /// Kept unchanged.
  public var bytes: ByteView
  /// Where they came from, for showing: a path, an address.
  public var source: String
  public var received: Timestamp
  /// The name of the app that they are stored under; it is made when it is new.
  public var app: String
  /// Whether somebody named the app for all reports in the bytes, whatever they say themselves;
  /// which report stands at which position depends on it.
  public var isAppGiven: Bool
  /// Why no report could be read; kept all the same, for a later version to try again.
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
