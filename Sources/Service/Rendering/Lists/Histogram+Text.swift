internal import Bytes
package import CrashService

/// Reports and groups by the values of a field, as text and CSV.
extension Histogram {
  private static let nothing = "(none)"
  /// The maximum length of a bar; longer ones show no more.
  private static let longestBar = 40
  private static let shortestBar = 8
  private static let longestValue = 32

  /// Returns one line per value, with a bar as long as its count.
  package func lines(width: Int, styles: Styles) -> [String] {
    let names = rows.map { $0.value.isEmpty ? Self.nothing : $0.value.printable }
    let cells = rows.map { row in
      [String(row.reports), String(row.groups), Percent.text(main(row), of: total)]
    }
    let titles = ["REPORTS", "GROUPS", "SHARE"]
    let widths = titles.indices.map { column in
      cells.reduce(titles[column].columns) { max($0, $1[column].columns) }
    }
    let head = field.uppercased().printable
    let behind = widths.reduce(0) { $0 + 2 + $1 }
    let value = min(
      names.reduce(head.columns) { max($0, $1.columns) }, Self.longestValue,
      max(8, width - behind - 2 - Self.shortestBar))
    let bar = min(Self.longestBar, width - value - behind - 2)
    let most = rows.map(main).max() ?? 0
    func figures(_ cells: [String]) -> String {
      zip(cells, widths).map { "  " + $0.padded(to: $1, right: true) }.joined()
    }
    var lines = [styles.dim(head.truncated(to: value).padded(to: value) + figures(titles))]
    for (index, row) in rows.enumerated() {
      let name = names[index].truncated(to: value).padded(to: value)
      let drawn = BarChart.bar(main(row), of: most, width: bar)
      lines.append(
        (row.value.isEmpty ? styles.dim(name) : name) + figures(cells[index])
          + (drawn.isEmpty ? "" : "  " + styles.chart(drawn)))
    }
    return lines
  }

  package var csv: String {
    var csv = CSV()
    csv.add([.text(field), .text("reports"), .text("groups"), .text("share")])
    for row in rows {
      csv.add([
        .text(row.value), .number(String(row.reports)), .number(String(row.groups)),
        .number(share(row)),
      ])
    }
    return csv.text
  }

  /// Returns a share from 0 to 1 with four digits.
  private func share(_ row: Row) -> String {
    guard total > 0 else { return "0" }
    let parts = Int((Double(main(row)) / Double(total) * 10_000).rounded())
    let digits = String(parts % 10_000)
    return "\(parts / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
