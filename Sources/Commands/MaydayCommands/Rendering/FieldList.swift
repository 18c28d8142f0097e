import Rendering
import JSON
import Query

/// The fields of a query, one per line, those of reports before those of groups.
struct FieldList {
  let fields: [QueryField]

  func lines(width: Int, styles: Styles) -> [String] {
    let name = fields.map(\.name.columns).max() ?? 0
    let meaning = fields.map(\.meaning.columns).max() ?? 0
    func lines(_ title: String, _ level: QueryField.Level) -> [String] {
      [styles.strong(title)]
        + fields.filter { $0.level == level }.map { field in
          "  \(field.name.padded(to: name))  \(styles.dim(field.meaning.padded(to: meaning)))  "
            + styles.location(field.example)
        }
    }
    return lines("Of a report", .report) + [""] + lines("Of its group", .group)
  }
}
