import Arguments
import Bytes
import CrashService
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
  @OptionGroup var home = ServiceOptions()

  func run() throws {
    let made = try home.service().makeSignInLink(forAccount: name)
    try Console(colour: .never).write(link.address(made).printable + "\n")
  }
}
