internal import CrashService
package import Bytes
internal import CrashModel
internal import JSON
package import ServerStore

/// What a server could not file, by its API.
extension RemoteService {
  package func quarantined() throws -> [QuarantinedSubmission] {
    var records: [QuarantinedSubmission] = []
    while true {
      let page = try quarantined(after: records.last?.id ?? 0)
      if page.isEmpty { return records }
      records += page
    }
  }

  private func quarantined(after last: Int) throws -> [QuarantinedSubmission] {
    try ask("GET", "/intake", [("after", String(last))]).elements { try QuarantinedSubmission($0) }
  }

  package func quarantined(_ id: Int) throws -> QuarantinedSubmission {
    guard id > 0, let found = try quarantined(after: id - 1).first, found.id == id else {
      throw ServiceError.notQuarantined(id)
    }
    return found
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
