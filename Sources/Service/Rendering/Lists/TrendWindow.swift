internal import CrashService
package import CrashModel

/// The days of a trend, and as many before them to compare with.
package struct TrendWindow: Hashable, Sendable {
  /// Days since 1970 in UTC.
  package let days: Range<Int>

  /// - Parameters:
  ///   - count: How many days.
  ///   - newest: When the newest report was.
  ///   - now: What time it is. Where something happened lately the days end today, and else with
  ///     the newest report: a trend of nothing shows nothing.
  package init(days count: Int, newest: Timestamp, now: Timestamp) {
    let (today, last) = (Self.day(now), Self.day(newest))
    // A clock may be ahead, so that a report is of tomorrow.
    let end = last > today - count ? max(today, min(last, today + 1)) : last
    days = (end - count + 1)..<(end + 1)
  }

  /// The days before, as many.
  package var before: Range<Int> { (days.lowerBound - days.count)..<days.lowerBound }

  /// The midnight in UTC with which a day begins.
  package static func midnight(_ day: Int) -> Timestamp { Timestamp(seconds: Int64(day) * 86_400) }

  package static func day(_ time: Timestamp) -> Int {
    let seconds = time.seconds
    return Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
