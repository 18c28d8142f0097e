import Glibc

/// Limits on processes in which a server reads debug files.
enum ServerChildLimits {
  /// Memory, in bytes, and processor time.
  private static let bytes: rlim_t = 8 << 30
  private static let seconds: rlim_t = 120

  /// Sets them for this process, and lowers its priority.
  static func apply() {
    var memory = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    var time = rlimit(rlim_cur: seconds, rlim_max: seconds)
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
    _ = nice(10)
  }
}
