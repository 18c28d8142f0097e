public import Bytes
public import CrashModel
public import Identifiers

/// A report that was reprocessed, such as after a missing debug file arrived, ready to be written.
public struct PreparedReplacement: Sendable {
  let row: ReportRow
  let content: Content
  let arrivals: Int
  /// The number of the rules that only replace the report's signature; `nil` where it was reprocessed.
  let ruleSet: Int?

  /// - Parameters:
  ///   - id: The report's full id.
  ///   - received: The time at which its submission was received, as in its summary.
  ///   - document: The new document.
  ///   - arrivals: The value of ``CrashStore/DebugFiles/arrivals()`` before the first debug file was looked
  ///     up.
  ///   - ruleSet: The number of the rules, if only the signature is replaced.
  /// - Throws: `CompressionError` when memory is short, ``StoreError`` when `report` has no signature.
  public init(
    of id: String, received: Timestamp, by report: CrashReport, document: ByteView,
    arrivals: Int, ruleSet: Int? = nil
  ) throws {
    self.arrivals = arrivals
    self.ruleSet = ruleSet
    content = try Content(document)
    row = try ReportRow(report, id: id, received: received, document: content.digest)
  }
}
