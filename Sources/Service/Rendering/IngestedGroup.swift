internal import CrashService

/// A group that reports were stored under.
package struct IngestedGroup {
  package var id: String
  /// The number of reports stored now.
  package var reports: Int
  package var isNew: Bool
  /// Whether it was resolved, and seen again in a release in which it should be fixed.
  package var isRegressed: Bool
  package var signature: String

  /// The change in one word.
  package var news: String { isNew ? "new" : isRegressed ? "regressed" : "" }

  package init(id: String, reports: Int, isNew: Bool, isRegressed: Bool, signature: String) {
    self.id = id
    self.reports = reports
    self.isNew = isNew
    self.isRegressed = isRegressed
    self.signature = signature
  }
}
