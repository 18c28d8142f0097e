internal import CrashStore
internal import Identifiers
internal import Rendering

/// Reports per day by release, as stacked bars.
struct ReleaseChart {
  /// The days, counted from 1970.
  let days: Range<Int>
  /// Reports by day and release.
  private let counts: [Int: [String: Int]]
  /// The releases with their own colours, newest first.
  private let shown: [String]
  private let hasOthers: Bool
  /// The comparison with the days before.
  var change: Trend?

  private static let most = 4
  private static let height = 80
  private static let step = 10

  /// - Parameter order: All releases, oldest first.
  init(days: Range<Int>, _ found: [ReleaseDay], order: [String]) {
    self.days = days
    var counts: [Int: [String: Int]] = [:]
    var totals: [String: Int] = [:]
    for item in found {
      counts[item.day.day, default: [:]][item.release, default: 0] += item.reports
      totals[item.release, default: 0] += item.reports
    }
    self.counts = counts
    let ranks = Dictionary(zip(order, 0...)) { first, _ in first }
    let frequent = totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most)
    shown = frequent.map(\.key).sorted { (ranks[$0] ?? -1, $0) > (ranks[$1] ?? -1, $1) }
    hasOthers = totals.count > shown.count
  }

  private static func title(_ release: String) -> String {
    release.isEmpty ? "no version" : release
  }

  /// - Parameter today: The last day of the chart may be an earlier one.
  func chart(today: Int) -> HTML {
    let total = counts.values.reduce(0) { $0 + $1.values.reduce(0, +) }
    let legend = shown.enumerated().map { index, release -> HTML in
      "<li><span class=\"key r\(index)\"></span>\(Self.title(release))</li>"
    }
    let others: HTML = hasOthers ? "<li><span class=\"key others\"></span>others</li>" : .none
    let last = days.upperBound - 1
    let end = last == today ? "" : " to \(DayChart.name(last))"
    let isNamed = shown.contains { !$0.isEmpty }
    let compared: HTML = change.map { ", \(DayChart.comparison($0))" } ?? .none
    return """
      <figure class="chart"><figcaption>Reports per day <b>\(PageText.number(total))</b> \
      <span class="quiet">in \(end.isEmpty ? "" : "the ")\(GroupText.count(days.count, "day", "days"))\(end)</span>\
      \(compared)</figcaption>
      \(DayChart.scale(to: most))
      \(svg)
      <div class="axis quiet"><span>\(DayChart.name(days.lowerBound))</span>\
      <span>\(DayChart.name(days.upperBound - 1))</span></div>
      \(isNamed ? "<ul class=\"legend quiet\">\(legend)\(others)</ul>" : .none)
      \(table)</figure>
      """
  }

  /// The reports of a day in the order of ``shown``, and those of other releases.
  private func parts(of day: Int) -> [Int] {
    let all = counts[day] ?? [:]
    let named = shown.map { all[$0] ?? 0 }
    return named + [all.values.reduce(0, +) - named.reduce(0, +)]
  }

  private func sum(of day: Int) -> Int { counts[day]?.values.reduce(0, +) ?? 0 }

  /// The number of reports that the highest bar stands for.
  private var most: Int { max(1, days.map(sum).max() ?? 0) }

  private var svg: HTML {
    let sums = days.map(sum)
    let most = most
    let bars = zip(days, sums).enumerated().map { index, item -> HTML in
      let (day, sum) = item
      let x = index * Self.step
      guard sum > 0 else {
        return "<rect class=\"none\" x=\"\(x)\" y=\"\(Self.height - 1)\" width=\"8\" height=\"1\"/>"
      }
      let parts = parts(of: day)
      var below = 0
      // The oldest release is at the bottom.
      let pieces = parts.indices.reversed().map { number -> HTML in
        guard parts[number] > 0 else { return .none }
        let from = below * Self.height / most
        below += parts[number]
        let size = max(1, below * Self.height / most - from)
        let style: HTML = number < shown.count ? "r\(number)" : "others"
        return
          "<rect class=\"\(style)\" x=\"\(x)\" y=\"\(Self.height - from - size)\" width=\"8\" height=\"\(size)\"/>"
      }
      let words = parts.indices.filter { parts[$0] > 0 }.map { number in
        (number < shown.count ? Self.title(shown[number]) : "others") + ": "
          + PageText.number(parts[number])
      }
      return """
        <g><title>\(DayChart.name(day)): \(PageText.number(sum)) (\(words.joined(separator: ", ")))</title>\
        \(Array(pieces))</g>
        """
    }
    return """
      <svg class="days" viewBox="0 0 \(days.count * Self.step) \(Self.height)" preserveAspectRatio="none" role="img" \
      aria-label="Reports per day by release, at most \(PageText.number(most))">\(bars)</svg>
      """
  }

  private var table: HTML {
    let seen = days.reversed().filter { counts[$0] != nil }
    guard !seen.isEmpty else { return .none }
    let heads = shown.map { "<th class=\"number\">\(Self.title($0))</th>" as HTML }
    let others: HTML = hasOthers ? "<th class=\"number\">Others</th>" : .none
    let rows = seen.map { day -> HTML in
      let parts = parts(of: day)
      let cells = parts.prefix(hasOthers ? parts.count : shown.count)
        .map { "<td class=\"number\">\(PageText.number($0))</td>" as HTML }
      return """
        <tr><td><time>\(DayChart.name(day))</time></td><td class="number">\(PageText.number(parts.reduce(0, +)))</td>\(Array(cells))</tr>
        """
    }
    return """
      <details><summary class="quiet">Show as table</summary><div class="scroll"><table><tr><th>Day</th>\
      <th class="number">All</th>\(heads)\(others)</tr>\(rows)</table></div></details>
      """
  }
}
