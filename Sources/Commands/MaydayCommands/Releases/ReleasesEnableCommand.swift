import Arguments
import CommandSupport
import CrashService
import CrashStore
import Rendering
import Updates

/// `mayday releases enable`
struct ReleasesEnableCommand: Command {
  static let name = "enable"
  static let summary = "Offer the files of a release again to the same testers and groups."
  static let examples = [
    Example("mayday releases enable 1.4.2 --app Tern", "All files of the release."),
    Example("mayday releases enable '#3' --app Tern", "One file."),
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
      try service.editArtefact($0.number, of: app, .init(isEnabled: true), by: author.name)
    }
    try ArtefactList.print(artefacts, of: app, in: service, output)
  }
}
