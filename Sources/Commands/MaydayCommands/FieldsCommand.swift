import APIDocuments
import Arguments
import CommandSupport
import Documents
import JSON
import Query
import Rendering
import Terminal

/// `mayday fields`
struct FieldsCommand: Command {
  static let name = "fields"
  static let summary = "List the fields that a query can use."
  static let discussion = "How conditions are written: 'mayday help query'."
  static let examples = [
    Example("mayday fields", "All fields, with an example each."),
    Example("mayday groups -is:handled first:<7d", "New groups, without handled errors."),
    Example("mayday fields --json | jq -r '.[].name'", "Only the names."),
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
