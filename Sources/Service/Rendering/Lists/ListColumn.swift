internal import Bytes
internal import CrashService

/// A possible column of a list.
package struct ListColumn<Item>: Sendable {
  /// Its name in `--columns` and in the header of a CSV file: `last-seen`.
  package let name: String
  package var isNumber = false
  package var shrinking = TextTable.Column.Shrinking.never
  /// The maximum number of columns of the terminal; `nil` for no limit.
  package var widest: Int?
  /// The value in a table.
  package let text: @Sendable (Item) -> String
  /// The value in CSV, if that is more than a table shows.
  package var fullText: (@Sendable (Item) -> String)?

  /// The style of its cells.
  package var style: (@Sendable (Styles, String) -> String)?
  /// Its heading, if that is not its name.
  package var heading: String?

  package init(
    name: String, isNumber: Bool = false, shrinking: TextTable.Column.Shrinking = .never,
    widest: Int? = nil, heading: String? = nil, fullText: (@Sendable (Item) -> String)? = nil,
    style: (@Sendable (Styles, String) -> String)? = nil, text: @escaping @Sendable (Item) -> String
  ) {
    self.name = name
    self.isNumber = isNumber
    self.shrinking = shrinking
    self.widest = widest
    self.heading = heading
    self.fullText = fullText
    self.style = style
    self.text = text
  }

  /// `LAST SEEN`
  package var title: String {
    heading ?? String(name.uppercased().map { $0 == "-" ? " " : $0 })
  }

  /// Returns the column under another heading.
  package func titled(_ heading: String) -> ListColumn {
    var column = self
    column.heading = heading
    return column
  }

  /// Returns the width of the column if nothing is cut.
  package func width(for items: [Item]) -> Int {
    let texts = items.map { text($0).printable.columns }
    return max(title.columns, min(widest ?? .max, texts.max() ?? 0))
  }

  /// Creates a column of numbers.
  package static func number(
    _ name: String, _ number: @escaping @Sendable (Item) -> Int?
  ) -> ListColumn {
    ListColumn(name: name, isNumber: true) { number($0).map(String.init) ?? "" }
  }

  /// Creates a column of texts that may be cut.
  package static func text(
    _ name: String, _ shrinking: TextTable.Column.Shrinking = .atEnd, widest: Int? = nil,
    full: (@Sendable (Item) -> String)? = nil, _ text: @escaping @Sendable (Item) -> String
  ) -> ListColumn {
    ListColumn(name: name, shrinking: shrinking, widest: widest, fullText: full, text: text)
  }

  /// Creates a column of texts that are useless when cut.
  package static func whole(
    _ name: String, full: (@Sendable (Item) -> String)? = nil,
    _ text: @escaping @Sendable (Item) -> String
  ) -> ListColumn {
    ListColumn(name: name, fullText: full, text: text)
  }
}
