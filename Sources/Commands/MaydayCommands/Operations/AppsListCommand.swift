import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Rendering
import Terminal

/// `mayday apps list`
struct AppsListCommand: Command {
  static let name = "list"
  static let summary = "List the apps."
  static let examples = [
    Example("mayday apps list", "All apps, and how much each has stored."),
    Example("mayday apps list --json | jq '.[].intake_key'", "Their intake keys."),
  ]

  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let apps = try home.service().apps()
    guard try output.printedJSON(apps, { $0.write($1) }) == false else { return }
    let console = output.console
    if apps.isEmpty { return console.say("No apps.") }
    try console.write(
      lines: AppList(apps: apps).lines(width: console.width, styles: console.styles))
  }
}
