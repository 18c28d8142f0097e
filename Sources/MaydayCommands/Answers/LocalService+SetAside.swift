import Bytes
import CrashStore
import Pipeline
import ServerStore

/// What a server could not file, out of its home.
extension LocalService {
  private func queue() throws -> (queue: IntakeQueue, store: CrashStore) {
    (IntakeQueue(in: try ServerStore(opening: store.home)), store)
  }

  func quarantined() throws -> [QuarantinedSubmission] {
    let queue = try queue().queue
    var records: [QuarantinedSubmission] = []
    while true {
      let page = try queue.quarantined(after: records.last?.id ?? 0)
      if page.isEmpty { return records }
      records += page
    }
  }

  func quarantined(_ id: Int) throws -> QuarantinedSubmission {
    guard let record = try queue().queue.quarantined(id) else {
      throw CommandFailure.notQuarantined(id)
    }
    return record
  }

  func body(ofQuarantined id: Int) throws -> ByteView {
    guard let body = try queue().queue.body(ofQuarantined: id) else {
      throw CommandFailure.notQuarantined(id)
    }
    return body
  }

  func retryQuarantined(_ ids: [Int]?) throws -> Int {
    let queue = try queue().queue
    for id in ids ?? [] { _ = try quarantined(id) }
    return try queue.retry(ids)
  }

  func discardQuarantined(_ ids: [Int]?) throws -> Int {
    let (queue, store) = try queue()
    let shelf = Quarantine(queue, in: store)
    for id in ids ?? [] { _ = try quarantined(id) }
    var count = 0
    for id in try ids ?? quarantined().map(\.id) where try shelf.discard(id) { count += 1 }
    return count
  }
}
