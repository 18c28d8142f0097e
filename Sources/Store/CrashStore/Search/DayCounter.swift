internal import Identifiers

/// Counts reports by the day of their times, in UTC.
struct DayCounter {
  /// Counts for days from 1970 to 2149, where nearly all are.
  private var usual: [Int] = []
  private static let usualDays = 1 << 16
  private var others: [Int: Int] = [:]

  /// - Parameter time: Microseconds since 1970.
  mutating func add(_ time: Int) {
    add(1, onDay: Timestamp(microseconds: time).day)
  }

  /// Adds several reports of a day, counted from 1970.
  mutating func add(_ count: Int, onDay day: Int) {
    guard day >= 0, day < Self.usualDays else {
      others[day, default: 0] += count
      return
    }
    makeRoom(for: day)
    usual[day] += count
  }

  private mutating func makeRoom(for day: Int) {
    guard day >= usual.count else { return }
    usual += repeatElement(0, count: max(day + 1, 1 << 15) - usual.count)
  }

  /// Days with reports, counted from 1970, and the number of reports of each.
  var counts: [Int: Int] {
    var counts = others
    for (day, count) in usual.enumerated() where count > 0 { counts[day] = count }
    return counts
  }
}
