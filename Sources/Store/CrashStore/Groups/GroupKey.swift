/// A key that leads to a group, as a list shows it.
public struct GroupKey: Hashable, Sendable {
  public var key: String
  /// The signature's text in the newest report with the key.
  public var signature: String
  /// Number of stored reports with the key.
  public var reports: Int
  /// The releases of these reports, oldest first: `1.0.0 (100)`.
  public var versions: [String]

  public init(key: String, signature: String, reports: Int, versions: [String]) {
    self.key = key
    self.signature = signature
    self.reports = reports
    self.versions = versions
  }
}
