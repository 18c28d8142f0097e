import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday apps clean`
struct AppsCleanCommand: Command {
  static let name = "clean"
  static let summary = "Remove apps of secrets that nobody has named."
  static let discussion = """
    A server makes an app for each new App-Secret that comes with logs, up to --unknown-app-limit. This \
    removes those that have nothing: no reports, no sessions, no waiting attachments. With --all those go \
    too that have something, with everything in them. Apps with a name of their own stay. `mayday gc` \
    gives the room back.
    """
  static let examples = [
    Example("mayday apps clean --dry-run", "Which would go."),
    Example("mayday apps clean --all", "All that nobody has named, with their reports."),
  ]

  @Flag("--all", help: "Those with reports or sessions too.") var isWhole
  @Flag("--dry-run", help: "Only print which apps would go.") var isDry
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let store = try home.openForReading()
    var apps = try store.unnamedApps(isEmpty: !isWhole)
    if !isDry {
      let removed = Set(try store.removeUnnamedApps(apps.map(\.name), areEmpty: !isWhole))
      apps = apps.filter { removed.contains($0.name) }
    }
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for app in apps {
        writer.beginObject()
        writer.member("name", app.name)
        writer.member("reports", app.reports)
        writer.endObject()
      }
      writer.endArray()
      writer.newLine()
      try console.write(writer.takeBytes())
    } else {
      try console.write(
        lines: apps.map { "\($0.name)  \(GroupText.count($0.reports, "report", "reports"))" })
    }
    let what = GroupText.count(apps.count, "app", "apps")
    console.say(isDry ? "\(what) would be removed." : "\(what) removed.")
  }
}
