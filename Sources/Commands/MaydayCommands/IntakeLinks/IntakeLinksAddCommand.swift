import Arguments
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import Rendering
import ServerStore
import Terminal

/// `mayday intake-links add`
struct IntakeLinksAddCommand: Command {
  static let name = "add"
  static let summary = "Create a link and print it once."
  static let examples = [
    Example("mayday intake-links add Ann --app Tern", "Valid for fourteen days."),
    Example(
      "mayday intake-links add ticket-7 --app Tern --for 2d --most 5", "For at most five files."),
  ]

  @Argument("LABEL", help: "Whom or what the link is for.") var label: String
  @Option("-a", "--app", help: "The app that the files are of.", value: "APP") var app: String?
  @Option("--for", help: "How long it is valid; by default 14d.", value: "TIME")
  var duration: TimeLength?
  @Option("--most", help: "The most files that are taken; by default any number.", value: "N")
  var most: Int?
  @Option(
    "--server-url", help: "The address of the server, as people reach it.", value: "URL")
  var url = "http://127.0.0.1:8080"
  @OptionGroup var home = HomeOptions()

  func validate() throws(UsageError) {
    if app == nil { throw UsageError("--app is missing: it names the app that the files are of") }
    if let most, most < 1 { throw UsageError("--most must be at least 1") }
  }

  func run() throws {
    let store = try home.openForReading()
    let app = app ?? ""
    guard try store.apps.contains(named: app) else { throw try store.apps.unknown(app) }
    let now = Timestamp.now
    let end = duration?.end(from: now) ?? Timestamp(seconds: now.seconds + 14 * 86_400)
    let (_, secret) = try IntakeLinksTable(in: ServerStore(opening: home.folder())).make(
      app: app, label: label, expires: end, most: most, now: now)
    let start = url.hasSuffix("/") ? String(url.dropLast()) : url
    try Console(colour: .never).write("\(start)/files/\(secret)\n")
  }
}
