import Arguments
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import JSON
import Rendering
import ServerStore
import Symbolication
import Terminal

/// `mayday gc`
struct GCCommand: Command {
  static let name = "gc"
  static let summary = "Delete expired reports and free disk space."
  static let discussion = """
    The limits are those set by `mayday apps set`; limits given here take precedence. Without any \
    limit, only data that no report needs is deleted. One report of each group and version always \
    stays, and deleted reports keep counting: a group's number, versions, first and last seen do \
    not change. The same bytes, ingested again, are not counted twice.

    Other processes may keep working, and it may be interrupted at any time.
    """
  static let examples = [
    Example("mayday gc --dry-run", "Show what would be deleted, by app and reason."),
    Example("mayday gc --keep-days 90", "Keep 90 days of each app."),
    Example(
      "mayday gc --app Tern --keep-bytes 10GB --keep-per-group 1000",
      "One app, by size and by group."),
  ]

  @Flag("--dry-run", help: "Only print what would be deleted.") var isDry
  @Option("--keep-days", help: "Delete reports older than N days.", value: "N")
  var days: Int?
  @Option(
    "--keep-bytes", help: "Delete the oldest reports until an app's reports fit: 500MB, 10GiB.")
  var bytes: ByteSize?
  @Option("--keep-per-group", help: "Keep only the N newest reports of a group.", value: "N")
  var perGroup: Int?
  @Option("-a", "--app", help: "Only this app.", value: "NAME") var app: String?
  @Option(
    "--grace",
    help: """
      Keep unreferenced contents for N seconds: another process may be storing them. Use 0 only if \
      none is running.
      """, value: "N")
  var grace = CrashStore.Expiry.contentGrace
  @Option(
    "--cache-bytes", help: "Limit for all symbol caches; the least recently used go first.",
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
    let ballast = ReserveFile(of: folder)
    // Before anything is measured, so that both figures include it.
    if !isDry { ballast.make() }
    do {
      try collect(folder, console)
    } catch  where StorageCause(of: error) == .noRoom && ballast.release() {
      // Deleting needs disk space, too: for the database's log, which is truncated at the end.
      console.warn("The disk is full: using the space that the home reserves for this.")
      try collect(folder, console)
    }
    // If a server fills the disk again at once, the reserve is restored when the server starts.
    if !isDry { ballast.make() }
  }

  private func collect(_ folder: String, _ console: Console) throws {
    // A missing or damaged home is reported before anything is measured.
    _ = try home.openForReading()
    let before = try SpaceUse(ofHome: folder)
    var result = GCResult(isDry: isDry, before: before.disk, after: before.disk)
    try work(&result, console)
    // The databases are closed by now, and their logs are removed.
    if !isDry { result.after = try SpaceUse(ofHome: folder).disk }
    try show(result, console)
  }

  private func work(_ result: inout GCResult, _ console: Console) throws {
    let store = try home.openForReading()
    let apps = try store.apps.list().filter { app == nil || $0.name == app }
    if let app, apps.isEmpty { throw try store.apps.unknown(app) }
    let limits = Retention(days: days, bytes: bytes?.bytes, perGroup: perGroup)
    let now = Timestamp.now
    for app in apps {
      let retention = limits.completed(by: app.retention)
      guard !retention.isUnlimited else { continue }
      if isDry {
        result.add(try store.retention.expiring(retention, of: app.name, at: now), retention)
      } else {
        let bar = ProgressBar("Removing reports", isOn: console.isErrorTerminal)
        defer { bar.finish() }
        let counts = try store.retention.expire(retention, of: app.name, at: now) {
          bar.update($0, of: $1)
        }
        result.add(counts, retention)
      }
    }
    if app == nil {
      let gone = try store.sessions.expire(at: now, isDry: isDry)
      for (count, one, many) in [
        (
          gone.orphans, "attachment whose report never came", "attachments whose reports never came"
        ),
        (gone.events, "event of a session", "events of sessions"),
        (gone.sessions, "session", "sessions"),
      ] where count > 0 {
        console.say(
          "\(GroupText.count(count, one, many)) \(isDry ? "would be deleted" : "deleted").")
      }
    }
    let left = LeftFolders(in: store.home)
    if app == nil, !left.paths.isEmpty {
      if !isDry { left.remove() }
      console.say(
        GroupText.count(left.paths.count, "interrupted upload", "interrupted uploads")
          + " of \(DebugFileList.size(left.bytes)) \(isDry ? "would be deleted" : "deleted").")
    }
    let bar = ProgressBar("Freeing disk space", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    bar.update(0, of: nil)
    result.sweep = try store.retention.sweep(grace: grace, isDry: isDry)
    if !isDry {
      CacheFolder(store.caches, budget: cacheBytes.bytes).trim()
      try store.giveBackSpace()
      // Intake logs hold submissions as they arrived until all of them are stored.
      try HomeFiles.queue(of: store.home)?.reclaim()
    }
  }

  private func show(_ result: GCResult, _ console: Console) throws {
    if output.json {
      var writer = JSONWriter(pretty: true)
      result.write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(lines: result.lines(width: console.width, styles: console.styles))
    }
    result.closing.forEach(console.say)
  }
}
