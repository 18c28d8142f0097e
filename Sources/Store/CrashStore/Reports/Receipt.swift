/// What became of a submission.
public struct Receipt: Equatable, Sendable {
  /// The SHA-256 of its bytes, in hexadecimal.
  public let submission: String
  /// Whether the same bytes were stored before for this app. Nothing was counted again.
  public let isDuplicate: Bool
  /// Whether it was this very submission that they were stored from: it came in at the same microsecond.
  /// A worker that is killed before it can say what it did leaves that to the next.
  public let isAgain: Bool
  /// Its reports, in their order; for a duplicate those of the first time.
  public let reports: [StoredUnder]
  /// What became of its attachments.
  public var attachments = AttachmentReceipt()

  /// A report and the group that it is in.
  public struct StoredUnder: Equatable, Sendable {
    public let report: String
    /// `TERN-12`.
    public let group: String
    /// Whether the report opened the group.
    public let isNewGroup: Bool
    /// Whether the report showed that the group, which was resolved, is back.
    public let isRegression: Bool
    /// Whether it was only counted: there is no report of this id.
    public var isCounted = false
  }
}
