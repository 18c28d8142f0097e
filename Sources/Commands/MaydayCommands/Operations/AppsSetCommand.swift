import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import Terminal
import TriageModel
import Updates

/// `mayday apps set`
struct AppsSetCommand: Command {
  static let name = "set"
  static let summary =
    "Set an app's group prefix, report retention, known fixes, and issue tracker."
  static let discussion = """
    Options that are not given stay unchanged; none removes a limit. Group ids with a former prefix \
    still work. Nothing is deleted until `mayday gc` runs. --keep-per-day applies to reports that a \
    server or `mayday ingest --watch` receives: further reports of a group and build are only \
    counted that day.
    """
  static let examples = [
    Example(
      "mayday apps set Tern --keep-days 90 --keep-bytes 10GB --keep-per-group 1000",
      "Three limits; all apply."),
    Example("mayday apps set Tern --keep-days none", "No age limit."),
    Example("mayday apps set Tern --prefix TILL", "TERN-12 becomes TILL-12."),
    Example("mayday apps set Tern --link off", "No groups are linked by likeness."),
    Example(
      "mayday apps set Tern --known-fix require",
      "Users who hit a crash must install the release that fixes it."),
    Example(
      "mayday apps set Tern --tracker https://github.com/acme/tern --ticket-users 10",
      "Groups that 10 users met suggest a ticket there."),
  ]

  @Argument("APP", help: "The app's name.") var name: String
  @Option("--prefix", help: "The prefix of its group ids: letters and digits.", value: "PREFIX")
  var prefix: String?
  @Option("--keep-days", help: "Days to keep a report, or none.", value: "N")
  var days: RetentionLimit<Int>?
  @Option("--keep-bytes", help: "Disk space its reports may use, or none.", value: "SIZE")
  var bytes: RetentionLimit<ByteSize>?
  @Option("--keep-per-group", help: "Reports to keep per group, or none.", value: "N")
  var perGroup: RetentionLimit<Int>?
  @Option(
    "--keep-per-day",
    help:
      "Reports of a group and build to store a day, 0 for all, or none for the server's default.",
    value: "N")
  var perDay: RetentionLimit<Int>?
  @Option(
    "--known-fix",
    help: "Offer fixed releases to users who hit the crash: suggest, require or off.",
    value: "POLICY")
  var knownFix: String?
  @Option(
    "--link", help: "Link similar groups: on, off, or from a likeness such as 0.70.",
    value: "POLICY")
  var link: String?
  @OptionGroup var tracker = TrackerOptions()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if prefix == nil && knownFix == nil && link == nil && !setsRetention && !tracker.isOn {
      throw UsageError(
        "nothing to set: give --prefix, --known-fix, --link, --keep-days, --keep-bytes, "
          + "--keep-per-group, --keep-per-day or --tracker")
    }
    try tracker.validate()
    if let link, LinkPolicy(link) == nil {
      throw UsageError("--link is on, off, or a likeness from 0.01 to 1, such as 0.70")
    }
    if let knownFix, KnownFixPolicy(rawValue: knownFix) == nil {
      throw UsageError("--known-fix is suggest, require or off")
    }
    for case .value(let number)? in [days, perGroup, perDay] where number < 0 {
      throw UsageError("a limit cannot be below 0")
    }
  }

  private var setsRetention: Bool {
    days != nil || bytes != nil || perGroup != nil || perDay != nil
  }

  func run() throws {
    let service = try home.service()
    let known = try service.apps()
    guard let app = known.first(where: { $0.name == name }) else {
      throw StoreError.unknownApp(name, among: known.map(\.name))
    }
    var retention = app.retention
    // The prefix first: it may be refused, and then nothing changes.
    if let prefix { try service.setPrefix(prefix, of: name) }
    if let days { retention.days = days.chosen }
    if let bytes { retention.bytes = bytes.chosen?.bytes }
    if let perGroup { retention.perGroup = perGroup.chosen }
    if let perDay { retention.perDay = perDay.chosen }
    if let policy = knownFix.flatMap(KnownFixPolicy.init(rawValue:)) {
      try service.setKnownFixPolicy(policy, of: name, by: author.name)
    }
    if let policy = link.flatMap({ LinkPolicy($0) }) { try service.setLinking(policy, of: name) }
    if tracker.isOn { try service.setTracker(tracker.changed(app.tracker), of: name) }
    if setsRetention { try service.setRetention(retention, of: name) }
    let console = output.console
    let apps = try service.apps().filter { $0.name == name }
    if output.json {
      var writer = JSONWriter(pretty: true)
      for app in apps { writer.write(app) }
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(
        lines: AppList(apps: apps).lines(width: console.width, styles: console.styles))
    }
  }
}
