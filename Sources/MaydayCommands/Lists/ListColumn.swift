/// A column that a list can have.
struct ListColumn<Item>: Sendable {
  /// What `--columns` and the head of a CSV file call it: `last-seen`.
  let name: String
  var isNumber = false
  var shrinking = TextTable.Column.Shrinking.never
  /// The most columns of the terminal that it takes; `nil` where it takes what there is.
  var widest: Int?
  /// The value as a table shows it.
  let text: @Sendable (Item) -> String
  /// The value as CSV has it, where that is more than a table shows.
  var fullText: (@Sendable (Item) -> String)?

  /// How its cells stand out.
  var style: (@Sendable (Styles, String) -> String)?
  /// What stands above it where that is not its name.
  var heading: String?

  /// `LAST SEEN`
  var title: String {
    heading ?? String(name.uppercased().map { $0 == "-" ? " " : $0 })
  }

  /// The column under another heading.
  func titled(_ heading: String) -> ListColumn {
    var column = self
    column.heading = heading
    return column
  }

  /// How wide a table makes the column where it need not be cut.
  func width(for items: [Item]) -> Int {
    let texts = items.map { text($0).printable.columns }
    return max(title.columns, min(widest ?? .max, texts.max() ?? 0))
  }

  /// A column of numbers.
  static func number(
    _ name: String, _ number: @escaping @Sendable (Item) -> Int?
  ) -> ListColumn {
    ListColumn(name: name, isNumber: true) { number($0).map(String.init) ?? "" }
  }

  /// A column of texts that may be cut.
  static func text(
    _ name: String, _ shrinking: TextTable.Column.Shrinking = .atEnd, widest: Int? = nil,
    full: (@Sendable (Item) -> String)? = nil, _ text: @escaping @Sendable (Item) -> String
  ) -> ListColumn {
    ListColumn(name: name, shrinking: shrinking, widest: widest, text: text, fullText: full)
  }

  /// A column whose texts say nothing when they are cut.
  static func whole(
    _ name: String, full: (@Sendable (Item) -> String)? = nil,
    _ text: @escaping @Sendable (Item) -> String
  ) -> ListColumn {
    ListColumn(name: name, text: text, fullText: full)
  }
}
