internal import Bytes
public import CrashModel
public import CrashStore
internal import ReportFormats

extension CrashStore {
  /// A stored report as it was before symbolication, read from its submission again.
  ///
  /// - Returns: `nil` when the submission reads as other reports today.
  /// - Throws: `ParseError` when it reads as none; the store's error.
  public func parse(_ stored: StoredReport) throws -> CrashReport? {
    let all = try FormatTable.reports(in: submission(stored.submission))
    // Reports count by app, unless somebody named one for all. Before that was noted, it was so where
    // no report names the app itself.
    let own = all.filter { $0.appName == stored.summary.app }
    let candidates = stored.isAppGiven ?? own.isEmpty ? all : own
    return candidates.indices.contains(stored.position) ? candidates[stored.position] : nil
  }
}
