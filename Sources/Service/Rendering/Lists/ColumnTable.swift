internal import Bytes
internal import CrashService

/// A list as a table or as CSV.
package struct ColumnTable<Item> {
  package let columns: [ListColumn<Item>]
  package let items: [Item]
  /// Whether an item is de-emphasised.
  package var isQuiet: (Item) -> Bool = { _ in false }

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable(columns.map { Self.heading($0, styles) })
    for item in items {
      table.add(
        columns.map { Self.cell(item, $0) }, style: isQuiet(item) ? styles.dim : nil)
    }
    return table.lines(width: width, styles: styles)
  }

  private static func heading(
    _ column: ListColumn<Item>, _ styles: Styles
  ) -> TextTable.Column {
    var heading = TextTable.Column(
      title: column.title, isNumber: column.isNumber, shrinking: column.shrinking)
    if let style = column.style { heading.style = { style(styles, $0) } }
    return heading
  }

  private static func cell(_ item: Item, _ column: ListColumn<Item>) -> String {
    let text = column.text(item).printable
    guard let widest = column.widest else { return text }
    return column.shrinking == .atStart
      ? text.truncatedAtStart(to: widest) : text.truncated(to: widest)
  }

  package var csv: String {
    var csv = CSV()
    csv.add(columns.map { .text($0.name) })
    for item in items {
      let values = columns.map { column -> CSV.Value in
        let text = (column.fullText ?? column.text)(item)
        return column.isNumber ? .number(text) : .text(text)
      }
      csv.add(values)
    }
    return csv.text
  }

  package init(
    columns: [ListColumn<Item>], items: [Item], isQuiet: @escaping (Item) -> Bool = { _ in false }
  ) {
    self.columns = columns
    self.items = items
    self.isQuiet = isQuiet
  }
}
