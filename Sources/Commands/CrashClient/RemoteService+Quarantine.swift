internal import APIDocuments
package import Bytes
internal import CrashService
package import ServerStore

/// The quarantine of a server, by its API.
extension RemoteService {
  package func quarantined() throws -> [QuarantinedSubmission] {
    try all(.listQuarantined) { try QuarantinedSubmission($0) }.items
  }

  package func quarantined(_ id: Int) throws -> QuarantinedSubmission {
    do {
      return try QuarantinedSubmission(ask(.showQuarantined, "\(id)"))
    } catch let error as ServiceError where error.kind == .notFound {
      throw ServiceError.notQuarantined(id)
    }
  }

  package func body(ofQuarantined id: Int) throws -> ByteView {
    try bytes(.getQuarantined, ["\(id)"])
  }

  package func retryQuarantined(_ ids: [Int]?) throws -> Int {
    guard let ids else { return try ask(.retryAll).count("retried") }
    for id in ids { _ = try quarantined(id) }
    return try ids.reduce(0) { try $0 + ask(.retryQuarantined, "\($1)").count("retried") }
  }

  package func discardQuarantined(_ ids: [Int]?) throws -> Int {
    for id in ids ?? [] { _ = try quarantined(id) }
    let ids = try ids ?? quarantined().map(\.id)
    for id in ids { _ = try bytes(.discardQuarantined, ["\(id)"]) }
    return ids.count
  }
}
