import Arguments
import CommandSupport
import CrashService
import Identifiers
import Rendering

/// `mayday releases files`
struct ReleasesFilesCommand: Command {
  static let name = "files"
  static let summary = "List the files of releases, newest first."
  static let examples = [
    Example("mayday releases files --app Tern", "All files, and to whom they are published."),
    Example("mayday releases files 1.4.2 --app Tern", "The files of one release."),
  ]

  @Argument("VERSION", help: "Only this release.", isRequired: false) var versions: [String]
  @OptionGroup var app = AppOption()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if versions.count > 1 { throw UsageError("one VERSION at most") }
  }

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let artefacts = try service.artefacts(of: app, release: versions.first.map { Release($0) })
    try ArtefactList.print(artefacts, of: app, in: service, output)
  }
}
