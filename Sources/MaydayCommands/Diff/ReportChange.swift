import CrashModel
import CrashStore
import ReportDocument

/// One of the changes that a stored report went through, from one document to the next.
struct ReportChange {
  let report: String
  /// Counted from 1.
  let number: Int
  /// How many changes there were.
  let count: Int
  let time: Timestamp
  let arrived: [DebugID]
  /// The groups before and after.
  let groups: (old: String, new: String)
  let diff: ReportDiff

  /// - Parameter number: Counted from 1; `nil` for the last.
  /// - Returns: `nil` when the report is as it was when it came.
  /// - Throws: ``CommandFailure`` for a change that there is not, or that is kept no more.
  init?(_ number: Int?, of stored: StoredReport, in store: CrashStore) throws {
    let versions = try store.versions(of: stored.summary.id)
    guard let last = versions.last else { return nil }
    let wanted = number ?? last.number
    guard let index = versions.firstIndex(where: { $0.number == wanted }) else {
      let kept = versions.map { String($0.number) }.joined(separator: ", ")
      throw CommandFailure("no change \(wanted) is kept; these are: \(kept)", .notFound)
    }
    let version = versions[index]
    let next = versions.indices.contains(index + 1) ? versions[index + 1] : nil
    let old = try FiledReport(document: store.document(of: version)).report
    let new = try FiledReport(document: next.map { try store.document(of: $0) } ?? stored.document)
    report = stored.summary.id
    self.number = version.number
    count = last.number
    time = version.replaced
    arrived = version.arrived
    groups = (version.group, next?.group ?? stored.summary.group)
    diff = ReportDiff(from: old, to: new.report)
  }
}
