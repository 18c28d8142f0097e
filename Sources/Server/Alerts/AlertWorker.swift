internal import Bytes
internal import CrashService
package import CrashStore
package import ServerStore
internal import Synchronization
internal import Workers

/// Runs ``AlertRound``, ``TesterMailRound`` and ``TicketRound`` repeatedly, each on its own thread, so that a target
/// that does not respond delays nothing else in the server.
package final class AlertWorker {
  private let server: ServerStore
  private let flag = Flag()
  private var alerts = Job(name: "alerts")
  private var mails = Job(name: "mails to testers")
  private var tickets = Job(name: "tickets")

  /// Work in rounds, one at a time.
  private struct Job {
    let name: String
    var running: Background<String?>?
    /// The last warning, so that it is not repeated every few seconds.
    var warned: String?

    init(name: String) { self.name = name }

    mutating func tick(
      _ warn: (String) -> Void, _ body: @escaping @Sendable () throws -> Void
    ) {
      if let running {
        guard running.isReady else { return }
        let problem = running.value()
        if let problem, problem != warned { warn("\(name) cannot be processed: " + problem) }
        warned = problem
      }
      running = Background(isOn: true) {
        do {
          try body()
          return nil
        } catch {
          return "\(error)".printable
        }
      }
    }
  }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  package init(of server: ServerStore) { self.server = server }

  /// Starts a round of each kind, unless its previous one is still running.
  package func tick(_ store: CrashStore, _ warn: (String) -> Void) {
    let (server, flag) = (server, flag)
    alerts.tick(warn) {
      try AlertRound(store: store, server: server)
        .run(now: .now) { flag.isSet.load(ordering: .relaxed) }
    }
    mails.tick(warn) {
      try TesterMailRound(store: store, server: server)
        .run(now: .now) { flag.isSet.load(ordering: .relaxed) }
    }
    tickets.tick(warn) {
      try TicketRound(store: store).run(now: .now) { flag.isSet.load(ordering: .relaxed) }
    }
  }

  /// Ends each round after its current delivery; the rest is sent after the next start.
  package func stop() { flag.isSet.store(true, ordering: .relaxed) }
}
