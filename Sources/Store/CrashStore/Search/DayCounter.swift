internal import Identifiers

/// Counts reports by the day of their times, in UTC.
struct DayCounter {
  /// Counts for days from 1970 to 2149, where nearly all are.
  private var usual: [Int] = []
  private static let usualDays = 1 << 16
  private var others: [Int: Int] = [:]

  /// - Parameter time: Microseconds since 1970.
  mutating func add(_ time: Int) {
    let day = Timestamp(microseconds: time).day
    guard day >= 0, day < Self.usualDays else {
      others[day, default: 0] += 1
      return
    }
    if day >= usual.count { usual += repeatElement(0, count: max(day + 1, 1 << 15) - usual.count) }
    usual[day] += 1
  }

  /// Days with reports, counted from 1970, and the number of reports of each.
  var counts: [Int: Int] {
    var counts = others
    for (day, count) in usual.enumerated() where count > 0 { counts[day] = count }
    return counts
  }
}
