internal import CrashModel
internal import CrashService

/// A column that a list can have.
package struct ListColumn<Item>: Sendable {
  /// Its name in `--columns` and in the head of a CSV file: `last-seen`.
  package let name: String
  package var isNumber = false
  package var shrinking = TextTable.Column.Shrinking.never
  /// The most columns of the terminal that it takes; `nil` where it takes what there is.
  package var widest: Int?
  /// The value as a table shows it.
  package let text: @Sendable (Item) -> String
  /// The value as CSV has it, where that is more than a table shows.
  package var fullText: (@Sendable (Item) -> String)?

  /// How its cells stand out.
  package var style: (@Sendable (Styles, String) -> String)?
  /// Its heading where that is not its name.
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

  /// The column under another heading.
  package func titled(_ heading: String) -> ListColumn {
    var column = self
    column.heading = heading
    return column
  }

  /// How wide a table makes the column where it need not be cut.
  package func width(for items: [Item]) -> Int {
    let texts = items.map { text($0).printable.columns }
    return max(title.columns, min(widest ?? .max, texts.max() ?? 0))
  }

  /// A column of numbers.
  package static func number(
    _ name: String, _ number: @escaping @Sendable (Item) -> Int?
  ) -> ListColumn {
    ListColumn(name: name, isNumber: true) { number($0).map(String.init) ?? "" }
  }

  /// A column of texts that may be cut.
  package static func text(
    _ name: String, _ shrinking: TextTable.Column.Shrinking = .atEnd, widest: Int? = nil,
    full: (@Sendable (Item) -> String)? = nil, _ text: @escaping @Sendable (Item) -> String
  ) -> ListColumn {
    ListColumn(name: name, shrinking: shrinking, widest: widest, fullText: full, text: text)
  }

  /// A column whose texts say nothing when they are cut.
  package static func whole(
    _ name: String, full: (@Sendable (Item) -> String)? = nil,
    _ text: @escaping @Sendable (Item) -> String
  ) -> ListColumn {
    ListColumn(name: name, fullText: full, text: text)
  }
}
