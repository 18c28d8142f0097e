import CrashService
import Rendering
import Arguments
import CrashModel
import CrashStore

/// `mayday releases add`
struct ReleasesAddCommand: Command {
  static let name = "add"
  static let summary = "Add releases before any report mentions them."
  static let examples = [
    Example("mayday releases add Tern '1.5.0 (600)'", "A build that ships today.")
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("VERSION", help: "Releases: 1.5.0, or '1.5.0 (600)' with the build.") var names:
    [String]
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let releases = try home.service().addReleases(names.map { Release($0) }, to: app)
    try ReleaseList.print(releases, output)
  }
}
