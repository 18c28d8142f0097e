internal import Bytes
internal import Database
internal import Dispatch
internal import Files
internal import Glibc
internal import Identifiers
internal import Synchronization

/// Submissions between their acknowledgement and the store: written to a log and synced when
/// ``submit(_:)`` returns, deleted when they are stored.
///
/// Concurrent submissions share one sync: those that arrive while the disk is busy wait for it, and then one
/// of them writes for all. Workers record the contents of logs, and the outcomes, in the database.
public final class IntakeQueue: Sendable {
  let store: ServerStore
  public let limits: IntakeLimits
  /// The disk space that stays free.
  public let reserve: DiskReserve
  private let log: IntakeLog
  private let bodies: BodyFolder
  private let line = Mutex(Line())
  /// The waiting submissions known to this process: recounted from time to time, as others take from them.
  private let load = Mutex(Load())

  /// The turn that was served last.
  let lastTurn = Mutex("")

  /// The contents of each log, as far as it was read.
  let tallies = Mutex<[String: LogUsage]>([:])

  /// Time for which the counts of a queue are valid, in seconds.
  private static let countInterval = 1

  public convenience init(in store: ServerStore, limits: IntakeLimits = IntakeLimits()) {
    self.init(in: store, limits: limits) { _ in }
  }

  /// - Parameter pause: Lets tests act between the steps of storing a submission.
  init(in store: ServerStore, limits: IntakeLimits, pause: @escaping IntakePause) {
    self.store = store
    self.limits = limits
    reserve = DiskReserve(home: store.home, bytes: limits.reserve, measure: limits.measure)
    bodies = BodyFolder(path: store.bodies.path, pause: pause)
    log = IntakeLog(in: store.bodies.path, limits: limits, pause: pause)
  }

  private struct Load {
    var waiting = Backlog()
    /// Submissions that workers have.
    var working = Backlog()
    /// Submissions being written at the moment: no process finds them yet.
    var arriving = Backlog()
    /// The time of the count, in seconds.
    var time: Int?

    /// Everything that is still to be stored.
    var all: Backlog { waiting + working + arriving }
  }

  private struct Line {
    var pending: [Ticket] = []
    var isWriting = false
  }

  /// A submission and the thread that waits for it.
  private final class Ticket: Sendable {
    let record: IntakeLogRecord
    private let turn = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    init(_ record: IntakeLogRecord) { self.record = record }

    func finish(_ result: Result<Void, any Error>) {
      outcome.withLock { $0 = result }
      turn.signal()
    }

    /// Makes its thread write for all that wait.
    func lead() { turn.signal() }

    /// - Returns: Its result; `nil` where it is to write.
    func wait() -> Result<Void, any Error>? {
      turn.wait()
      return outcome.withLock { $0 }
    }
  }

  /// Closes the current log; readers may delete it when it is done.
  func rotateLog() { log.rotate() }

  /// Stores a submission in the log; it is on disk when this returns.
  ///
  /// - Throws: ``IntakeError``; nothing of the submission is kept then.
  ///
  /// - Parameter isAnonymous: Whether the sender is unauthenticated: see ``admit(_:isAnonymous:)``.
  public func submit(_ record: IntakeRecord, isAnonymous: Bool = false) throws(IntakeError) {
    let own = Backlog(count: 1, bytes: record.body.count)
    try admit(UInt64(own.bytes), isAnonymous: isAnonymous) { $0.arriving += own }
    var isKept = false
    defer {
      load.withLock {
        $0.arriving -= own
        if isKept { $0.waiting += own }
      }
    }
    do {
      // It is held until the log names it, so that it is not treated as a leftover before that.
      let file = record.body.count > limits.bodyInLog ? try bodies.write(record.body) : nil
      do {
        try withExtendedLifetime(file) {
          try enter(Ticket(IntakeLogRecord(record, file: file?.name)))
        }
      } catch {
        if let file { bodies.remove(file.name) }
        throw error
      }
    } catch {
      throw Self.refusal(error)
    }
    isKept = true
  }

  /// See ``ServerStore/readThrough()``.
  public func readThrough() throws { try store.readThrough() }

  /// Checks that a submission of `size` bytes would be accepted now, before its body is read.
  ///
  /// - Parameters:
  ///   - size: The size that a client announces; any number.
  ///   - isAnonymous: Whether the sender is unauthenticated. Half of the queue is reserved for the others.
  /// - Throws: ``IntakeError``
  public func admit(_ size: UInt64, isAnonymous: Bool = false) throws(IntakeError) {
    try admit(size, isAnonymous: isAnonymous) { _ in }
  }

  /// Checks that `size` bytes that are not submissions, such as a debug file, leave space for all that waits.
  ///
  /// - Throws: ``IntakeError``
  public func admitFile(of size: Int) throws(IntakeError) {
    try countAnew()
    try reserve.admit(size, besides: load.withLock { $0.all })
  }

  /// Checks that a part of accepted submissions may be stored: see
  /// ``DiskReserve/admitPart(reports:bytes:after:of:besides:)``.
  ///
  /// - Throws: ``IntakeError``
  public func admitPart(
    reports: Int, bytes: Int, after before: UInt64, of accepted: Backlog
  ) throws(IntakeError) -> UInt64 {
    try countAnew()
    return try reserve.admitPart(
      reports: reports, bytes: bytes, after: before, of: accepted,
      besides: load.withLock { $0.all })
  }

