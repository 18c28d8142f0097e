internal import CrashModel
internal import CrashService

/// Rows under headings, as wide as their text and no wider than the terminal.
///
/// Columns that may shrink give way when the table is too wide; what does not fit is cut with `…`.
/// Cells must be printable: they are what the caller has made of text from outside.
package struct TextTable {
  package struct Column {
    package enum Shrinking {
      case never
      /// The end is cut.
      case atEnd
      /// The start is cut, as for paths.
      case atStart
    }

    package var title: String
    package var isNumber = false
    package var shrinking = Shrinking.never
    /// How its cells stand out, in rows that do not as a whole.
    package var style: (@Sendable (String) -> String)?

    package static func text(_ title: String, _ shrinking: Shrinking = .never) -> Column {
      Column(title: title, shrinking: shrinking)
    }

    package static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  private let columns: [Column]
  private var rows: [(cells: [String], style: (@Sendable (String) -> String)?)] = []

  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row with a cell for each column.
  ///
  /// - Parameter style: How the whole row stands out.
  package mutating func add(_ cells: [String], style: (@Sendable (String) -> String)? = nil) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append((cells, style))
  }

  /// The lines, headings first.
  package func lines(width: Int, styles: Styles, indent: Int = 0) -> [String] {
    let widths = widths(within: width - indent)
    let margin = String(repeating: " ", count: indent)
    func line(_ cells: [String], isStyled: Bool = false) -> String {
      let texts = zip(zip(cells, columns), widths).map { pair, width in
        let (cell, column) = pair
        let cut =
          column.shrinking == .atStart
          ? cell.truncatedAtStart(to: width) : cell.truncated(to: width)
        let padded = cut.padded(to: width, right: column.isNumber)
        return isStyled ? column.style?(padded) ?? padded : padded
      }
      var text = texts.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text
    }
    let head = margin + styles.dim(line(columns.map(\.title)))
    return [head]
      + rows.map { margin + ($0.style?(line($0.cells)) ?? line($0.cells, isStyled: true)) }
  }

  /// The lines of ``lines(width:styles:indent:)``, after each row the note that there is for it.
  package func lines(width: Int, styles: Styles, notes: [String?]) -> [String] {
    let lines = lines(width: width, styles: styles)
    return lines.prefix(1)
      + zip(lines.dropFirst(), notes).flatMap { row, note -> [String] in
        let note = note?.printable.lines(of: width - 9, atMost: 3) ?? []
        return [row] + note.map { "         " + styles.dim($0) }
      }
  }

  private func widths(within width: Int) -> [Int] {
    var widths = columns.indices.map { index in
      rows.reduce(columns[index].title.columns) { max($0, $1.cells[index].columns) }
    }
    var excess = widths.reduce(2 * (columns.count - 1), +) - width
    // The widest of those that may shrink gives way first, one column at a time, so that they end
    // up alike.
    while excess > 0 {
      let shrinkable = columns.indices.filter { index in
        columns[index].shrinking != .never && widths[index] > max(8, columns[index].title.columns)
      }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
