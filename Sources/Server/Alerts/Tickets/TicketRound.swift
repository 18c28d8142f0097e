internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTPClient
internal import Identifiers
internal import JSON
internal import TriageModel

/// Asks the trackers of apps whether the issues about their groups are closed.
struct TicketRound {
  let store: CrashStore

  /// Seconds until a tracker is asked for the same issue again.
  private static let interval: Int64 = 300
  /// The maximum number of issues in a round.
  private static let most = 50
  private static let agent = "mayday-tickets"
  /// Time limit for a request and its response, in seconds.
  private static let timeLimit = 15
  private static let answerLimit = 4 << 20

  /// Asks for the issues that are due.
  ///
  /// - Parameter isStopped: Whether to end after the current request.
  /// - Throws: An error that names the first issue that could not be read, after all were asked; `DatabaseError`.
  func run(now: Timestamp, isStopped: () -> Bool) throws {
    let due = Timestamp(seconds: now.seconds - Self.interval)
    let tickets = try store.triage.tickets(notCheckedSince: due, limit: Self.most)
    guard !tickets.isEmpty else { return }
    var plan = RetryPlan()
    plan.tries = 1
    let sender = try WebSender(agent: Self.agent, plan: plan, timeLimit: Self.timeLimit)
    var problem: String?
    for tracked in tickets where !isStopped() {
      var state: GroupTicket.State?
      do {
        state = try self.state(of: tracked, sender)
      } catch {
        problem = problem ?? "the state of \(tracked.ticket.url) of \(tracked.group): \(error)"
      }
      try store.triage.check(tracked, found: state, at: now)
    }
    if let problem { throw TicketProblem(description: problem) }
  }

  /// - Returns: `nil` for an issue of another tracker, which is not asked.
  private func state(
    of tracked: TrackedTicket, _ sender: WebSender
  ) throws -> GroupTicket.State? {
    let (tracker, url) = (tracked.tracker, tracked.ticket.url)
    // A token goes nowhere but to the tracker that it is for.
    guard let source = tracker.token,
      TicketTracker.origin(of: url) == TicketTracker.origin(of: tracker.address)
    else { return nil }
    let token = try NamedSource.secret(at: source, "token")
    guard token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw TicketProblem(description: "\(source) has no token that fits into a request")
    }
    guard var question = TicketQuestion(tracker.kind, url, token: token) else { return nil }
    question.request.answerLimit = Self.answerLimit
    let response = try sender.send(question.request)
    guard response.status == 200, !response.isCut else {
      throw TicketProblem(description: "the tracker answered \(response.status)")
    }
    let answer = try JSONDocument.parse(response.body, limits: .report)
    guard answer.cut == nil, let state = question.state(in: answer.value) else {
      throw TicketProblem(description: "the tracker's answer has no state")
    }
    return state
  }
}

/// Why the state of an issue is not known.
private struct TicketProblem: Error, CustomStringConvertible {
  let description: String
}
