package import APIDocuments
internal import CrashService
internal import Identifiers
internal import TriageModel

extension TrendPeriod {
  /// Returns the first day of the period that contains a day; both in days since 1970.
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

  /// Returns the first days of all periods that overlap some days, and the days in each of them.
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
