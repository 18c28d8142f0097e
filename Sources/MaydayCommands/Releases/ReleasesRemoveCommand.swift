import CrashService
import Rendering
import Arguments
import CrashModel
import CrashStore

/// `mayday releases remove`
struct ReleasesRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove releases that have no reports."
  static let examples = [
    Example("mayday releases remove Tern 1.5.O", "Remove a misspelt release.")
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("VERSION", help: "Releases without reports.") var names: [String]
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    try ReleaseList.print(home.service().removeReleases(names.map { Release($0) }, of: app), output)
  }
}
