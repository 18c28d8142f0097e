import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import Terminal

/// `mayday releases list`
struct ReleasesListCommand: Command {
  static let name = "list"
  static let summary = "List releases in order, oldest first."
  static let examples = [
    Example("mayday releases list --app Tern", "One app's releases.")
  ]

  @Option("-a", "--app", help: "Only this app.", value: "NAME") var app: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let releases = try home.service().releases(of: app)
    if try output.printedJSON(releases, { $0.write($1) }) { return }
    let console = output.console
    if releases.isEmpty { return console.say("No releases.") }
    let list = ReleaseList(releases: releases)
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
