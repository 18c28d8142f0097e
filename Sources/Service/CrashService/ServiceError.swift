/// Why a request failed, as a message for the user.
package struct ServiceError: Error, Sendable {
  /// The kind of failure; commands exit with a status for each, the API responds with one.
  package enum Kind: Sendable {
    case failed, wrongUsage, notFound, notAllowed, unreachable
  }

  package let message: String
  package let kind: Kind

  package init(_ message: String, _ kind: Kind = .failed) {
    self.message = message
    self.kind = kind
  }
}

extension ServiceError {
  package static func notQuarantined(_ id: Int) -> ServiceError {
    ServiceError("no quarantined submission has the number \(id)", .notFound)
  }
}
