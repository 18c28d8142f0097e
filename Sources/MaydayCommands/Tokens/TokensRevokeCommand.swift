import Arguments
import ServerStore

/// `mayday tokens revoke`
struct TokensRevokeCommand: Command {
  static let name = "revoke"
  static let summary = "End tokens, within seconds."
  static let examples = [Example("mayday tokens revoke 3vQ8Zk1LmN0p", "One, by its id.")]

  @Argument("ID", help: "What lists show first; no secret.") var ids: [String]
  @OptionGroup var home = HomeOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let book = TokenBook(in: try ServerStore(opening: try HomeOptions.folder(named: home.home)))
    for id in ids {
      guard try book.revoke(id, now: .now) else {
        throw CommandFailure(
          "no token has the id \(id.printable), or it was revoked before", .notFound)
      }
      messages.console.say("\(id.printable) is revoked")
    }
  }
}
