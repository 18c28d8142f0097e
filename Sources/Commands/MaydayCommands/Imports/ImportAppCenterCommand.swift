import Arguments
import CommandSupport
import CrashStore
import Imports

/// `mayday import appcenter`
struct ImportAppCenterCommand: SandboxedCommand {
  static let name = "appcenter"
  static let summary = "Import what was saved of an app in App Center."
  static let discussion = """
    Reads folders and zip files with answers of App Center's REST API (groups, errors, stacks, releases, \
    distribution groups, testers, apps), logs of its SDKs, crash files, attachments, debug files and files of \
    releases. Each is recognised by its content; folders named for the ids of groups and errors show what \
    belongs together.

    An error without its log is stored by the names that App Center gave. Groups get the state and the \
    annotation of App Center's groups, unless a user decided about them here. Files that are not taken are \
    listed with the reason; exits with 6 if something could not be read.

    Testers are invited again with `mayday testers invite`. A run that was interrupted can simply be \
    repeated: nothing is stored twice.
    """
  static let examples = [
    Example("mayday import appcenter saved/ --app Tern", "Everything in a folder.")
  ]

  @Argument("DIR", help: "Folders, files and zip files of the export.") var paths: [String]
  @Option("-a", "--app", help: "The app that it is of; created if there is none.", value: "APP")
  var app: String?
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if app == nil { throw UsageError("--app is missing: it names the app that the export is of") }
  }

  func run() throws {
    let session = try ImportSession(paths, home, author, output)
    let app = app ?? ""
    try session.store.apps.checkName(ofApp: app)
    try session.finish { context, progress in
      try AppCenterImport(context, app: app).run(paths, progress: progress)
    }
  }
}
