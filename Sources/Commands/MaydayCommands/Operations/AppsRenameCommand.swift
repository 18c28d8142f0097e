import CrashService
import Arguments

/// `mayday apps rename`
struct AppsRenameCommand: Command {
  static let name = "rename"
  static let summary = "Rename an app."
  static let discussion = """
    Its reports, groups, counts and group ids stay; `mayday apps set --prefix` changes the ids. Reports \
    that still arrive under the old name go to the renamed app.
    """
  static let examples = [Example("mayday apps rename Tern Sterna", "Tern is now called Sterna.")]

  @Argument("NAME", help: "The current name.") var old: String
  @Argument("NEW", help: "The new name; no other app may have it.") var name: String
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.service().renameApp(old, to: name)
  }
}
