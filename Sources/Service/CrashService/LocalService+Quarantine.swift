package import Bytes
internal import CrashStore
internal import Pipeline
package import ServerStore

/// Submissions that a server could not store, from its home.
extension LocalService {
  private func queue() throws -> (queue: IntakeQueue, store: CrashStore) {
    (IntakeQueue(in: try ServerStore(opening: store.home)), store)
  }

  package func quarantined() throws -> [QuarantinedSubmission] {
    let queue = try queue().queue
    var records: [QuarantinedSubmission] = []
    while true {
      let page = try queue.quarantined(after: records.last?.id ?? 0)
      if page.isEmpty { return records }
      records += page
    }
  }

  package func quarantined(_ id: Int) throws -> QuarantinedSubmission {
    guard let record = try queue().queue.quarantined(id) else {
      throw ServiceError.notQuarantined(id)
    }
    return record
  }

  package func body(ofQuarantined id: Int) throws -> ByteView {
    guard let body = try queue().queue.body(ofQuarantined: id) else {
      throw ServiceError.notQuarantined(id)
    }
    return body
  }

  package func retryQuarantined(_ ids: [Int]?) throws -> Int {
    let queue = try queue().queue
    for id in ids ?? [] { _ = try quarantined(id) }
    return try queue.retry(ids)
  }

  package func discardQuarantined(_ ids: [Int]?) throws -> Int {
    let (queue, store) = try queue()
    let shelf = Quarantine(queue, in: store)
    for id in ids ?? [] { _ = try quarantined(id) }
    var count = 0
    for id in try ids ?? quarantined().map(\.id) where try shelf.discard(id) { count += 1 }
    return count
  }
}
