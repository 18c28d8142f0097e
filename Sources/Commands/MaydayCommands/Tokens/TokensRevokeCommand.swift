import Arguments
import Bytes
import CrashService
import ServerStore
import Terminal

/// `mayday tokens revoke`
struct TokensRevokeCommand: Command {
  static let name = "revoke"
  static let summary = "Revoke tokens; it takes effect within seconds."
  static let examples = [Example("mayday tokens revoke 3vQ8Zk1LmN0p", "Revoke one by its id.")]

  @Argument("ID", help: "The token's id, from `mayday tokens list`.") var ids: [String]
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let service = try home.service()
    for id in ids {
      try service.revokeToken(id)
      messages.console.say("\(id.printable) is revoked")
    }
  }
}