  /// Checks that there is space for more than what was counted on acceptance.
  ///
  /// - Throws: ``IntakeError``
  public func admitMore() throws(IntakeError) {
    try countAnew()
    try reserve.admit(0, besides: load.withLock { $0.all })
  }

  /// - Parameter claim: Counts the submission, before another is admitted.
  private func admit(
    _ size: UInt64, isAnonymous: Bool, _ claim: (inout Load) -> Void
  ) throws(IntakeError) {
    try countAnew()
    let share = isAnonymous ? 2 : 1
    let most = Backlog(count: max(limits.waiting / share, 1), bytes: limits.waitingBytes / share)
    let result = load.withLock { load -> Result<Void, IntakeError> in
      let waiting = load.waiting + load.arriving
      // More than the limit may be waiting, as it may have been lowered.
      guard waiting.count < most.count, waiting.bytes <= most.bytes,
        size <= UInt64(most.bytes - max(waiting.bytes, 0))
      else {
        return .failure(.queueFull(waiting: waiting.count, bytes: waiting.bytes))
      }
      let all = load.all + Backlog(count: 1, bytes: Int(size))
      do throws(IntakeError) {
        try reserve.admit(Int(size), besides: all)
      } catch {
        return .failure(error)
      }
      claim(&load)
      return .success(())
    }
    try result.get()
  }

  /// Recounts the queue, unless that was done just now.
  private func countAnew() throws(IntakeError) {
    let now = Int(SteadyClock.seconds)
    // One of the concurrent callers counts; the others use the previous counts.
    let isOld = load.withLock { load in
      guard load.time.map({ now - $0 >= Self.countInterval }) ?? true else { return false }
      load.time = now
      return true
    }
    guard isOld else { return }
    do {
      let counts = try counts()
      load.withLock {
        $0.waiting = Backlog(count: counts.waiting, bytes: counts.waitingBytes)
        $0.working = Backlog(count: counts.working, bytes: counts.workingBytes)
      }
    } catch {
      throw Self.refusal(error)
    }
  }

  private func enter(_ ticket: Ticket) throws {
    let isFirst = line.withLock { line in
      line.pending.append(ticket)
      defer { line.isWriting = true }
      return !line.isWriting
    }
    if !isFirst, let result = ticket.wait() { return try result.get() }
    // It is its turn: all gathered submissions are written together.
    let group = line.withLock { line in
      let group = Array(line.pending.prefix(limits.group))
      line.pending.removeFirst(group.count)
      return group
    }
    let result = Result { try log.append(group.map(\.record)) }
    for other in group where other !== ticket { other.finish(result) }
    let next = line.withLock { line in
      if line.pending.isEmpty { line.isWriting = false }
      return line.pending.first
    }
    next?.lead()
    try result.get()
  }

  static func refusal(_ error: any Error) -> IntakeError {
    if let error = error as? IntakeError { return error }
    if case .noRoom? = StorageCause(of: error) { return .diskFull("\(error)") }
    return .storage("\(error)")
  }

  // MARK: Counts

  public func counts() throws -> QueueCounts { try store.read { try counts(in: $0) } }

  func counts(in database: borrowing Connection) throws -> QueueCounts {
    var counts = QueueCounts()
    let rows = try database.prepare("SELECT state, count, bytes FROM intake_states")
    while try rows.step() {
      let count = try rows.count("count")
      switch try IntakeState(rawValue: rows.int("state")) {
      case .waiting:
        counts.waiting = count
        counts.waitingBytes = try rows.count("bytes")
      case .working:
        counts.working = count
        counts.workingBytes = try rows.count("bytes")
      case .quarantined:
        counts.quarantined = count
        counts.quarantinedBytes = try rows.count("bytes")
      case nil:
        throw IntakeError.storage(
          "the database is damaged: intake_states has a state \(try rows.int("state"))")
      }
    }
    for state in [IntakeState.waiting, .working] {
      let first = try database.integer(
        "SELECT received FROM intake WHERE state = ?1 ORDER BY attempts, id LIMIT 1", state)
      guard let time = first.map(Timestamp.init(microseconds:)) else { continue }
      counts.oldest = counts.oldest.map { min($0, time) } ?? time
    }
    let totals = try database.prepare("SELECT name, count FROM intake_totals")
    while try totals.step() {
      switch try Total(rawValue: totals.text("name")) {
      case .accepted: counts.accepted = try totals.count("count")
      case .stored: counts.stored = try totals.count("count")
      case .duplicates: counts.duplicates = try totals.count("count")
      case .discarded: counts.discarded = try totals.count("count")
      case .erased: counts.erased = try totals.count("count")
      default: break
      }
    }
    let more = try uncollected(database)
    counts.accepted += more.count
    counts.waiting += more.count
    counts.waitingBytes += more.bytes
    if let first = more.oldest { counts.oldest = counts.oldest.map { min($0, first) } ?? first }
    return counts
  }
}
