internal import Glibc

/// The time as the machine has it, in UTC since 1970. It may jump; ages of files are computed from
/// it.
public enum WallClock {
  public static var now: (seconds: Int, nanoseconds: Int) { read(CLOCK_REALTIME) }
  public static var seconds: Int { now.seconds }
  public static var microseconds: Int {
    let now = now
    return now.seconds * 1_000_000 + now.nanoseconds / 1_000
  }
  public static var nanoseconds: Int64 { total(now) }
}

/// A clock that cannot be set, with an arbitrary start: for durations.
public enum SteadyClock {
  public static var nanoseconds: Int64 { total(read(CLOCK_MONOTONIC)) }
  public static var seconds: Double {
    let now = read(CLOCK_MONOTONIC)
    return Double(now.seconds) + Double(now.nanoseconds) / 1e9
  }

  /// Does nothing for so long, or until a signal comes: a pause before another try. Whoever waits
  /// for something in this process waits for a condition in its place.
  public static func pause(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    nanosleep(&time, nil)
  }

  /// The same for seconds.
  public static func pause(seconds: Double) {
    pause(nanoseconds: Int64(min(max(seconds, 0), 1e9) * 1e9))
  }
}

private func read(_ clock: clockid_t) -> (seconds: Int, nanoseconds: Int) {
  var time = timespec()
  clock_gettime(clock, &time)
  return (time.tv_sec, time.tv_nsec)
}

private func total(_ time: (seconds: Int, nanoseconds: Int)) -> Int64 {
  Int64(time.seconds) &* 1_000_000_000 &+ Int64(time.nanoseconds)
}
