/// A key that leads to a group, as a list shows it.
public struct GroupKey: Hashable, Sendable {
  public var key: String
  /// The text of the signature, of the newest report that has the key.
  public var signature: String
  /// How many of the reports that are kept have it.
  public var reports: Int
  /// Their releases, oldest first: `1.0.0 (100)`.
  public var versions: [String]

  public init(key: String, signature: String, reports: Int, versions: [String]) {
    self.key = key
    self.signature = signature
    self.reports = reports
    self.versions = versions
  }
}
