/// Why a question has no answer or a change was not made, in words for the user.
package struct ServiceError: Error, Sendable {
  /// What the caller can do about it; commands exit with a status for each, the API answers with one.
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
