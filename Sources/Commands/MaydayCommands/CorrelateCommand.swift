import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Query
import Rendering
import Terminal

/// `mayday correlate`
struct CorrelateCommand: Command, PagedCommand {
  static let name = "correlate"
  static let summary = "Show what is more frequent in a group's reports than in its app."
  static let discussion = """
    Lists systems, devices, architectures, releases, tags and other values that are more frequent in \
    the group's reports than in those of the app's other groups, beyond chance. A query narrows both \
    sides, such as to one release.
    """
  static let examples = [
    Example("mayday correlate TERN-12", "Is it one system, or one device?"),
    Example("mayday correlate TERN-12 version:1.5.0", "Among the reports of one version."),
    Example("mayday correlate TERN-12 --by image", "Libraries on the stack, instead."),
  ]

  @Argument("GROUP", help: "The group.") var group: String
  @Argument(
    "QUERY", help: "Which reports of the app to compare.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("--by", help: "Fields to compare, separated by commas.", value: "FIELDS")
  var by: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  var isPaged: Bool { !output.json }

  func validate() throws(UsageError) { _ = try fields() }

  func run() throws {
    let result = try home.service().correlations(
      ofGroup: group, among: try Query(words: words, server: home.server), by: try fields())
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(result)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    let text = CorrelationText(result)
    try console.write(lines: text.lines(width: console.width, styles: console.styles))
    if result.otherCases == 0 {
      console.say("There are no reports of other groups to compare with.")
    } else if result.items.isEmpty {
      console.say("Nothing is more frequent than elsewhere, beyond chance.")
    }
  }

  private func fields() throws(UsageError) -> [QueryField] {
    var fields: [QueryField] = []
    for name in (by ?? "").split(separator: ",") {
      guard let field = QueryField(named: String(name)),
        field.isCountable || field.name == "uptime"
      else { throw UsageError("--by: cannot compare by '\(name)'") }
      fields.append(field)
    }
    return fields
  }
}
