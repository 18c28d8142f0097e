internal import Rendering

/// A table. On a narrow screen, each row becomes a card whose values are labelled with their columns; with many
/// columns already on a tablet, where the last ones would be out of sight.
struct CardTable {
  enum ColumnKind: String {
    case text = ""
    case number
    /// Less important than the other columns.
    case side
    /// Ids and addresses.
    case mono
    /// A meter with its percentage.
    case share = "portion"
    /// Buttons.
    case actions
  }

  /// The number of columns that a tablet shows side by side.
  private static let mostColumns = 5

  private let columns: [(name: String, kind: ColumnKind)]
  private var rows: [HTML] = []

  init(_ columns: [(String, ColumnKind)]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  /// - Parameters:
  ///   - cells: One cell per column.
  ///   - link: Whether the row has a link, so that the keys `j`, `k` and `o` find it.
  ///   - isQuiet: Whether it matters less than others.
  mutating func add(_ cells: [HTML], link: Bool = false, isQuiet: Bool = false) {
    let fields = zip(columns, cells).map { column, cell -> HTML in
      let style: HTML = column.kind == .text ? .none : " class=\"\(column.kind.rawValue)\""
      let name: HTML =
        column.kind == .actions || column.name.isEmpty ? .none : " data-name=\"\(column.name)\""
      return "<td role=\"cell\"\(style)\(name)>\(cell)</td>"
    }
    let names = [link ? "row" : nil, isQuiet ? "quiet" : nil].compactMap { $0 }
    let style: HTML =
      names.isEmpty ? .none : " class=\"\(names.joined(separator: " "))\""
    rows.append("<tr role=\"row\"\(style)>\(fields)</tr>\n")
  }

  /// The roles repeat those of the elements, which are lost when the stylesheet shows rows as cards.
  var markup: HTML {
    let heads = columns.map { column -> HTML in
      let style: HTML = column.kind == .text ? .none : " class=\"\(column.kind.rawValue)\""
      let name: HTML =
        column.kind == .actions ? "<span class=\"hidden\">\(column.name)</span>" : "\(column.name)"
      return "<th role=\"columnheader\" scope=\"col\"\(style)>\(name)</th>"
    }
    let style: HTML = columns.count > Self.mostColumns ? "cards wide" : "cards"
    return """
      <div class="scroll"><table class="\(style)" role="table"><thead role="rowgroup"><tr role="row">\(heads)</tr></thead>
      <tbody role="rowgroup">
      \(rows)</tbody></table></div>
      """
  }
}
