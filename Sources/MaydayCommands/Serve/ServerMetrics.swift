import Synchronization

/// What a server counts as long as it runs.
final class ServerMetrics: Sendable {
  let accepted = Atomic<Int>(0)
  let acceptedBytes = Atomic<Int>(0)
  let refusedFull = Atomic<Int>(0)
  let refusedRate = Atomic<Int>(0)
  let refusedLarge = Atomic<Int>(0)
  let refusedUnknown = Atomic<Int>(0)
  let symbolFiles = Atomic<Int>(0)
}
