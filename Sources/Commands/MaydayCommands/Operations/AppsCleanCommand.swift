import Arguments
import CommandSupport
import CrashStore
import JSON
import Rendering
import Terminal

/// `mayday apps clean`
struct AppsCleanCommand: Command {
  static let name = "clean"
  static let summary = "Remove apps of unknown App Center secrets."
  static let discussion = """
    A server creates an app for each unknown App Center secret that arrives with logs, up to \
    --unknown-app-limit. This command removes such apps if they are empty: no reports, no \
    sessions, no waiting attachments. With --all it also removes those that are not, with \
    everything in them. Named apps stay. `mayday gc` frees the disk space.
    """
  static let examples = [
    Example("mayday apps clean --dry-run", "List the apps that would be removed."),
    Example("mayday apps clean --all", "Remove all unnamed apps, with their reports."),
  ]

  @Flag("--all", help: "Also remove apps that have reports or sessions.") var isWhole
  @Flag("--dry-run", help: "Only print which apps would be removed.") var isDry
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let store = try home.openForReading()
    var apps = try store.apps.unnamed(isEmpty: !isWhole)
    if !isDry {
      let removed = Set(try store.apps.removeUnnamed(apps.map(\.name), areEmpty: !isWhole))
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
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(
        lines: apps.map { "\($0.name)  \(GroupText.count($0.reports, "report", "reports"))" })
    }
    let what = GroupText.count(apps.count, "app", "apps")
    console.say(isDry ? "\(what) would be removed." : "\(what) removed.")
  }
}
