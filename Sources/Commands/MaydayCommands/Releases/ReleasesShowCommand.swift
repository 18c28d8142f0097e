import Terminal
import APIDocuments
import Documents
import CrashService
import Rendering
import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday releases show`
struct ReleasesShowCommand: Command {
  static let name = "show"
  static let summary = "Show how stable a release is, and what it brought and fixed."
  static let discussion = """
    A version stands for all of its builds, '1.4.0 (512)' for one. Sessions are counted by the days \
    on which they began; a day's share is that of the release in all sessions and users of the app.
    """
  static let examples = [
    Example("mayday releases show 1.4.2 --app Tern", "All builds of 1.4.2."),
    Example("mayday releases show 1.4.2 --json | jq .crash_free", "For a dashboard."),
  ]

  @Argument("VERSION", help: "The release: 1.4.2, or '1.4.2 (512)' with the build.") var version:
    String
  @Option("--app", help: "The app; needed if several have such a release.", value: "NAME")
  var app: String?
  @Option("--days", help: "Days up to today to count sessions of, 90 at most.", value: "N")
  var days = CrashStore.Releases.figureDays.usual
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if Release(version).isEmpty { throw UsageError("VERSION names no release") }
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
      return try console.write(writer.takeBytes())
    }
    let text = ReleaseFiguresText(figures: figures)
    try console.write(lines: text.lines(width: console.width, styles: console.styles))
  }
}
