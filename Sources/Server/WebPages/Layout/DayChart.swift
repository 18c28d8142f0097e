internal import Identifiers
internal import Rendering

/// A bar chart of daily counts, drawn by the server.
struct DayChart {
  /// The days, counted from 1970.
  let days: Range<Int>
  let counts: [Int: Int]

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
    return """
      <figure class="chart"><figcaption>\(label) <b>\(PageText.number(total))</b> \
      <span class="quiet">in \(GroupText.count(days.count, "day", "days")) \(covers)</span></figcaption>
      \(svg(label))
      <div class="axis quiet"><span>\(Self.name(days.lowerBound))</span>\
      <span>\(Self.name(days.upperBound - 1))</span></div>
      \(table)</figure>
      """
  }

  private func svg(_ label: String) -> HTML {
    let (height, step, bar) = (80, 10, 8)
    let most = max(1, days.map { counts[$0] ?? 0 }.max() ?? 0)
    let bars = days.enumerated().map { index, day -> HTML in
      let count = counts[day] ?? 0
      let size = count == 0 ? 1 : max(2, Int(Double(count) / Double(most) * Double(height)))
      let kind: HTML = count == 0 ? " class=\"none\"" : .none
      return """
        <rect\(kind) x="\(index * step)" y="\(height - size)" width="\(bar)" height="\(size)">\
        <title>\(Self.name(day)): \(PageText.number(count))</title></rect>
        """
    }
    return """
      <svg class="days" viewBox="0 0 \(step * days.count) \(height)" preserveAspectRatio="none" role="img" \
      aria-label="\(label)">\(bars)</svg>
      """
  }

  static func name(_ day: Int) -> String {
    GroupText.day(Timestamp(seconds: Int64(day) * 86_400))
  }
}
