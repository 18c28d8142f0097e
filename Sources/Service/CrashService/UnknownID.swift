package import CrashStore

/// An id that matches nothing, or more than one report, with similar ids.
package struct UnknownID: Error, Sendable {
  package enum Cause: Sendable {
    case notFound(NearMatches)
    /// Reports whose ids begin with it.
    case ambiguous([ReportSummary])
  }

  /// The id as given.
  package let id: String
  package let cause: Cause

  package init(id: String, cause: Cause) {
    self.id = id
    self.cause = cause
  }
}
