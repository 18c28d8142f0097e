internal import Files
internal import Bytes
internal import CrashModel
internal import Dispatch
internal import Glibc
internal import Database
internal import Synchronization

/// Submissions between their acknowledgement and the store: written to a log and synced when
/// ``submit(_:)`` returns, deleted when they are stored.
///
/// Those that come at a time share one sync: whoever comes while the disk is busy waits for it, and
/// then one of the waiting writes for all of them. Workers note in the database what logs hold, and what
/// becomes of it.
public final class IntakeQueue: Sendable {
  let store: ServerStore
  public let limits: IntakeLimits
  /// What stays free of the disk.
  public let reserve: DiskReserve
  private let log: IntakeLog
  private let bodies: BodyFolder
  private let line = Mutex(Line())
  /// What waits, as far as this process knows: counted anew from time to time, for others take from it.
  private let load = Mutex(Load())

  /// The turn of which something was handed out last.
  let lastTurn = Mutex("")

  /// What each log holds, as far as it was looked at.
  let tallies = Mutex<[String: LogTally]>([:])

  /// How long the counts of a queue hold, in seconds.
  private static let countInterval = 1

  public convenience init(in store: ServerStore, limits: IntakeLimits = IntakeLimits()) {
    self.init(in: store, limits: limits) { _ in }
  }

  /// - Parameter pause: What tests do between the steps of keeping a submission.
  init(in store: ServerStore, limits: IntakeLimits, pause: @escaping IntakePause) {
    self.store = store
    self.limits = limits
    reserve = DiskReserve(home: store.home, bytes: limits.reserve, measure: limits.measure)
    bodies = BodyFolder(path: store.bodies.path, pause: pause)
    log = IntakeLog(in: store.bodies.path, limits: limits, pause: pause)
  }

  private struct Load {
    var waiting = Backlog()
    /// With workers.
    var working = Backlog()
    /// Being written at the moment: nobody else finds them yet.
    var arriving = Backlog()
    /// When it was counted, in seconds.
    var time: Int?

    /// All that is to be stored yet.
    var all: Backlog { waiting + working + arriving }
  }

  private struct Line {
    var pending: [Ticket] = []
    var isWriting = false
  }

  /// A submission and whoever waits for it.
  private final class Ticket: Sendable {
    let record: IntakeLogRecord
    private let turn = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    init(_ record: IntakeLogRecord) { self.record = record }

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

  /// Ends the log that is written to; whoever reads it may take it away when it is done.
  func rotateLog() { log.rotate() }

  /// Keeps a submission; it is on the disk when this returns.
  ///
  /// - Throws: ``IntakeError``; nothing of the submission is kept then.
  ///
  /// - Parameter isAnonymous: Whether nobody vouches for the sender: see ``admit(_:isAnonymous:)``.
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
      // It is held until the log names it: nobody takes it for left over before that.
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

  /// Whether a submission of `size` bytes would be accepted now, before its body is read.
  ///
  /// - Parameters:
  ///   - size: Any number: it is what a client announces.
  ///   - isAnonymous: Whether nobody vouches for the sender. Half of the queue is for the others.
  /// - Throws: ``IntakeError``
  public func admit(_ size: UInt64, isAnonymous: Bool = false) throws(IntakeError) {
    try admit(size, isAnonymous: isAnonymous) { _ in }
  }

  /// Whether `size` bytes that are not submissions, such as a debug file, leave room for all that waits.
  ///
  /// - Throws: ``IntakeError``
  public func admitFile(of size: Int) throws(IntakeError) {
    try countAnew()
    try reserve.admit(size, besides: load.withLock { $0.all })
  }

  /// Whether a part of what was accepted may be stored: see ``DiskReserve/admitPart(reports:bytes:after:of:besides:)``.
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

  /// Whether there is room for more than what was counted when it was accepted.
  ///
  /// - Throws: ``IntakeError``
  public func admitMore() throws(IntakeError) {
    try countAnew()
    try reserve.admit(0, besides: load.withLock { $0.all })
  }

  /// - Parameter claim: Notes the submission, before another is admitted.
  private func admit(
    _ size: UInt64, isAnonymous: Bool, _ claim: (inout Load) -> Void
  ) throws(IntakeError) {
    try countAnew()
    let share = isAnonymous ? 2 : 1
    let most = Backlog(count: max(limits.waiting / share, 1), bytes: limits.waitingBytes / share)
    let result = load.withLock { load -> Result<Void, IntakeError> in
      let waiting = load.waiting + load.arriving
      // What waits may be more than the limit, which may have been lowered.
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

  /// Counts what is there, unless that was done just now.
  private func countAnew() throws(IntakeError) {
    let now = Int(SteadyClock.seconds)
    // One of those who ask counts; the others go by what was known before.
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
    // It is its turn: what has gathered is written as one.
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

  // MARK: What is there

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
