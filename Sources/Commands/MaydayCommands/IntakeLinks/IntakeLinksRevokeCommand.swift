import Arguments
import Bytes
import CommandSupport
import CrashService
import Identifiers
import ServerStore

/// `mayday intake-links revoke`
struct IntakeLinksRevokeCommand: Command {
  static let name = "revoke"
  static let summary = "Revoke links at once."
  static let examples = [Example("mayday intake-links revoke 4fT9aQ81xZ2b", "It no longer works.")]

  @Argument("ID", help: "Ids, as the list prints them.") var ids: [String]
  @OptionGroup var home = HomeOptions()

  func run() throws {
    let links = IntakeLinksTable(in: try ServerStore(opening: home.existingFolder()))
    for id in ids {
      guard try links.revoke(id, now: .now) else {
        throw CommandFailure(
          "no intake link has the id \(id.printable), or it was already revoked", .notFound)
      }
    }
  }
}
