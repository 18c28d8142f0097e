public import Identifiers

/// The state of a report before it was reprocessed.
public struct ReportVersion: Hashable, Sendable {
  /// Counted from 1, the original version.
  public var number: Int
  /// When it was replaced.
  public var replaced: Timestamp
  /// The group that the report was in, by its name at the time.
  public var group: String
  /// The debug ids whose files arrived and caused the reprocessing.
  public var arrived: [DebugID]
  /// The SHA-256 of the document, in hexadecimal.
  public var document: String

  public init(
    number: Int, replaced: Timestamp, group: String, arrived: [DebugID], document: String
  ) {
    self.number = number
    self.replaced = replaced
    self.group = group
    self.arrived = arrived
    self.document = document
  }
}
