public import Identifiers

/// The days of a trend, and the same number before them for comparison.
public struct TrendWindow: Hashable, Sendable {
  /// Days since 1970 in UTC.
  public let days: Range<Int>
  /// The number of these days that have passed: the last one may have just begun.
  public let length: Double

  /// - Parameters:
  ///   - count: The number of days.
  ///   - newest: The time of the newest report.
  ///   - now: The current time. The days end today if something happened recently, otherwise with the newest
  ///     report: an empty trend shows nothing.
  public init(days count: Int, newest: Timestamp, now: Timestamp) {
    let (today, last) = (Self.day(now), Self.day(newest))
    // A clock may be ahead, so that a report is dated tomorrow.
    let end = last > today - count ? max(today, min(last, today + 1)) : last
    self.init(days: count, through: end, now: now)
  }

  /// - Parameters:
  ///   - count: The number of days.
  ///   - end: The last day.
  public init(days count: Int, through end: Int, now: Timestamp) {
    days = (end - count + 1)..<(end + 1)
    let passed = Double(now.seconds - Int64(days.lowerBound) * 86_400) / 86_400
    // After midnight, a second of the first day has passed.
    length = min(Double(count), max(passed, 1 / 86_400))
  }

  /// The same number of days before.
  public var before: Range<Int> { (days.lowerBound - days.count)..<days.lowerBound }

  /// Returns the midnight in UTC at which a day begins.
  public static func midnight(_ day: Int) -> Timestamp { Timestamp(seconds: Int64(day) * 86_400) }

  public static func day(_ time: Timestamp) -> Int {
    let seconds = time.seconds
    return Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
