internal import CrashModel
internal import Rendering

/// Counts of days as bars, drawn by the server.
struct DayChart {
  /// The days, counted from 1970, and what is counted on each.
  let days: Range<Int>
  let counts: [Int: Int]

  /// A small one, in a row of a table.
  func spark(_ label: String) -> HTML {
    svg(
      width: 3 * days.count, height: 22, step: 3, bar: 2, label: label, name: "spark", titled: false
    )
  }

  /// A large one with its table.
  func chart(_ label: String) -> HTML {
    let total = days.reduce(0) { $0 + (counts[$1] ?? 0) }
    let rows = days.reversed().filter { counts[$0] ?? 0 > 0 }.map { day -> HTML in
      "<tr><td>\(Self.name(day))</td><td class=\"number\">\(PageText.number(counts[day] ?? 0))</td></tr>"
    }
    let table: HTML =
      rows.isEmpty
      ? .none
      : """
      <details><summary class="quiet">As a table</summary><table>\
      <tr><th>Day</th><th class="number">Reports</th></tr>\(rows)</table></details>
      """
    return """
      <figure class="chart"><figcaption>\(label) <b>\(PageText.number(total))</b> \
      <span class="quiet">in \(days.count) days</span></figcaption>
      \(svg(width: 10 * days.count, height: 80, step: 10, bar: 8, label: label, name: "days", titled: true))
      <div class="axis quiet"><span>\(Self.name(days.lowerBound))</span>\
      <span>\(Self.name(days.upperBound - 1))</span></div>
      \(table)</figure>
      """
  }

  private func svg(
    width: Int, height: Int, step: Int, bar: Int, label: String, name: String, titled: Bool
  ) -> HTML {
    let most = max(1, days.map { counts[$0] ?? 0 }.max() ?? 0)
    let bars = days.enumerated().map { index, day -> HTML in
      let count = counts[day] ?? 0
      let size = count == 0 ? 1 : max(2, Int(Double(count) / Double(most) * Double(height)))
      let kind: HTML = count == 0 ? " class=\"none\"" : .none
      let title: HTML =
        titled ? "<title>\(Self.name(day)): \(PageText.number(count))</title>" : .none
      return """
        <rect\(kind) x="\(index * step)" y="\(height - size)" width="\(bar)" height="\(size)">\(title)</rect>
        """
    }
    return """
      <svg class="\(name)" viewBox="0 0 \(width) \(height)" preserveAspectRatio="none" role="img" \
      aria-label="\(label)">\(bars)</svg>
      """
  }

  private static func name(_ day: Int) -> String {
    GroupText.day(Timestamp(seconds: Int64(day) * 86_400))
  }
}
