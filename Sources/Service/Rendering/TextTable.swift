internal import Bytes
internal import CrashService

/// Rows under headings, as wide as their text but no wider than the terminal.
///
/// Shrinkable columns give way if the table is too wide; excess text is cut with `…`. Cells must be
/// printable: callers sanitise untrusted text.
package struct TextTable {
  package struct Column {
    package enum Shrinking {
      case never
      /// Cut at the end.
      case atEnd
      /// Cut at the start, as for paths.
      case atStart
    }

    package var title: String
    package var isNumber = false
    package var shrinking = Shrinking.never
    /// The style of its cells, in rows without a style of their own.
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
  /// - Parameter style: The style of the whole row.
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

  /// Returns the lines of ``lines(width:styles:indent:)``, each row followed by its note, if any.
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
    // The widest shrinkable column gives way first, one column at a time, so that they end up equal.
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
