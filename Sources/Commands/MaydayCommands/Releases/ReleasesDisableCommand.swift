import Arguments
import CommandSupport
import CrashService
import CrashStore
import Rendering
import Updates

/// `mayday releases disable`
struct ReleasesDisableCommand: Command {
  static let name = "disable"
  static let summary = "Stop offering the files of a release, without withdrawing them."
  static let examples = [
    Example("mayday releases disable 1.4.2 --app Tern", "All files of the release."),
    Example("mayday releases disable '#3' --app Tern", "One file."),
  ]

  @Argument("VERSION", help: "The release, or the number of a file.") var version: String
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let artefacts = try ArtefactName(text: version).artefacts(of: app, in: service).map {
      try service.editArtefact($0.number, of: app, .init(isEnabled: false), by: author.name)
    }
    try ArtefactList.print(artefacts, of: app, in: service, output)
  }
}
