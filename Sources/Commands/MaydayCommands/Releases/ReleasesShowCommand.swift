import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Identifiers
import JSON
import Rendering
import Terminal

/// `mayday releases show`
struct ReleasesShowCommand: Command {
  static let name = "show"
  static let summary = "Show how stable a release is, and what it brought and fixed."
  static let discussion = """
    A version means all of its builds, '1.4.0 (512)' only one. Sessions are counted on the day they \
    began; a day's share is the release's part of all sessions and users of the app.
    """
  static let examples = [
    Example("mayday releases show 1.4.2 --app Tern", "All builds of 1.4.2."),
    Example("mayday releases show 1.4.2 --json | jq .crash_free", "For a dashboard."),
  ]

  @Argument("VERSION", help: "The release: 1.4.2, or '1.4.2 (512)' with the build.") var version:
    String
  @Option("-a", "--app", help: "The app; needed if several have this release.", value: "NAME")
  var app: String?
  @Option(
    "--days", help: "Number of days, up to today, to count sessions of; 90 at most.", value: "N")
  var days = CrashStore.Releases.figureDays.usual
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if Release(version).isEmpty { throw UsageError("VERSION is not a release") }
    guard (1...CrashStore.Releases.figureDays.most).contains(days) else {
      throw UsageError("--days is 1 to \(CrashStore.Releases.figureDays.most)")
    }
  }

  func run() throws {
    let figures = try home.service().figures(of: Release(version), app: app, days: days)
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(figures)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    let text = ReleaseFiguresText(figures: figures)
    try console.write(lines: text.lines(width: console.width, styles: console.styles))
  }
}
