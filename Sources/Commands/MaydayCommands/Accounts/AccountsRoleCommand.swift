import Arguments
import Bytes
import CrashService
import ServerStore
import Terminal

/// `mayday accounts role`
struct AccountsRoleCommand: Command {
  static let name = "role"
  static let summary = "Change the role of an account."
  static let discussion =
    "The browsers in which it is signed in have the new role at once. The last admin stays one."
  static let examples = [
    Example("mayday accounts role ann admin", "Ann may do everything from now on.")
  ]

  @Argument("NAME", help: "The name of the account.") var name: String
  @Argument("ROLE", help: "The role: viewer, triage or admin.") var role: String
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func validate() throws(UsageError) {
    if Account.Role(rawValue: role) == nil {
      throw UsageError("ROLE is viewer, triage or admin, not '\(role)'")
    }
  }

  func run() throws {
    let record = try home.service()
      .setRole(Account.Role(rawValue: role) ?? .viewer, ofAccount: name)
    messages.console.say(
      "\(record.account.name.printable) is \(record.account.role.rawValue) now")
  }
}
