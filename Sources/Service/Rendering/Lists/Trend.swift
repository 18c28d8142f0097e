internal import Bytes
internal import CrashService

/// The number of reports on each of some days, and in the same number of days before.
package struct Trend: Hashable, Sendable {
  package let window: TrendWindow
  /// A count for each day of the window.
  package let counts: [Int]
  /// The number of reports in the same number of days before.
  package let before: Int

  /// - Parameter counts: Counts by days since 1970.
  package init(_ window: TrendWindow, counts: [Int: Int]) {
    self.window = window
    self.counts = window.days.map { counts[$0] ?? 0 }
    before = window.before.reduce(0) { $0.addingClamped(counts[$1] ?? 0) }
  }

  package var total: Int { counts.reduce(0) { $0.addingClamped($1) } }

  /// `+60 %`, `-25 %`, `new`, `gone`, or empty if unchanged.
  package var change: String {
    if total == before { return "" }
    if before == 0 { return "new" }
    if total == 0 { return "gone" }
    let share = (Double(total) - Double(before)) / Double(before) * 100
    let percent = Int(min(max(share, -99), 99_999).rounded())
    return (percent > 0 ? "+" : "") + "\(percent) %"
  }

  /// Returns counts of several days each, in at most `columns` buckets; the newest come last.
  package func buckets(columns: Int) -> (counts: [Int], days: Int) {
    let size = max(1, (counts.count + columns - 1) / max(columns, 1))
    var buckets: [Int] = []
    var end = counts.count
    while end > 0 {
      let start = max(0, end - size)
      buckets.append(counts[start..<end].reduce(0) { $0.addingClamped($1) })
      end = start
    }
    return (buckets.reversed(), size)
  }
}
