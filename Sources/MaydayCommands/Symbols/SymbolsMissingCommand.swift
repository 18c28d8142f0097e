import Arguments
import CrashStore
import Query

/// `mayday symbols missing`
struct SymbolsMissingCommand: Command {
  static let name = "missing"
  static let summary = "List the images that lack debug files, and say how to get each."
  static let discussion = """
    Those stand first whose debug files would make provisional groups real, then those that would \
    explain more reports. The query narrows it to some reports: see mayday fields.
    """
  static let examples = [
    Example("mayday symbols missing", "What to look for first."),
    Example("mayday symbols missing --app Tern version:2.1.0", "Of one release of an app."),
    Example("mayday symbols missing --json | jq -r '.[].advice.path'", "For a script."),
  ]

  @Argument("QUERY", help: "Of which reports.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("--app", help: "Only this app.", value: "NAME") var app: String?
  @Option("--limit", help: "The most images to print; 0 is all.", value: "N") var limit = 20
  @OptionGroup var home = SourceOfAnswers()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit cannot be below 0") }
  }

  func run() throws {
    let query = words.isEmpty ? nil : try Query(words: words)
    let (images, total) = try home.answers().missingImages(
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
      console.say("The first \(images.count) are shown: --limit 0 prints all.")
    }
  }
}
