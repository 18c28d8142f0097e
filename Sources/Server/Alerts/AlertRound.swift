internal import CrashService
package import CrashStore
package import Identifiers
package import ServerStore

/// One round of a server's work on alerts: it checks the rules, puts waiting alerts into deliveries, and sends
/// the deliveries that are due.
package struct AlertRound: Sendable {
  private let store: CrashStore
  private let server: ServerStore

  /// Limits after which a delivery is given up: attempts, and seconds after at least `leastTries` attempts,
  /// because a clock that jumps makes it old at once.
  static let bounds = (tries: 32, age: Int64(24 * 3_600), leastTries: 5)
  /// Seconds of the first pause after a failure, which doubles each time, and of the longest pause.
  static let pauses = (first: 10.0, longest: Double(AlertsTable.longestWait))
  /// Seconds for which a delivery is reserved for this round: more than an attempt can take.
  private static let lease: Int64 = 60
  /// Seconds after which a round starts no further attempt.
  private static let longest: Int64 = 60

  package init(store: CrashStore, server: ServerStore) {
    self.store = store
    self.server = server
  }

  private var table: AlertsTable { AlertsTable(in: server) }

  /// - Parameter isStopped: Asked before each delivery: whether to leave the rest for later.
  /// - Throws: `DatabaseError`, `StoreError` if looking for alerts fails, after the waiting ones were sent.
  package func run(now: Timestamp, isStopped: () -> Bool = { false }) throws {
    var problem: (any Error)?
    do {
      try AlertWatch(store: store, server: server).look(now: now)
    } catch {
      problem = error
    }
    for (rule, since, last) in try table.waiting()
    where AlertSchedule(of: rule).isDue(since: since, last: last, now: now) {
      try table.compose(rule, now: now)
    }
    try deliver(now: now, isStopped: isStopped)
    if let problem { throw problem }
  }

  private func deliver(now: Timestamp, isStopped: () -> Bool) throws {
    let targets = try table.dueTargets(now: now)
    guard !targets.isEmpty else { return }
    let rules = Dictionary(
      try table.rules().map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let url = try table.serverURL()
    let clock = RoundClock(start: now)
    for target in targets {
      var last = 0
      while let delivery = try table.due(now: clock.now, to: target, after: last) {
        // The next round begins with looking for alerts, which has to be done in time.
        guard !isStopped(), clock.elapsed < Self.longest else { return }
        last = delivery.number
        let rule = rules[delivery.rule]
        guard !(rule.map { AlertSchedule(of: $0).isQuiet(at: clock.now) } ?? false) else {
          continue
        }
        // A target that does not respond delays the others only once per round.
        guard try attempt(delivery, of: rule, url, clock) else { break }
      }
    }
  }

  /// Tries a delivery, or gives it up because of its age.
  ///
  /// - Parameter url: The address of the server, for links.
  /// - Returns: Whether the next delivery to the same target may succeed.
  private func attempt(
    _ delivery: AlertDelivery, of rule: AlertRule?, _ url: String?, _ clock: RoundClock
  ) throws -> Bool {
    guard !Self.isTooOld(delivery, of: rule, attempts: delivery.attempts, now: clock.now) else {
      try table.end(
        delivery.number, isSent: false, answer: delivery.answer ?? "the server was stopped",
        next: nil, now: clock.now)
      return true
    }
    let lease = Timestamp(seconds: clock.now.seconds + Self.lease)
    guard try table.begin(delivery, next: lease) else { return true }
    let attempts = delivery.attempts + 1
    let target: AlertTarget
    do {
      target = try table.target(named: delivery.target)
    } catch let error as AlertError {
      try table.end(
        delivery.number, isSent: false, answer: "\(error)", next: nil, now: clock.now)
      return true
    }
    let message = AlertMessage(
      delivery: delivery, rule: rule?.summary ?? "",
      alerts: try table.alerts(of: delivery.number), server: url)
    let outcome = AlertSender(to: target).send(message, now: .now)
    let now = clock.now
    let isOver =
      outcome.isSent || !outcome.isTemporary || attempts >= Self.bounds.tries
      || Self.isTooOld(delivery, of: rule, attempts: attempts, now: now)
    var random = SystemRandomNumberGenerator()
    let pause = Int64(Self.pause(after: attempts, using: &random))
    let wait = min(Int64(outcome.wait ?? 0), AlertsTable.longestWait)
    try table.end(
      delivery.number, isSent: outcome.isSent, answer: outcome.answer,
      next: isOver ? nil : Timestamp(seconds: now.seconds + max(pause, wait)), now: now)
    return outcome.isSent || !outcome.isTemporary
  }

  /// Whether a delivery is given up after this many attempts. Quiet hours, in which none is made, do not
  /// count towards its age.
  private static func isTooOld(
    _ delivery: AlertDelivery, of rule: AlertRule?, attempts: Int, now: Timestamp
  ) -> Bool {
    let quiet =
      rule.map { AlertSchedule(of: $0).quietSeconds(from: delivery.created, to: now) } ?? 0
    return attempts >= bounds.leastTries
      && now.seconds - delivery.created.seconds - quiet >= bounds.age
  }

  /// Seconds to wait after this many failures, drawn from the upper half of the range.
  static func pause(after failures: Int, using random: inout some RandomNumberGenerator) -> Double {
    var most = pauses.first
    for _ in 1..<max(failures, 1) where most < pauses.longest { most *= 2 }
    most = min(most, pauses.longest)
    return Double.random(in: most / 2...most, using: &random)
  }

  /// Sends a sample to a target once, and records it in the log.
  ///
  /// - Returns: Whether the target accepted it, and its response.
  /// - Throws: ``AlertError/unknownTarget(_:)``; `DatabaseError`.
  package static func test(
    _ name: String, in table: AlertsTable
  ) throws -> (isSent: Bool, answer: String) {
    let target = try table.target(named: name)
    let now = Timestamp.now
    let delivery = try table.beginTest(of: .newGroup, to: name, now: now)
    let sample = Alert(
      time: now, app: "Sample", name: "SAMPLE-1", title: "Sample.crash()",
      detail: "A sample: nothing crashed", path: "/")
    let message = AlertMessage(
      delivery: delivery, rule: "", alerts: [sample], server: try table.serverURL())
    let outcome = AlertSender(to: target).send(message, now: now)
    try table.endTest(
      delivery.number, isSent: outcome.isSent, answer: outcome.answer, now: .now)
    return (outcome.isSent, outcome.answer)
  }
}
