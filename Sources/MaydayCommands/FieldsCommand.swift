import Arguments
import JSON
import Query

/// `mayday fields`
struct FieldsCommand: Command {
  static let name = "fields"
  static let summary = "List what can be asked of groups and reports."
  static let discussion = """
    A query is conditions FIELD:VALUE and words to search for, all of which must hold; a minus sign \
    before one negates it, a|b is either. Names take * and ?. Versions, numbers and times take >, >=, \
    <, <= and a..b; times are dates, times of RFC 3339, or so long ago: <7d is less than seven days \
    ago (s, m for minutes, h, d, w). Quotes take what stands in them as it is; "" asks for what the \
    report says nothing of.
    """
  static let examples = [
    Example("mayday fields", "All fields, with an example of each."),
    Example("mayday groups -is:handled first:<7d", "New groups that are no handled errors."),
  ]

  @OptionGroup var output = ListOptions()

  func run() throws {
    let console = output.console
    if try output.printedJSON(QueryField.all, { $0.write($1) }) { return }
    var table = TextTable([
      .text("FIELD"), .text("KIND"), .text("EXAMPLE"), .text("MEANING", .atEnd),
    ])
    for field in QueryField.all {
      table.add([field.name, field.kind.rawValue, field.example, field.meaning])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }
}

extension JSONWriter {
  mutating func write(_ field: QueryField) {
    beginObject()
    member("name", field.name)
    key("aliases")
    beginArray()
    for alias in field.aliases { string(alias) }
    endArray()
    member("kind", field.kind.rawValue)
    member("level", field.level.rawValue)
    member("meaning", field.meaning)
    member("example", field.example)
    key("choices")
    beginArray()
    for choice in field.choices { string(choice) }
    endArray()
    endObject()
  }
}
