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
/// Concurrent submissions share one sync: those that arrive while the disk is busy wait for it, and are then
/// written together. Workers record the contents of logs, and the outcomes, in the database.
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

  /// A submission, and the caller to tell when it is on disk or refused.
  private struct Ticket: Sendable {
    let record: IntakeLogRecord
    let finish: @Sendable (Result<Void, IntakeError>) -> Void
  }

  /// A closure in a type of its own: stored directly in a `Mutex` it is wrapped once more at each access.
  private struct Listener: Sendable {
    let tell: @Sendable () -> Void
  }

  private let listener = Mutex<Listener?>(nil)

  /// - Parameter body: Called when submissions are on disk, once for all that were written together.
  public func onArrival(_ body: @escaping @Sendable () -> Void) {
    listener.withLock { $0 = Listener(tell: body) }
  }

  /// The outcome of a submission whose thread waits.
  private final class Outcome: Sendable {
    private let turn = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Void, IntakeError>?>(nil)

    func set(_ result: Result<Void, IntakeError>) {
      self.result.withLock { $0 = result }
      turn.signal()
    }

    func wait() throws(IntakeError) {
      turn.wait()
      try result.withLock { $0 }?.get()
    }
  }

  /// Closes the current log; readers may delete it when it is done.
  func rotateLog() { log.rotate() }

  /// Stores a submission in the log; it is on disk when this returns.
  ///
  /// - Parameter isAnonymous: Whether the sender is unauthenticated: see ``admit(_:isAnonymous:)``.
  /// - Throws: ``IntakeError``; nothing of the submission is kept then.
  public func submit(_ record: IntakeRecord, isAnonymous: Bool = false) throws(IntakeError) {
    let outcome = Outcome()
    try submit(record, isAnonymous: isAnonymous) { outcome.set($0) }
    try outcome.wait()
  }

  /// Begins to store a submission in the log; no thread waits for the disk with it.
  ///
  /// - Parameter finish: Called once, by any thread, when it is on disk, or with the reason why nothing of it
  ///   is kept.
  /// - Throws: ``IntakeError``, in place of a call of `finish`.
  public func submit(
    _ record: IntakeRecord, isAnonymous: Bool = false,
    finish: @escaping @Sendable (Result<Void, IntakeError>) -> Void
  ) throws(IntakeError) {
    let own = Backlog(count: 1, bytes: record.body.count)
    try admit(UInt64(own.bytes), isAnonymous: isAnonymous) { $0.arriving += own }
    let file: LockedFile?
    do {
      file = record.body.count > limits.bodyInLog ? try bodies.write(record.body) : nil
    } catch {
      load.withLock { $0.arriving -= own }
      throw Self.refusal(error)
    }
    let ticket = Ticket(record: IntakeLogRecord(record, file: file?.name)) { [self] result in
      // The file is held until the log names it, so that it is not treated as a leftover before that.
      withExtendedLifetime(file) {}
      var isKept = false
      if case .success = result { isKept = true }
      if !isKept, let file { bodies.remove(file.name) }
      load.withLock {
        $0.arriving -= own
        if isKept { $0.waiting += own }
      }
      finish(result)
    }
    let isFirst = line.withLock { line in
      line.pending.append(ticket)
      defer { line.isWriting = true }
      return !line.isWriting
    }
    if isFirst { writeLine(isOwn: true) }
  }

  /// Writes all gathered submissions together, and those that came meanwhile after them.
  ///
  /// - Parameter isOwn: Whether the caller's submission is among the first: another thread goes on after them,
  ///   as the caller has an answer to give.
  private func writeLine(isOwn: Bool) {
    while true {
      let group = line.withLock { line in
        let group = Array(line.pending.prefix(limits.group))
        line.pending.removeFirst(group.count)
        return group
      }
      let result = write(group.map(\.record))
      for ticket in group { ticket.finish(result) }
      if case .success = result { listener.withLock { $0 }?.tell() }
      let isDone = line.withLock { line in
        if line.pending.isEmpty { line.isWriting = false }
        return line.pending.isEmpty
      }
      if isDone { return }
      if isOwn {
        DispatchQueue.global().async { self.writeLine(isOwn: false) }
        return
      }
    }
  }

  private func write(_ records: [IntakeLogRecord]) -> Result<Void, IntakeError> {
    do throws(FileError) {
      let place = try log.append(records)
      tallies.withLock { $0[place.name, default: LogUsage()].count(records, from: place.offset) }
      return .success(())
    } catch {
      return .failure(Self.refusal(error))
    }
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
