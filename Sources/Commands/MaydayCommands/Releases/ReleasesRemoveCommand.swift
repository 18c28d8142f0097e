import Arguments
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import Rendering

/// `mayday releases remove`
struct ReleasesRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove files of releases, and releases that have no reports."
  static let discussion = """
    #3 means the file with this number; numbers are not reused. A release with files or reports is \
    kept.
    """
  static let examples = [
    Example("mayday releases remove Tern 1.5.O", "Remove a misspelt release."),
    Example("mayday releases remove Tern '#3'", "Remove a file."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("VERSION", help: "Releases without reports, or numbers of files.") var names: [String]
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    for name in names.map(ArtefactName.init) where name.text.hasPrefix("#") {
      guard let number = name.number else {
        throw DistributionError.noSuchArtefact(name.text, app: app)
      }
      try service.removeArtefact(number, of: app, by: author.name)
    }
    let releases = names.filter { !$0.hasPrefix("#") }.map { Release($0) }
    try ReleaseList.print(
      releases.isEmpty
        ? service.releases(of: app) : service.removeReleases(releases, of: app), output)
  }
}
