import Files
import Glibc

/// The resources that the process has used.
enum Measure {
  /// User and system time of the process, in seconds.
  static var processorTime: Double {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// Elapsed time, in seconds.
  static var wallTime: Double { SteadyClock.seconds }

  /// The largest resident size so far, in bytes.
  static var peakMemory: Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1_024
  }
}
