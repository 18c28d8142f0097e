internal import Glibc

/// The time zone of the process.
public enum ProcessTimeZone {
  /// Makes it UTC. Everything that is shown or written is in UTC, and what libraries write in local
  /// time has to be the same on any machine.
  ///
  /// Call it before the first thread is made: the environment belongs to all of them.
  public static func becomeUTC() {
    setenv("TZ", "UTC0", 1)
    tzset()
  }
}
