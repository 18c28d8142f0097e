/// The outcome of storing a submission.
public struct Receipt: Equatable, Sendable {
  /// The SHA-256 of its bytes, in hexadecimal.
  public let submission: String
  /// Whether the same bytes were stored before for this app. Nothing is counted again.
  public let isDuplicate: Bool
  /// Its reports, in order; for a duplicate, those of the first time.
  public let reports: [StoredUnder]
  /// The outcome of its attachments.
  public var attachments = AttachmentReceipt()

  /// A report and its group.
  public struct StoredUnder: Equatable, Sendable {
    public let report: String
    /// `TERN-12`.
    public let group: String
    /// Whether the report opened the group.
    public let isNewGroup: Bool
    /// Whether the report showed a regression of its group, which was resolved.
    public let isRegression: Bool
    /// Whether it was only counted: no report with this id is stored.
    public var isCounted = false
  }
}
