internal import Identifiers
internal import Rendering
internal import Statistics
internal import TriageModel

/// A bar chart of daily counts, drawn by the server.
struct DayChart {
  /// The days, counted from 1970.
  let days: Range<Int>
  let counts: [Int: Int]
  /// The comparison with the days before.
  var change: Trend?
  /// Releases that were first seen on these days.
  var releases: [Mark] = []

  init(days: Range<Int>, counts: [Int: Int]) {
    self.days = days
    self.counts = counts
  }

  /// A release on the day on which it was first seen.
  struct Mark {
    let day: Int
    let name: String
    let address: String
  }

  private static let height = 80
  private static let step = 10

  /// The labels of a chart whose highest bar is as high as the chart.
  static func scale(to most: Int) -> HTML {
    """
    <div class="scale quiet" aria-hidden="true"><span>\(PageText.number(most))</span><span>0</span></div>
    """
  }

  /// `up 60 % against the 30 days before`, with the test of whether it is more than chance.
  static func comparison(_ change: Trend) -> HTML {
    let rate = change.rate
    let style: HTML = !rate.isCertain ? "quiet" : rate.isRise ? "rise" : "fall"
    let chance: HTML = rate.isCertain || change.change.isEmpty ? .none : ", which may be chance"
    return """
      <span class="\(style)" title="\(PageText.number(change.total)) after \(PageText.number(change.before)); p = \
      \(change.pValue.description), \(RateChange.name)">\(change.sentence)\(chance)</span>
      """
  }

  /// A small chart for a table row. It is a single path, because a list has many.
  func spark(_ label: String) -> HTML {
    let (height, step) = (22, 3)
    let most = max(1, days.map { counts[$0] ?? 0 }.max() ?? 0)
    let total = days.reduce(0) { $0 + (counts[$1] ?? 0) }
    let bars = days.enumerated().compactMap { index, day -> String? in
      guard let count = counts[day], count > 0 else { return nil }
      let size = max(2, Int(Double(count) / Double(most) * Double(height)))
      return "M\(index * step) \(height)v-\(size)h2v\(size)z"
    }
    let peak =
      total == 0 ? "none" : "\(PageText.number(total)), at most \(PageText.number(most)) per day"
    return """
      <svg class="spark" viewBox="0 0 \(step * days.count) \(height)" preserveAspectRatio="none" role="img" \
      aria-label="\(label): \(peak)"><path class="none" d="M0 21h\(step * days.count)v1H0z"/>\
      <path d="\(bars.joined())"/></svg>
      """
  }

  /// A large chart with its table.
  ///
  /// - Parameter covers: A description of the counted reports.
  func chart(_ label: String, covers: String = "") -> HTML {
    let total = days.reduce(0) { $0 + (counts[$1] ?? 0) }
    let rows = days.reversed().filter { counts[$0] ?? 0 > 0 }.map { day -> HTML in
      "<tr><td><time>\(Self.name(day))</time></td><td class=\"number\">\(PageText.number(counts[day] ?? 0))</td></tr>"
    }
    let table: HTML =
      rows.isEmpty
      ? .none
      : """
      <details><summary class="quiet">Show as table</summary><table>\
      <tr><th>Day</th><th class="number">Reports</th></tr>\(rows)</table></details>
      """
    let compared: HTML = change.map { ", \(Self.comparison($0))" } ?? .none
    return """
      <figure class="chart"><figcaption>\(label) <b>\(PageText.number(total))</b> \
      <span class="quiet">in \(GroupText.count(days.count, "day", "days")) \(covers)</span>\
      \(compared)</figcaption>
      \(Self.scale(to: most))
      \(svg(label))
      <div class="axis quiet"><span>\(Self.name(days.lowerBound))</span>\
      <span>\(Self.name(days.upperBound - 1))</span></div>
      <div class="below">\(marks)\(table)</div></figure>
      """
  }

  /// The number of reports that the highest bar stands for.
  private var most: Int { max(1, days.map { counts[$0] ?? 0 }.max() ?? 0) }

  /// The releases that are marked, as a list.
  private var marks: HTML {
    guard !releases.isEmpty else { return .none }
    let items = releases.map { mark -> HTML in
      "<li><a href=\"\(mark.address)\">\(mark.name)</a> <time>\(Self.name(mark.day))</time></li>"
    }
    return "<ul class=\"legend quiet\"><li>First seen:</li>\(items)</ul>"
  }

  private func svg(_ label: String) -> HTML {
    let (height, step, bar, most) = (Self.height, Self.step, 8, most)
    let bars = days.enumerated().map { index, day -> HTML in
      let count = counts[day] ?? 0
      let size = count == 0 ? 1 : max(2, Int(Double(count) / Double(most) * Double(height)))
      let kind: HTML = count == 0 ? " class=\"none\"" : .none
      return """
        <rect\(kind) x="\(index * step)" y="\(height - size)" width="\(bar)" height="\(size)">\
        <title>\(Self.name(day)): \(PageText.number(count))</title></rect>
        """
    }
    let lines = releases.map { mark -> HTML in
      let x = (mark.day - days.lowerBound) * step
      return """
        <path class="mark" d="M\(x) 0v\(height)"><title>\(mark.name): first seen \(Self.name(mark.day))</title></path>
        """
    }
    return """
      <svg class="days" viewBox="0 0 \(step * days.count) \(height)" preserveAspectRatio="none" role="img" \
      aria-label="\(label), at most \(PageText.number(most))">\(bars)\(lines)</svg>
      """
  }

  static func name(_ day: Int) -> String {
    GroupText.day(Timestamp(seconds: Int64(day) * 86_400))
  }
}
