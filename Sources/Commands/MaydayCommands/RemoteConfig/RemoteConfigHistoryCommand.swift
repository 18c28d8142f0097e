import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Rendering
import Terminal

/// `mayday remote-config history`
struct RemoteConfigHistoryCommand: Command {
  static let name = "history"
  static let summary = "List the documents that an app was served, newest first."
  static let examples = [
    Example("mayday remote-config history Tern", "Who changed what, and when?")
  ]

  @Argument("APP", help: "The app.") var app: String
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let history = try home.service().remoteConfigurations(of: app)
    if try output.printedJSON(history, { $0.write($1) }) { return }
    let console = output.console
    if history.isEmpty { return console.say("No remote configuration.") }
    let list = RemoteConfigurationList(configurations: history)
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
