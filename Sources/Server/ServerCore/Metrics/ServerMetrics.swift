internal import CrashService
package import Synchronization

/// Counts since the start of a server.
package final class ServerMetrics: Sendable {
  package let accepted = Atomic<Int>(0)
  package let acceptedBytes = Atomic<Int>(0)
  package let refusedFull = Atomic<Int>(0)
  package let refusedRate = Atomic<Int>(0)
  package let refusedLarge = Atomic<Int>(0)
  package let refusedUnknown = Atomic<Int>(0)
  package let symbolFiles = Atomic<Int>(0)
}
