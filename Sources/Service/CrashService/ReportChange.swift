internal import Bytes
internal import CrashStore
package import Identifiers
internal import ReportDocument

/// One of the changes that a stored report went through, from one document to the next.
package struct ReportChange {
  package let report: String
  /// The number of the change, counted from 1.
  package let number: Int
  /// The number of changes.
  package let count: Int
  package let time: Timestamp
  package let arrived: [DebugID]
  /// The groups before and after.
  package let groups: (old: String, new: String)
  package let diff: ReportDiff

  /// - Parameter number: Counted from 1; `nil` for the last.
  /// - Returns: `nil` if the report was never reprocessed.
  /// - Throws: ``ServiceError`` for a change that does not exist or is no longer stored.
  package init?(
    _ number: Int?, of versions: ReportVersions, from service: any CrashService
  ) throws {
    let all = versions.versions
    guard let last = all.last else { return nil }
    let wanted = number ?? last.number
    guard let index = all.firstIndex(where: { $0.number == wanted }) else {
      let kept = all.map { String($0.number) }.joined(separator: ", ")
      throw ServiceError("there is no change \(wanted); available: \(kept)", .notFound)
    }
    let version = all[index]
    let next = all.indices.contains(index + 1) ? all[index + 1] : nil
    report = versions.report
    self.number = version.number
    count = last.number
    time = version.replaced
    arrived = version.arrived
    groups = (version.group, next?.group ?? versions.group)
    diff = ReportDiff(
      from: try service.document(ofReport: report, version: version.number).report,
      to: try service.document(ofReport: report, version: next?.number).report)
  }
}
