internal import CrashService

/// Rows of a label, a bar and a description; the longest bar takes the remaining width.
///
/// Labels must be printable.
package struct BarChart {
  package struct Row {
    package var label: String
    package var count: Int
    /// The cells after the bar, one for each column; every row has the same number.
    package var figures: [String]
    /// Whether the row summarises others that are left out, and has no bar.
    package var isRest = false

    package init(label: String, count: Int, figures: [String], isRest: Bool = false) {
      self.label = label
      self.count = count
      self.figures = figures
      self.isRest = isRest
    }
  }

  package let rows: [Row]
  package var styles = Styles.plain

  /// The maximum length of a bar; longer ones show no more.
  private static let longestBar = 40
  /// The minimum length of a bar; shorter ones show nothing.
  private static let shortestBar = 4

  /// - Parameter width: The maximum number of columns of a line.
  package func lines(width: Int) -> [String] {
    let columns = rows.first?.figures.count ?? 0
    let figures = (0..<columns).map { column in
      rows.map { $0.figures[column].columns }.max() ?? 0
    }
    let behind = figures.reduce(0) { $0 + 2 + $1 }
    let label = min(
      rows.map(\.label.columns).max() ?? 0, max(8, width - behind - Self.shortestBar - 2))
    let bar = min(Self.longestBar, width - label - 2 - behind)
    let most = rows.filter { !$0.isRest }.map(\.count).max() ?? 0
    return rows.map { row in
      let name = row.label.truncated(to: label).padded(to: label)
      var line = row.isRest ? styles.dim(name) : name
      if bar >= Self.shortestBar {
        let drawn = row.isRest ? "" : Self.bar(row.count, of: most, width: bar)
        line += "  " + styles.chart(drawn) + String(repeating: " ", count: bar - drawn.columns)
      }
      for (figure, width) in zip(row.figures, figures) {
        line += "  " + styles.dim(figure.padded(to: width, right: true))
      }
      return line
    }
  }

  /// Returns a bar in halves of a column, thin enough that adjacent bars stay apart; the smallest count above
  /// zero is still visible.
  package static func bar(_ count: Int, of most: Int, width: Int) -> String {
    guard count > 0, most > 0, width > 0 else { return "" }
    let share = min(1, Double(count) / Double(most))
    let halves = max(1, Int((share * Double(width * 2)).rounded()))
    return String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
  }
}
