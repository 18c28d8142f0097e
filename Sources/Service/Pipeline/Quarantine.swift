internal import Bytes
public import CrashStore
internal import Crypto
internal import Glibc
public import ServerStore

/// Deletes submissions from quarantine; the ledger counts each before it is deleted.
public struct Quarantine: Sendable {
  private let queue: IntakeQueue
  private let store: CrashStore

  /// The ledger's reasons for submissions that were discarded, and for those deleted for lack
  /// of space.
  private static let reasons = (
    discarded: "quarantined and discarded", crowded: "dropped from the full quarantine"
  )

  public init(_ queue: IntakeQueue, in store: CrashStore) {
    self.queue = queue
    self.store = store
  }

  /// Deletes submissions beyond the queue's limits: the oldest of the owner with the most data.
  ///
  /// A sender who floods a server with unusable data, using an app's public secret or made-up ones, only
  /// displaces data of that app and of unknown senders.
  ///
  /// - Returns: The number of deleted submissions.
  /// - Throws: `DatabaseError`, `FileError`.
  @discardableResult
  public func trim() throws -> Int {
    let limits = queue.limits
    let counts = try queue.counts()
    var count = counts.quarantined - limits.quarantined
    var bytes = counts.quarantinedBytes - limits.quarantinedBytes
    guard count > 0 || bytes > 0 else { return 0 }
    var gone = 0
    var shelves = try shelves()
    while count > 0 || bytes > 0 {
      let fullest = shelves.indices.max { first, second in
        // Equal ones in a fixed order, so that two servers do the same.
        bytes > 0
          ? (shelves[first].bytes, shelves[first].owner)
            < (shelves[second].bytes, shelves[second].owner)
          : (shelves[first].left, shelves[first].owner)
            < (shelves[second].left, shelves[second].owner)
      }
      guard let fullest, let record = shelves[fullest].takeOldest() else { return gone }
      try remove(record, reason: Self.reasons.crowded)
      gone += 1
      count -= 1
      bytes -= record.size
    }
    return gone
  }

  /// The quarantined submissions of one owner, oldest first.
  private struct OwnedSubmissions {
    let owner: String
    private var records: [QuarantinedSubmission] = []
    private var taken = 0
    private(set) var bytes = 0

    init(of owner: String) { self.owner = owner }

    var left: Int { records.count - taken }

    mutating func add(_ record: QuarantinedSubmission) {
      records.append(record)
      bytes += record.size
    }

    mutating func takeOldest() -> QuarantinedSubmission? {
      guard left > 0 else { return nil }
      defer { taken += 1 }
      bytes -= records[taken].size
      return records[taken]
    }
  }

  private func shelves() throws -> [OwnedSubmissions] {
    var shelves: [String: OwnedSubmissions] = [:]
    var apps: [String: String] = [:]
    var last = 0
    while true {
      let page = try queue.quarantined(after: last)
      guard let end = page.last?.id else { return Array(shelves.values) }
      last = end
      for record in page {
        let owner = try record.route + " " + app(of: record, &apps)
        shelves[owner, default: OwnedSubmissions(of: owner)].add(record)
      }
    }
  }

  /// Returns the app that a submission names; empty if it names none.
  ///
  /// - Parameter apps: The apps of secrets that were looked up before.
  private func app(of record: QuarantinedSubmission, _ apps: inout [String: String]) throws
    -> String
  {
    if let app = record.facts[IntakeFact.app] { return app }
    guard let secret = record.facts[IntakeFact.secret] else { return "" }
    if let app = apps[secret] { return app }
    let app = try store.apps.namedApp(ofSecret: AppCenterIntake.canonicalID(secret)) ?? ""
    apps[secret] = app
    return app
  }

  /// Discards a submission for good.
  ///
  /// - Returns: Whether it existed.
  /// - Throws: `DatabaseError`, `FileError`.
  public func discard(_ id: Int) throws -> Bool {
    guard let record = try queue.quarantined(id) else { return false }
    try remove(record, reason: Self.reasons.discarded)
    return true
  }

  /// Counts and deletes a submission. If killed in between, it is still counted once.
  private func remove(_ record: QuarantinedSubmission, reason: String) throws {
    if !record.isCounted, let identity = try queue.identity(of: record.id) {
      // Unreadable submissions can be discarded, too.
      let body = try StoreError.unlessDamaged {
        do {
          return try queue.body(ofQuarantined: record.id)
        } catch let error as FileError where error.code == ENOENT {
          return nil
        }
      }
      try store.ledger.discard(
        Refusal(
          source: "submission \(record.id)", reason: reason,
          digest: body.flatMap { $0 }.map(SHA256.digest) ?? [], byteCount: record.size),
        of: identity, app: record.facts[IntakeFact.app], time: record.received)
    }
    _ = try queue.discard(record.id)
  }
}
