import CrashService
import Arguments
import CrashStore

/// `mayday reopen`
struct ReopenCommand: Command {
  static let name = "reopen"
  static let summary = "Reopen resolved or ignored groups."
  static let examples = [
    Example("mayday reopen TERN-12", "It was not fixed after all.")
  ]

  @Argument("ID", help: "Group ids.") var ids: [String]
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.reopen, about: ids)
  }
}
