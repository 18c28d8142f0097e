internal import Bytes
internal import CrashModel
internal import Dispatch
internal import Glibc
internal import JSON
internal import SQLite
internal import Synchronization

/// Submissions between their acknowledgement and the store: written and synced when ``submit(_:)``
/// returns, taken away when they are filed.
///
/// Those that come at a time share one sync: whoever comes while the disk is busy waits for it, and
/// then one of the waiting writes for all of them.
public final class IntakeQueue: Sendable {
  let store: ServerStore
  public let limits: IntakeLimits
  private let line = Mutex(Line())
  /// What waits, as far as this process knows: counted anew from time to time, for others take from it.
  private let load = Mutex(Load())

  /// How long the counts of a queue hold, in seconds.
  private static let countInterval = 1

  public init(in store: ServerStore, limits: IntakeLimits = IntakeLimits()) {
    self.store = store
    self.limits = limits
  }

  private struct Load {
    var waiting = 0
    var bytes = 0
    /// When it was counted, in seconds.
    var time: Int?
  }

  private struct Line {
    var pending: [Ticket] = []
    var isWriting = false
  }

  /// A submission and whoever waits for it.
  private final class Ticket: Sendable {
    let record: IntakeRecord
    /// The file with its body, when that is large.
    let file: String?
    let facts: String
    private let turn = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    init(_ record: IntakeRecord, file: String?) {
      self.record = record
      self.file = file
      var writer = JSONWriter()
      writer.beginObject()
      for (name, value) in record.facts.sorted(by: { $0.key < $1.key }) {
        writer.key(name)
        writer.string(value)
      }
      writer.endObject()
      facts = String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    func finish(_ result: Result<Void, any Error>) {
      outcome.withLock { $0 = result }
      turn.signal()
    }

    /// Lets it write for all that wait.
    func lead() { turn.signal() }

    /// - Returns: What became of it; `nil` where it is to write.
    func wait() -> Result<Void, any Error>? {
      turn.wait()
      return outcome.withLock { $0 }
    }
  }

  /// Keeps a submission; it is on the disk when this returns.
  ///
  /// - Throws: ``IntakeError``; nothing of the submission is kept then.
  public func submit(_ record: IntakeRecord) throws(IntakeError) {
    try admit(record.body.count)
    do {
      let file = record.body.count > limits.bodyInRow ? try store.bodies.write(record.body) : nil
      do {
        try enter(Ticket(record, file: file))
      } catch {
        if let file { store.bodies.remove(file) }
        throw error
      }
    } catch {
      throw Self.refusal(error)
    }
    load.withLock {
      $0.waiting += 1
      $0.bytes += record.body.count
    }
  }

  /// Whether a submission of `size` bytes would be accepted now, before its body is read.
  ///
  /// - Throws: ``IntakeError/queueFull(waiting:bytes:)``
  public func admit(_ size: Int) throws(IntakeError) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let known = load.withLock { $0 }
    var (waiting, bytes) = (known.waiting, known.bytes)
    if known.time.map({ now.tv_sec - $0 >= Self.countInterval }) ?? true {
      do {
        let counts = try counts()
        (waiting, bytes) = (counts.waiting, counts.waitingBytes)
        load.withLock { $0 = Load(waiting: waiting, bytes: bytes, time: now.tv_sec) }
      } catch {
        throw Self.refusal(error)
      }
    }
    guard waiting < limits.waiting, bytes + size <= limits.waitingBytes else {
      throw .queueFull(waiting: waiting, bytes: bytes)
    }
  }

  private func enter(_ ticket: Ticket) throws {
    let isFirst = line.withLock { line in
      line.pending.append(ticket)
      defer { line.isWriting = true }
      return !line.isWriting
    }
    if !isFirst, let result = ticket.wait() { return try result.get() }
    // It is its turn: what has gathered is written as one.
    let group = line.withLock { line in
      let group = Array(line.pending.prefix(limits.group))
      line.pending.removeFirst(group.count)
      return group
    }
    let result = Result { try write(group) }
    for other in group where other !== ticket { other.finish(result) }
    let next = line.withLock { line in
      if line.pending.isEmpty { line.isWriting = false }
      return line.pending.first
    }
    next?.lead()
    try result.get()
  }

  private func write(_ group: [Ticket]) throws {
    try store.write { database in
      for ticket in group {
        let record = ticket.record
        try database.run(
          "INSERT INTO intake (received, route, facts, size, body, file) VALUES (?, ?, ?, ?, ?, ?)",
          record.received.microseconds, record.route, ticket.facts, record.body.count,
          ticket.file == nil ? SQLValue.blob(record.body.array) : .null,
          ticket.file.map(SQLValue.text) ?? .null)
      }
      try Self.count(group.count, as: "accepted", in: database)
    }
  }

  static func count(
    _ count: Int, as name: String, in database: borrowing Connection
  ) throws(DatabaseError) {
    try database.run(
      """
      INSERT INTO intake_totals VALUES (?1, ?2)
      ON CONFLICT (name) DO UPDATE SET count = count + ?2
      """, name, count)
  }

  static func refusal(_ error: any Error) -> IntakeError {
    switch error {
    case let error as IntakeError: error
    case let error as DatabaseError where error.kind == .full: .diskFull("\(error)")
    case let error as FileError where [ENOSPC, EDQUOT].contains(error.code): .diskFull("\(error)")
    default: .storage("\(error)")
    }
  }

  // MARK: What is there

  public func counts() throws -> QueueCounts {
    try store.read { database in
      var counts = QueueCounts()
      let rows = try database.prepare("SELECT state, count, bytes FROM intake_states")
      while try rows.step() {
        let count = rows.int(1)
        switch rows.int(0) {
        case 0:
          counts.waiting = count
          counts.waitingBytes = rows.int(2)
        case 1: counts.working = count
        default:
          counts.setAside = count
          counts.setAsideBytes = rows.int(2)
        }
      }
      for state in 0...1 {
        let first = try database.integer(
          "SELECT received FROM intake WHERE state = ? ORDER BY attempts, id LIMIT 1", state)
        guard let time = first.map(Timestamp.init(microseconds:)) else { continue }
        counts.oldest = counts.oldest.map { min($0, time) } ?? time
      }
      let totals = try database.prepare("SELECT name, count FROM intake_totals")
      while try totals.step() {
        switch totals.text(0) {
        case "accepted": counts.accepted = totals.int(1)
        case "done": counts.done = totals.int(1)
        default: break
        }
      }
      return counts
    }
  }
}
