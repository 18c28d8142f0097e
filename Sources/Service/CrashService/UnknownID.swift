package import CrashStore

/// An id that names nothing, or more than one report, with what it may have been meant to be.
package struct UnknownID: Error, Sendable {
  package enum Cause: Sendable {
    case notFound(NearMatches)
    /// Reports that begin like this.
    case ambiguous([ReportSummary])
  }

  /// As it was given.
  package let id: String
  package let cause: Cause

  package init(id: String, cause: Cause) {
    self.id = id
    self.cause = cause
  }
}
