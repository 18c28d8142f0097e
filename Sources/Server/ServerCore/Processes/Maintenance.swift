internal import Bytes
internal import CrashService
internal import CrashStore
internal import Pipeline
internal import ServerStore
internal import Uploads

/// A server's periodic maintenance: uploads that wait to be stored, and abandoned uploads.
package struct Maintenance {
  package init() {}

  /// Milliseconds between two rounds.
  package static let interval: Int32 = 10_000
  /// Rounds between two checks for expired data: every ten minutes, and at the start.
  private static let expiryRounds = 60

  private var rounds = 0

  package mutating func run(of context: ServerContext, _ warn: (String) -> Void) {
    do {
      try context.finisher.resume(for: context)
      try context.storeCounts()
      if rounds % Self.expiryRounds == 0 {
        try context.uploads.clearLeftovers(now: .now)
        context.parts.clearLeftovers(now: .now)
        LeftFolders(in: context.store.home).remove()
        try context.accounts.clearExpired(now: .now)
        if try context.store.distribution.lookAtRollouts(now: .now).contains(where: \.isPaused) {
          try context.updates.refresh()
        }
      }
    } catch {
      warn("uploads cannot be maintained: \(error)".printable)
    }
    rounds += 1
  }
}
