import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Rendering
import Terminal

/// `mayday testers mails`
struct TestersMailsCommand: Command {
  static let name = "mails"
  static let summary = "List the mails to the testers of an app, newest first."
  static let discussion = """
    `mayday serve` sends them: invitations at once, new releases of one minute together. The log keeps \
    the last 1,000 of each app.
    """
  static let examples = [Example("mayday testers mails --app Tern", "Who got what, and when.")]

  @OptionGroup var app = AppOption()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let mails = try service.testerMails(of: app)
    if try output.printedJSON(mails, { $0.write($1) }) { return }
    let console = output.console
    if mails.isEmpty { return console.say("No mails to testers.") }
    let list = TesterMailList(mails: mails)
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
