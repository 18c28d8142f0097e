internal import CrashModel
internal import CrashService

/// What the reports of a trend are added up by.
package enum TrendPeriod: String, CaseIterable, Sendable {
  case day
  /// From Monday to Sunday (ISO 8601).
  case week
  case month

  /// The first day of the period with a day; both in days since 1970.
  package func start(of day: Int) -> Int {
    switch self {
    case .day: return day
    case .week:
      // The first of January 1970 was a Thursday.
      let weekday = (day + 3) % 7
      return day - (weekday < 0 ? weekday + 7 : weekday)
    case .month:
      let name = GroupText.day(TrendWindow.midnight(day)).prefix(8) + "01"
      return Timestamp(day: String(name)).map { TrendWindow.day($0) } ?? day
    }
  }

  /// The first days of all periods with any of some days, and which days each of them has.
  package func periods(of days: ClosedRange<Int>) -> [(start: Int, days: ClosedRange<Int>)] {
    var periods: [(start: Int, days: ClosedRange<Int>)] = []
    for day in days {
      let start = start(of: day)
      if periods.last?.start == start {
        periods[periods.count - 1].days = periods[periods.count - 1].days.lowerBound...day
      } else {
        periods.append((start, day...day))
      }
    }
    return periods
  }
}
