import Arguments
import Bytes
import CrashService
import Terminal

/// `mayday accounts remove`
struct AccountsRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove accounts and sign them out everywhere."
  static let examples = [Example("mayday accounts remove ann", "Ann may no longer sign in.")]

  @Argument("NAME", help: "The name of the account.") var names: [String]
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let service = try home.service()
    for name in names {
      try service.removeAccount(name)
      messages.console.say("\(name.printable) is removed")
    }
  }
}
