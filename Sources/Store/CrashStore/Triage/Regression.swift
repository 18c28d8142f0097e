internal import Database
internal import Identifiers
internal import TriageModel

/// Determines whether a report shows that a group was not fixed after all, inside a transaction.
enum Regression {
  /// Describes the versions that were compared and the order used; `nil` when the report does not
  /// show a regression.
  ///
  /// A report from a release before the fix never does, nor does one without a release if the fix
  /// names one. If the fix has no release, the time of the report decides.
  ///
  /// - Parameter time: When the group was resolved.
  static func shown(
    by report: CountedReport, against fix: GroupFix, resolved time: Timestamp,
    app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws -> String? {
    let seen = Release(version: report.version, build: report.build)
    guard fix.kind != .time, let fixed = fix.release else {
      return report.time > time ? "seen after it was resolved" : nil
    }
    guard !seen.isEmpty else { return nil }
    var order = try ReleasesTable.order(of: app, in: database)
    // A release without reports came with the fix at the latest.
    if seen.isUnordered(with: fixed) {
      order.note(seen, seen: report.time)
      if !order.hasTime(of: fixed) { order.note(fixed, seen: time) }
    }
    let isSameVersion = VersionOrder.areSame(seen.version, fixed.version)
    let isLater: Bool
    var words = "seen in \(seen.name), which is newer than \(fixed.name)"
    switch fix.kind {
    case .inRelease where fixed.build.isEmpty && isSameVersion,
      .inRelease where seen.isSame(as: fixed):
      return "seen in \(seen.name), and was resolved in \(fixed.name)"
    case .inRelease where fixed.build.isEmpty:
      let first = try ReleasesTable.oldest(
        of: fixed.version, app: app, order: order, in: database)
      isLater = order.precedes(first, seen)
    case .inRelease: isLater = order.precedes(fixed, seen)
    case .after, .next, .time:
      // Without a build in the fix, another build of its version cannot be ordered.
      let isUnknown = fixed.build.isEmpty && isSameVersion
      isLater = !isUnknown && order.precedes(fixed, seen)
    }
    words +=
      order.isByTime(fixed, seen)
      ? " by when it was first seen, as hashes have no order"
      : order.isSet ? " in the order set for the releases" : " by its number"
    return isLater ? words : nil
  }
}
