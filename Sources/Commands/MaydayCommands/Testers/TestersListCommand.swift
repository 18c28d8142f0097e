import APIDocuments
import Arguments
import CommandSupport
import CrashService
import Documents
import Rendering
import Terminal
import Updates

/// `mayday testers list`
struct TestersListCommand: Command {
  static let name = "list"
  static let summary = "List the testers of an app."
  static let examples = [Example("mayday testers list --app Tern", "All testers of an app.")]

  @OptionGroup var app = AppOption()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let testers = try service.testers(of: app)
    if try output.printedJSON(testers, { $0.write($1) }) { return }
    let console = output.console
    if testers.isEmpty {
      return console.say("No testers: mayday testers invite EMAIL --group GROUP invites one.")
    }
    let list = TesterList(testers: testers, groups: try service.distributionGroups(of: app))
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
