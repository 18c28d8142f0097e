package import Bytes
internal import CrashService
internal import JSON
package import ServerStore

/// The quarantine of a server, by its API.
extension RemoteService {
  package func quarantined() throws -> [QuarantinedSubmission] {
    try all("/intake", limit: nil) { try QuarantinedSubmission($0) }.items
  }

  package func quarantined(_ id: Int) throws -> QuarantinedSubmission {
    do {
      return try QuarantinedSubmission(ask("GET", "/intake/\(id)"))
    } catch let error as ServiceError where error.kind == .notFound {
      throw ServiceError.notQuarantined(id)
    }
  }

  package func body(ofQuarantined id: Int) throws -> ByteView {
    try bytes("GET", "/intake/\(id)/raw")
  }

  package func retryQuarantined(_ ids: [Int]?) throws -> Int {
    guard let ids else { return try ask("POST", "/intake/retry").count("retried") }
    for id in ids { _ = try quarantined(id) }
    return try ids.reduce(0) { try $0 + ask("POST", "/intake/\($1)/retry").count("retried") }
  }

  package func discardQuarantined(_ ids: [Int]?) throws -> Int {
    for id in ids ?? [] { _ = try quarantined(id) }
    let ids = try ids ?? quarantined().map(\.id)
    for id in ids { _ = try bytes("DELETE", "/intake/\(id)") }
    return ids.count
  }
}
