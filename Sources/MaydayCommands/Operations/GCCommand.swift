import Arguments
import CrashModel
import CrashStore
import JSON
import ServerStore
import Symbolication

/// `mayday gc`
struct GCCommand: Command {
  static let name = "gc"
  static let summary = "Let old reports go, and give their room back to the disk."
  static let discussion = """
    The limits are those that `mayday apps set` gave an app; limits that are given here go before \
    them. Without any, only what no report needs any more goes. One report of each group and version \
    always stays, and groups go on counting those that went: their numbers, versions, first and last \
    seen do not change. The same bytes, ingested again, count no second time.

    Other processes may go on meanwhile, and it may be stopped at any instant.
    """
  static let examples = [
    Example("mayday gc --dry-run", "What would go, by app and reason."),
    Example("mayday gc --keep-days 90", "Of each app, 90 days."),
    Example(
      "mayday gc --app Tern --keep-bytes 10GB --keep-per-group 1000", "One app, by its size."),
  ]

  @Flag("--dry-run", help: "Only say what would go.") var isDry
  @Option("--keep-days", help: "Let reports go that came more days ago.", value: "N")
  var days: Int?
  @Option(
    "--keep-bytes", help: "Let the oldest go until an app's reports take no more: 500MB, 10GiB.")
  var bytes: ByteSize?
  @Option("--keep-per-group", help: "Let all but the newest of a group go.", value: "N")
  var perGroup: Int?
  @Option("--app", help: "Only this app.", value: "NAME") var app: String?
  @Option(
    "--grace",
    help: """
      Seconds for which contents stay that no report names: another process may be filing them. 0 \
      only where none is.
      """, value: "N")
  var grace = CrashStore.contentGrace
  @Option(
    "--cache-bytes", help: "What symbol caches may take together; then those used last stay.",
    value: "SIZE")
  var cacheBytes = ByteSize(CacheFolder.standardBudget)
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    for (name, value) in [
      ("--keep-days", days), ("--keep-per-group", perGroup), ("--grace", grace),
    ] {
      if let value, value < 0 { throw UsageError("\(name) cannot be below 0") }
    }
  }

  func run() throws {
    let console = output.console
    let folder = try home.folder()
    // A missing or damaged home is reported before anything is measured.
    _ = try home.openForReading()
    let before = try SpaceUse(ofHome: folder)
    var result = GCResult(isDry: isDry, before: before.disk, after: before.disk)
    try work(&result, console)
    // The databases are closed by now, and their logs with them.
    if !isDry { result.after = try SpaceUse(ofHome: folder).disk }
    try show(result, console)
  }

  private func work(_ result: inout GCResult, _ console: Console) throws {
    let store = try home.openForReading()
    let apps = try store.apps().filter { app == nil || $0.name == app }
    if let app, apps.isEmpty { throw StoreError.notFound(app) }
    let limits = Retention(days: days, bytes: bytes?.bytes, perGroup: perGroup)
    let now = Timestamp.now
    for app in apps {
      let retention = limits.completed(by: app.retention)
      guard !retention.isUnlimited else { continue }
      if isDry {
        result.add(try store.expiring(retention, of: app.name, at: now), retention)
      } else {
        let bar = ProgressBar("Removing reports", isOn: console.isErrorTerminal)
        defer { bar.finish() }
        let counts = try store.expire(retention, of: app.name, at: now) {
          bar.update($0, of: $1)
        }
        result.add(counts, retention)
      }
    }
    if app == nil {
      let gone = try store.expireClients(at: now, isDry: isDry)
      for (count, one, many) in [
        (
          gone.orphans, "attachment whose report never came", "attachments whose reports never came"
        ),
        (gone.events, "event of a session", "events of sessions"),
        (gone.sessions, "session", "sessions"),
      ] where count > 0 {
        console.say("\(GroupText.count(count, one, many)) \(isDry ? "would go" : "went").")
      }
    }
    let bar = ProgressBar("Giving room back", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    bar.update(0, of: nil)
    result.sweep = try store.sweep(grace: grace, isDry: isDry)
    if !isDry {
      CacheFolder(store.caches, budget: cacheBytes.bytes).trim()
      try store.giveBackSpace()
      // Logs of intake hold submissions as they came until somebody sees that all of it is stored.
      try HomeFiles.queue(of: store.home)?.reclaim()
    }
  }

  private func show(_ result: GCResult, _ console: Console) throws {
    if output.json {
      var writer = JSONWriter(pretty: true)
      result.write(to: &writer)
      writer.newLine()
      try console.write(writer.takeBytes())
    } else {
      try console.write(lines: result.lines(width: console.width, styles: console.styles))
    }
    result.closing.forEach(console.say)
  }
}
