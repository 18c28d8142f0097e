internal import Bytes
internal import CrashModel
public import CrashStore
internal import Hashing
public import ServerStore

/// What was set aside, on its way out: the ledger counts what goes before it does.
public struct SetAsideShelf: Sendable {
  private let queue: IntakeQueue
  private let store: CrashStore

  /// What the ledger says of what somebody discarded, and of what had to make room.
  private static let reasons = (
    discarded: "set aside and discarded", crowded: "set aside, and no room for it"
  )

  public init(_ queue: IntakeQueue, in store: CrashStore) {
    self.queue = queue
    self.store = store
  }

  /// Lets the oldest go while there is more than the queue's limits allow.
  ///
  /// - Returns: How many went.
  /// - Throws: `DatabaseError`, `FileError`.
  @discardableResult
  public func trim() throws -> Int {
    let limits = queue.limits
    var gone = 0
    while true {
      let counts = try queue.counts()
      var count = counts.setAside - limits.setAside
      var bytes = counts.setAsideBytes - limits.setAsideBytes
      guard count > 0 || bytes > 0 else { return gone }
      let before = gone
      for record in try queue.setAside(atMost: 1_000) where count > 0 || bytes > 0 {
        try remove(record, reason: Self.reasons.crowded)
        gone += 1
        count -= 1
        bytes -= record.size
      }
      if gone == before { return gone }
    }
  }

  /// Takes one away for good.
  ///
  /// - Returns: Whether it was there.
  /// - Throws: `DatabaseError`, `FileError`.
  public func discard(_ id: Int) throws -> Bool {
    guard let record = try queue.setAside(id) else { return false }
    try remove(record, reason: Self.reasons.discarded)
    return true
  }

  /// Killed in between it is counted once all the same: the same bytes, place and reason are.
  private func remove(_ record: SetAsideRecord, reason: String) throws {
    if !record.isCounted {
      // Also what cannot be read any more can be thrown away.
      let body = try? queue.body(ofSetAside: record.id)
      try store.refuse(
        [
          Refusal(
            source: "submission \(record.id)", reason: reason,
            digest: body.map(SHA256.digest) ?? [], byteCount: record.size)
        ], app: record.facts[IntakeFact.app], time: record.received)
    }
    _ = try queue.discard(record.id)
  }
}
