import Arguments
import Bytes
import CommandSupport
import ServerStore
import Terminal

/// `mayday accounts remove`
struct AccountsRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove accounts and sign them out everywhere."
  static let examples = [Example("mayday accounts remove ann", "Ann may no longer sign in.")]

  @Argument("NAME", help: "The name of the account.") var names: [String]
  @OptionGroup var home = HomeOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let accounts = AccountsTable(in: try ServerStore(opening: home.existingFolder()))
    for name in names {
      do {
        try accounts.remove(name)
        messages.console.say("\(name.printable) is removed")
      } catch let error as AccountError {
        throw CommandFailure(error)
      }
    }
  }
}
