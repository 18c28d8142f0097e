import Arguments
import CommandSupport
import CrashStore
import Imports

/// `mayday import socorro`
struct ImportSocorroCommand: SandboxedCommand {
  static let name = "socorro"
  static let summary = "Import crashes that were saved of Socorro."
  static let discussion = """
    Reads folders and archives with raw crashes, dumps and processed crashes, whose paths have the ids of the \
    crashes. A dump is stored with the annotations of its raw crash; without a dump the processed crash is \
    the report. The other files of a crash are attached.

    Files that are not taken are listed with the reason; exits with 6 if something could not be read. A run \
    that was interrupted can simply be repeated: the same crash counts once.
    """
  static let examples = [
    Example("mayday import socorro crashes/", "A folder of crash storage.")
  ]

  @Argument("DIR", help: "Folders, files and archives of crash storage.") var paths: [String]
  @Option(
    "-a", "--app", help: "Assign all crashes to this app; by default each names its product.",
    value: "APP")
  var app: String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let session = try ImportSession(paths, home, author, output)
    if let app { try session.store.apps.checkName(ofApp: app) }
    try session.finish { context, progress in
      try SocorroImport(context, app: app).run(paths, progress: progress)
    }
  }
}
