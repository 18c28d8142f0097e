internal import Identifiers

/// The time of a round, counted from its start and unaffected by changes to the clock.
struct RoundClock {
  let start: Timestamp
  private let begun = ContinuousClock.now

  init(start: Timestamp) { self.start = start }

  /// The elapsed time in seconds.
  var elapsed: Int64 { (ContinuousClock.now - begun).components.seconds }
  var now: Timestamp {
    Timestamp(seconds: start.seconds + elapsed, nanoseconds: start.nanoseconds)
  }
}
