internal import Bytes
internal import CrashService
package import CrashStore
package import ServerStore
internal import Synchronization
internal import Workers

/// Runs ``AlertRound`` repeatedly on its own thread, so that a target that does not respond delays nothing else
/// in the server.
package final class AlertWorker {
  private let server: ServerStore
  private let flag = Flag()
  private var running: Background<String?>?
  /// The last warning, so that it is not repeated every few seconds.
  private var warned: String?

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  package init(of server: ServerStore) { self.server = server }

  /// Starts a round, unless the previous one is still running.
  package func tick(_ store: CrashStore, _ warn: (String) -> Void) {
    if let running {
      guard running.isReady else { return }
      let problem = running.value()
      if let problem, problem != warned { warn("alerts cannot be processed: " + problem) }
      warned = problem
    }
    let (server, flag) = (server, flag)
    running = Background(isOn: true) {
      do {
        try AlertRound(store: store, server: server)
          .run(now: .now) { flag.isSet.load(ordering: .relaxed) }
        return nil
      } catch {
        return "\(error)".printable
      }
    }
  }

  /// Ends the round after its current delivery; the rest is sent after the next start.
  package func stop() { flag.isSet.store(true, ordering: .relaxed) }
}
