import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Query
import Rendering
import Terminal

/// `mayday symbols missing`
struct SymbolsMissingCommand: Command {
  static let name = "missing"
  static let summary = "List images that lack debug files, and how to get each."
  static let discussion = """
    Images whose debug files would complete provisional groups come first, then those that would \
    explain the most reports. The query selects reports: see mayday fields.
    """
  static let examples = [
    Example("mayday symbols missing", "What to find first."),
    Example("mayday symbols missing --app Tern version:2.1.0", "For one release of an app."),
    Example("mayday symbols missing --json | jq -r '.[].advice.path'", "For scripts."),
  ]

  @Argument("QUERY", help: "Which reports to consider.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("-a", "--app", help: "Only this app.", value: "NAME") var app: String?
  @Option("-n", "--limit", help: "Print at most N images; 0 prints all.", value: "N") var limit = 20
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit cannot be below 0") }
  }

  func run() throws {
    let query = words.isEmpty ? nil : try Query(words: words, server: home.server)
    let (images, total) = try home.service().missingImages(
      of: query, app: app, limit: limit == 0 ? nil : limit)
    guard try output.printedJSON(images, { $0.write($1) }) == false else { return }
    let console = output.console
    if images.isEmpty { return console.say("No image lacks a debug file.") }
    let list = MissingImageList(images: images)
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
    console.say(
      "\n\(GroupText.count(total, "image lacks its", "images lack their")) debug file"
        + (total == 1 ? "" : "s"))
    if total > images.count {
      console.say(
        images.count == 1
          ? "Only the first is shown: --limit 0 prints all."
          : "The first \(images.count) are shown: --limit 0 prints all.")
    }
  }
}
