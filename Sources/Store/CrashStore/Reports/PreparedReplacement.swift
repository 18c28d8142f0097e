public import Bytes
public import CrashModel

/// A report that was reprocessed, such as after a missing debug file arrived, ready to be written.
public struct PreparedReplacement: Sendable {
  let row: ReportRow
  let content: Content
  let arrivals: Int
  /// The number of the rules for which the report was only signed again; `nil` where it was reprocessed.
  let ruleSet: Int?

  /// - Parameters:
  ///   - id: The report's id, whole.
  ///   - received: When its submission came, as its summary says.
  ///   - document: The new document.
  ///   - arrivals: What ``CrashStore/DebugFiles/arrivals()`` was before the first debug file was looked for.
  ///   - ruleSet: The number of the rules for which the report was only signed again.
  /// - Throws: `CompressionError` when memory is short, ``StoreError`` when `report` has no signature.
  public init(
    of id: String, received: Timestamp, by report: CrashReport, document: ByteView,
    arrivals: Int, ruleSet: Int? = nil
  ) throws {
    self.arrivals = arrivals
    self.ruleSet = ruleSet
    content = try Content(compressing: document)
    row = try ReportRow(report, id: id, received: received, document: content.digest)
  }
}
