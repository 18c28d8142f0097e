import Arguments
import CommandSupport
import CrashService
import ServerStore
import Terminal

/// `mayday accounts link`
struct AccountsLinkCommand: Command {
  static let name = "link"
  static let summary = "Print a new link that signs in once."
  static let examples = [
    Example(
      "mayday accounts link ann --server-url https://crashes.example.com",
      "For a user on another machine.")
  ]

  @Argument("NAME", help: "The name of the account.") var name: String
  @OptionGroup var link = SignInLinkOptions()
  @OptionGroup var home = HomeOptions()

  func run() throws {
    let accounts = AccountsTable(in: try ServerStore(opening: home.existingFolder()))
    do {
      let code = try accounts.makeLink(for: name, now: .now)
      try Console(colour: .never).write(link.address(code) + "\n")
    } catch let error as AccountError {
      throw CommandFailure(error)
    }
  }
}
