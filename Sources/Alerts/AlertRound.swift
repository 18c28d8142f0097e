package import CrashModel
internal import CrashService
package import CrashStore
package import ServerStore

/// One round of a server's work on alerts: it checks the rules, puts waiting alerts into deliveries, and sends
/// the deliveries that are due.
package struct AlertRound: Sendable {
  private let store: CrashStore
  private let server: ServerStore

  /// Tries of a delivery, and seconds after which it is given up, but not before it was tried a few times:
  /// a clock that jumps makes it old at once.
  static let bounds = (tries: 32, age: Int64(24 * 3_600), leastTries: 5)
  /// Seconds of the first pause after a failure, which doubles each time, and of the longest.
  static let pauses = (first: 10.0, longest: Double(AlertsTable.longestWait))
  /// Deliveries that are tried in one round.
  private static let atOnce = 50

  package init(store: CrashStore, server: ServerStore) {
    self.store = store
    self.server = server
  }

  private var table: AlertsTable { AlertsTable(in: server) }

  /// - Parameter isStopped: Asked before each delivery: whether the rest is left for later.
  /// - Throws: `DatabaseError`, `StoreError`: what kept it from looking for alerts, once those that wait were
  ///   sent.
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
    let due = try table.due(now: now, limit: Self.atOnce)
    guard !due.isEmpty else { return }
    let rules = Dictionary(
      try table.rules().map { ($0.number, $0.summary) }, uniquingKeysWith: { first, _ in first })
    let url = try table.serverURL()
    var random = SystemRandomNumberGenerator()
    // A target that does not respond delays the others only once per round.
    var failed: Set<String> = []
    for delivery in due where !failed.contains(delivery.target) && !isStopped() {
      let next = Timestamp(
        seconds: now.seconds + Int64(Self.pause(after: delivery.attempts + 1, using: &random)))
      guard try table.begin(delivery, next: next) else { continue }
      let target: AlertTarget
      do {
        target = try table.target(named: delivery.target)
      } catch let error as AlertError {
        try table.end(delivery.number, isSent: false, answer: "\(error)", next: nil, now: .now)
        continue
      }
      let message = AlertMessage(
        delivery: delivery, rule: rules[delivery.rule] ?? "",
        alerts: try table.alerts(of: delivery.number), server: url)
      let outcome = AlertSender(to: target).send(message, now: .now)
      if !outcome.isSent { failed.insert(delivery.target) }
      let isOver =
        outcome.isSent || !outcome.isTemporary || delivery.attempts + 1 >= Self.bounds.tries
        || delivery.attempts + 1 >= Self.bounds.leastTries
          && now.seconds - delivery.created.seconds >= Self.bounds.age
      let wait = min(Int64(outcome.wait ?? 0), AlertsTable.longestWait)
      let later = Timestamp(seconds: max(next.seconds, now.seconds + wait))
      try table.end(
        delivery.number, isSent: outcome.isSent, answer: outcome.answer,
        next: isOver ? nil : later, now: .now)
    }
  }

  /// Seconds to wait after a number of failures: a random value in the upper half of the pause.
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
