internal import CrashService

/// A group that reports were stored under.
package struct IngestedGroup {
  package var id: String
  /// How many were stored now.
  package var reports: Int
  package var isNew: Bool
  /// Whether it had been resolved, and was seen in a release in which it should be gone.
  package var isRegressed: Bool
  package var signature: String

  /// Its change, in a word.
  package var news: String { isNew ? "new" : isRegressed ? "regressed" : "" }

  package init(id: String, reports: Int, isNew: Bool, isRegressed: Bool, signature: String) {
    self.id = id
    self.reports = reports
    self.isNew = isNew
    self.isRegressed = isRegressed
    self.signature = signature
  }
}
