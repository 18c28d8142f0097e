internal import CrashService
internal import TriageModel

/// A trend drawn as bars over an axis of days.
package struct TrendChart {
  package let trend: Trend

  /// The number of rows of the bars.
  private static let height = 6
  /// The number of columns of a bar with the gap after it.
  private static let widestBar = 4
  private static let parts = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  package func lines(width: Int, styles: Styles) -> [String] {
    let most = max(trend.counts.max() ?? 0, 1)
    // The labels are as wide as that of the highest bar, which may be higher for weeks.
    let room = width - String(most).count - 4
    let (buckets, size) = trend.buckets(columns: room)
    let top = max(buckets.max() ?? 0, 1)
    let margin = String(top).count
    let step = max(1, min(Self.widestBar, (width - margin - 3) / max(buckets.count, 1)))
    var lines = [title(days: size), ""]
    for row in stride(from: Self.height, to: 0, by: -1) {
      let label = row == Self.height ? String(top) : ""
      var text = ""
      for count in buckets { text += cell(count, of: top, row: row, width: step) }
      while text.last == " " { text.removeLast() }
      lines.append(
        styles.dim(label.padded(to: margin, right: true) + (label.isEmpty ? " │" : " ┤"))
          + styles.chart(text))
    }
    lines += axis(buckets: buckets.count, step: step, days: size, margin: margin)
      .map { styles.dim($0) }
    return lines + ["", summary]
  }

  private func title(days: Int) -> String {
    let (first, last) = (trend.window.days.lowerBound, trend.window.days.upperBound - 1)
    let each =
      switch days {
      case 1: "each day"
      case 7: "each week"
      default: "in \(days) days each"
      }
    return "Reports \(each), \(Self.name(first)) to \(Self.name(last)), UTC"
  }

  /// Returns the part of a bar in a row; the lowest row is 1.
  private func cell(_ count: Int, of most: Int, row: Int, width: Int) -> String {
    let bar = width > 1 ? width - 1 : 1
    let gap = String(repeating: " ", count: width - bar)
    guard count > 0 else { return String(repeating: " ", count: bar) + gap }
    let eighths = max(1, Int((Double(count) / Double(most) * Double(Self.height * 8)).rounded()))
    let part = min(8, eighths - (row - 1) * 8)
    return String(repeating: part > 0 ? Self.parts[part - 1] : " ", count: bar) + gap
  }

  /// Returns the axis with a tick below every few bars, and the days of the ticks.
  private func axis(buckets: Int, step: Int, days: Int, margin: Int) -> [String] {
    var ground = "0".padded(to: margin, right: true) + " └"
    var names = String(repeating: " ", count: margin + 2)
    // A day takes five columns, and needs some room.
    let every = max(1, (8 + step - 1) / step)
    let first = trend.window.days.upperBound - buckets * days
    for bucket in 0..<buckets {
      let isTick = bucket % every == 0
      ground += isTick ? "┬" : "─"
      ground += String(repeating: "─", count: step - 1)
      if isTick {
        let blanks = margin + 2 + bucket * step - names.count
        names += String(repeating: " ", count: max(0, blanks))
        names += Self.name(max(first + bucket * days, trend.window.days.lowerBound)).suffix(5)
      }
    }
    return [ground, names]
  }

  private var summary: String {
    let days = trend.window.days.count
    let total = GroupText.count(trend.total, "report", "reports")
    let change =
      switch trend.change {
      case "": "as many as in the \(days) days before"
      case "new": "none in the \(days) days before"
      case let change:
        "\(trend.before) in the \(days) days before: "
          + (change == "gone"
            ? "gone" : (change.hasPrefix("-") ? "down " : "up ") + change.dropFirst())
      }
    return "\(total) in \(GroupText.count(days, "day", "days")), \(change)"
  }

  private static func name(_ day: Int) -> String { GroupText.day(TrendWindow.midnight(day)) }

  package init(trend: Trend) {
    self.trend = trend
  }
}
