import Arguments
import CrashStore

/// `mayday reopen`
struct ReopenCommand: Command {
  static let name = "reopen"
  static let summary = "Make groups open again, whatever they were."
  static let examples = [
    Example("mayday reopen TERN-12", "It is not fixed after all.")
  ]

  @Argument("ID", help: "Groups.") var ids: [String]
  @OptionGroup var options = ActionOptions()

  func run() throws {
    try options.decide(.reopen, about: ids)
  }
}
