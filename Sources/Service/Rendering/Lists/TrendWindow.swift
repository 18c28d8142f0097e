internal import CrashService
package import Identifiers

/// The days of a trend, and the same number before them for comparison.
package struct TrendWindow: Hashable, Sendable {
  /// Days since 1970 in UTC.
  package let days: Range<Int>

  /// - Parameters:
  ///   - count: The number of days.
  ///   - newest: The time of the newest report.
  ///   - now: The current time. The days end today if something happened recently, otherwise with the newest
  ///     report: an empty trend shows nothing.
  package init(days count: Int, newest: Timestamp, now: Timestamp) {
    let (today, last) = (Self.day(now), Self.day(newest))
    // A clock may be ahead, so that a report is dated tomorrow.
    let end = last > today - count ? max(today, min(last, today + 1)) : last
    days = (end - count + 1)..<(end + 1)
  }

  /// The same number of days before.
  package var before: Range<Int> { (days.lowerBound - days.count)..<days.lowerBound }

  /// Returns the midnight in UTC at which a day begins.
  package static func midnight(_ day: Int) -> Timestamp { Timestamp(seconds: Int64(day) * 86_400) }

  package static func day(_ time: Timestamp) -> Int {
    let seconds = time.seconds
    return Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
