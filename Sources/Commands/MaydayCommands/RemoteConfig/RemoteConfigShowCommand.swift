import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Terminal

/// `mayday remote-config show`
struct RemoteConfigShowCommand: Command {
  static let name = "show"
  static let summary = "Print the document that an app is served, or a former one."
  static let discussion = """
    Prints the document byte for byte; --json adds its number, author, time and note.
    """
  static let examples = [
    Example("mayday remote-config show Tern", "What is served."),
    Example("mayday remote-config show Tern 3 > tern.json", "A former one, for editing."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("NUMBER", help: "A number of the history; by default the one that is served.")
  var number: Int?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let configuration = try home.service().remoteConfiguration(number, of: app)
    guard output.json else {
      try output.console.write(Array(configuration.text.utf8))
      if let version = configuration.servedVersion {
        output.console.say(
          "It follows releases: clients are offered \(version), not the document's".printable
            + " \(configuration.availableVersion.printable).")
      }
      return
    }
    var writer = JSONWriter(pretty: true)
    writer.write(configuration)
    writer.newLine()
    try output.console.write(json: writer.takeBytes())
  }
}
