import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import Terminal
import Updates

/// `mayday apps updates`
struct AppsUpdatesCommand: Command {
  static let name = "updates"
  static let summary = "Show or change an app's settings for update clients."
  static let discussion = """
    Clients of the iTunes lookup ask for an app by its number in Apple's store, or by its bundle \
    identifier. An app that is not in the store has a number of its own, which stays the same.
    The page from which users install the app shows the newest release for each system; with \
    --older-releases yes it lists those before it, too.
    """
  static let examples = [
    Example("mayday apps updates Tern", "Show the settings."),
    Example("mayday apps updates Tern --store-id 123456789", "Set its number in Apple's store."),
    Example("mayday apps updates Tern --store-url none", "Remove the link."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Option("--store-id", help: "The number of the app in Apple's store, or none.", value: "N")
  var storeID: String?
  @Option("--store-url", help: "The page that the update button opens, or none.", value: "URL")
  var storeURL: String?
  @Option(
    "--older-releases", help: "Whether the install page lists older releases: yes or no.",
    value: "YES|NO")
  var olderReleases: String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    if home.server != nil && author.given != nil {
      throw UsageError("--as is for a home; on a server the history names the token")
    }
    let service = try home.service()
    let changes = [
      (UpdateSetting.storeID, storeID), (.storeURL, storeURL), (.olderReleases, olderReleases),
    ]
    for (setting, value) in changes {
      guard let value else { continue }
      _ = try service.set(setting, to: value == "none" ? nil : value, of: app, by: author.name)
    }
    let settings = try service.updateSettings(of: app)
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(settings)
      writer.newLine()
      return try output.console.write(json: writer.takeBytes())
    }
    if settings.settings.isEmpty { return output.console.say("Nothing is set.") }
    var table = TextTable([.text("SETTING"), .text("VALUE", .atEnd)])
    for (name, value) in settings.settings.sorted(by: { $0.key < $1.key }) {
      table.add([name, value.printable])
    }
    try output.console.write(
      lines: table.lines(width: output.console.width, styles: output.console.styles))
  }
}
