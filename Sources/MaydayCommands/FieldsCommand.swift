import Arguments
import JSON
import Query

/// `mayday fields`
struct FieldsCommand: Command {
  static let name = "fields"
  static let summary = "List what can be asked in a query."
  static let discussion = "How conditions are written: 'mayday help query'."
  static let examples = [
    Example("mayday fields", "All fields, with an example each."),
    Example("mayday groups -is:handled first:<7d", "New groups that are no handled errors."),
    Example("mayday fields --json | jq -r '.[].name'", "Their names alone."),
  ]

  @OptionGroup var output = ListOptions()

  func run() throws {
    let fields = QueryField.all
    guard try output.printedJSON(fields, { $0.write($1) }) == false else { return }
    let console = output.console
    let list = FieldList(fields: fields)
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
