import CrashModel
import Glibc

extension Timestamp {
  /// The system's clock.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}

extension Timestamp {
  /// The midnight in UTC of a day that is written `2026-03-01`; `nil` for anything else.
  init?(day text: String) {
    let isDay = text.utf8.count == 10 && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 }
    guard isDay, let time = Timestamp(text + "T00:00:00Z") else { return nil }
    self = time
  }
}
