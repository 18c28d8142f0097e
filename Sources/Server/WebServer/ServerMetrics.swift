internal import CrashService
package import Synchronization

/// What a server counts as long as it runs.
package final class ServerMetrics: Sendable {
  package let accepted = Atomic<Int>(0)
  package let acceptedBytes = Atomic<Int>(0)
  package let refusedFull = Atomic<Int>(0)
  package let refusedRate = Atomic<Int>(0)
  package let refusedLarge = Atomic<Int>(0)
  package let refusedUnknown = Atomic<Int>(0)
  package let symbolFiles = Atomic<Int>(0)
}
