import Arguments
import CrashService
import CrashStore
import Terminal
import Updates

/// `mayday remote-config publish`
struct RemoteConfigPublishCommand: Command {
  static let name = "publish"
  static let summary = "Serve another document to an app."
  static let discussion = """
    A document that a client could not decode is refused, and the last one stays.
    """
  static let examples = [
    Example("mayday remote-config publish Tern tern.json --note mandatory", "Serve a file."),
    Example(
      "mayday remote-config publish Tern tern.json --follow-releases yes",
      "Always offer the newest public release."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("FILE", help: "The document; - is standard input.") var file: String
  @Option(
    "--follow-releases", help: "Whether to offer the newest public release, not the document's.",
    value: "yes|no")
  var follows: FollowChoice?
  @OptionGroup var options = RemoteConfigChangeOptions()

  func run() throws {
    let document = try RemoteConfiguration(file: file)
    let change = try options.change(of: app, followsReleases: follows)
    try options.print(options.home.service().publish(document, change))
  }
}
