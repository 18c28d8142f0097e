package import Bytes

/// Why a request failed, as a message for the user.
package struct ServiceError: Error, Sendable {
  package let message: String
  package let kind: FailureKind
  /// Whether another role would be allowed to.
  package var isAboutRole = false

  package init(_ message: String, _ kind: FailureKind = .failed) {
    self.message = message
    self.kind = kind
  }
}

extension ServiceError {
  package static func notQuarantined(_ id: Int) -> ServiceError {
    ServiceError("no quarantined submission has the number \(id)", .notFound)
  }
}
