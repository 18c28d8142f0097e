import Arguments
import CommandSupport
import CrashStore
import Imports

/// `mayday import sentry`
struct ImportSentryCommand: SandboxedCommand {
  static let name = "sentry"
  static let summary = "Import events and issues that were saved of Sentry."
  static let discussion = """
    Reads folders and zip files with events (as SDKs sent them, as the API answers them, envelopes), issues, \
    comments, releases, attachments and debug files. An event of the API is stored as the payload that it was \
    made of. Groups get the state and the comments of the issues that their events were in, unless a user \
    decided about them here.

    Files that are not taken are listed with the reason; exits with 6 if something could not be read. A run \
    that was interrupted can simply be repeated: the same event counts once.
    """
  static let examples = [
    Example("mayday import sentry saved/ --app Tern", "Everything in a folder.")
  ]

  @Argument("DIR", help: "Folders, files and zip files of the export.") var paths: [String]
  @Option(
    "-a", "--app", help: "Assign all events to this app; by default each event names its own.",
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
      try SentryImport(context, app: app).run(paths, progress: progress)
    }
  }
}
