internal import Bytes
internal import CrashService
package import Statistics
package import TriageModel

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

  /// The change, with the test of whether it is more than chance.
  package var rate: RateChange {
    RateChange(
      .init(total, in: window.length), after: .init(before, in: Double(window.days.count)))
  }

  /// `+60 %`, `-25 %`, `new`, `gone`, or empty if unchanged.
  package var change: String {
    if total == before { return "" }
    guard let percent else { return "new" }
    if total == 0 { return "gone" }
    return (percent > 0 ? "+" : "") + "\(percent) %"
  }

  /// The change in percent, from -100 to 99,999; `nil` if there was no report before.
  package var percent: Int? {
    guard before > 0 else { return nil }
    if total == 0 { return -100 }
    let share = (Double(total) - Double(before)) / Double(before) * 100
    return Int(min(max(share, -99), 99_999).rounded())
  }

  /// The change in a sentence about the days: `up 60 % against the 30 days before`.
  package var sentence: String {
    let days = "the \(GroupText.count(window.days.count, "day", "days")) before"
    return switch change {
    case "" where total == 0: "none in \(days) either"
    case "": "as many as in \(days)"
    case "new": "none in \(days)"
    case "gone": "\(before) in \(days)"
    case let change:
      (change.hasPrefix("-") ? "down " : "up ") + change.dropFirst() + " against \(days)"
    }
  }

  /// The probability that chance alone causes such a change, in six digits.
  package var pValue: Double { rate.pValue.significant(6) }

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
