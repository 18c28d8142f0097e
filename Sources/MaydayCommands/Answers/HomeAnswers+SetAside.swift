import Bytes
import CrashStore
import Pipeline
import ServerStore

/// What a server could not file, out of its home.
extension HomeAnswers {
  private func queue() throws -> (queue: IntakeQueue, store: CrashStore) {
    (IntakeQueue(in: try ServerStore(opening: store.home)), store)
  }

  func setAside() throws -> [SetAsideRecord] {
    let queue = try queue().queue
    var records: [SetAsideRecord] = []
    while true {
      let page = try queue.setAside(after: records.last?.id ?? 0)
      if page.isEmpty { return records }
      records += page
    }
  }

  func setAside(_ id: Int) throws -> SetAsideRecord {
    guard let record = try queue().queue.setAside(id) else { throw CommandFailure.notSetAside(id) }
    return record
  }

  func body(ofSetAside id: Int) throws -> ByteView {
    guard let body = try queue().queue.body(ofSetAside: id) else {
      throw CommandFailure.notSetAside(id)
    }
    return body
  }

  func retrySetAside(_ ids: [Int]?) throws -> Int {
    let queue = try queue().queue
    for id in ids ?? [] { _ = try setAside(id) }
    return try queue.retry(ids)
  }

  func discardSetAside(_ ids: [Int]?) throws -> Int {
    let (queue, store) = try queue()
    let shelf = SetAsideShelf(queue, in: store)
    for id in ids ?? [] { _ = try setAside(id) }
    var count = 0
    for id in try ids ?? setAside().map(\.id) where try shelf.discard(id) { count += 1 }
    return count
  }
}
