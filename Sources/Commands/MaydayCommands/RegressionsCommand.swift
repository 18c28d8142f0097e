import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Documents
import Identifiers
import JSON
import Rendering
import Terminal

/// `mayday regressions`
struct RegressionsCommand: Command, PagedCommand {
  static let name = "regressions"
  static let summary = "List groups that became more frequent, with the first bad build of each."
  static let discussion = """
    The reports of each group are compared by build: among the build's sessions, or if there are \
    none, among the reports of other groups. A group is listed if it is at least twice as frequent \
    since some build, on three installations or more, and this is unlikely to be chance.
    """
  static let examples = [
    Example("mayday regressions --app Tern", "All regressions of an app."),
    Example(
      "mayday regressions --release 1.5.0 --exit-code",
      "For CI: exits with 7 if this release made something worse."),
    Example("mayday regressions --since 2026-05-01 --confidence 90", "Include less certain ones."),
  ]

  @OptionGroup var app = AppOption()
  @Option("--since", help: "Count reports and sessions from this day on.", value: "DAY")
  var since: String?
  @Option(
    "--release", help: "Only regressions that begin with this release: 1.5.0, or '1.5.0 (600)'.",
    value: "VERSION")
  var release: String?
  @Option(
    "--confidence", help: "Only regressions that are at least this certain, in percent.",
    value: "PERCENT")
  var confidence = "99"
  @Option("-n", "--limit", help: "Print at most N groups.", value: "N")
  var limit = RegressionQuery.usualLimit
  @Flag(
    "--exit-code",
    help: "Exit with 7 if any begins with --release; without it, with the newest release.")
  var isCondition
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  var isPaged: Bool { !output.json }

  func validate() throws(UsageError) {
    _ = try query()
  }

  func run() throws {
    let service = try home.service()
    var query = try query()
    let name = try app.name(in: service)
    let result = try service.regressions(of: name, query)
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(result)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      let text = RegressionText(result)
      try console.write(lines: text.lines(width: console.width, styles: console.styles))
      if result.groups.isEmpty, result.whole == nil {
        console.say(
          result.builds.count < 2
            ? "Two builds with \(result.basis.rawValue) are needed."
            : "Nothing became more frequent.")
      }
    }
    guard isCondition, let judged = query.release ?? result.newest else { return }
    query.release = judged
    let met = try service.regressions(of: name, query)
    if !met.builds.contains(where: { $0.isBuild(of: judged) }) {
      console.say("\(judged.name.printable): nothing is known of it yet.")
    }
    let ids = met.groups.map(\.group) + (met.whole.map { _ in ["all groups"] } ?? [])
    guard !ids.isEmpty else { return }
    let shown = ids.prefix(8).joined(separator: ", ")
    let more = max(met.total, met.groups.count) - min(met.groups.count, 8)
    throw CommandFailure(
      "more frequent since \(judged.name): \(shown)\(more > 0 ? " and \(more) more" : "")"
        .printable,
      .conditionMet)
  }

  private func query() throws(UsageError) -> RegressionQuery {
    var query = RegressionQuery()
    if let since {
      guard let day = Timestamp(day: since) else {
        throw UsageError("--since: '\(since)' is not a day; use 2026-05-01")
      }
      query.since = day
    }
    if let release {
      query.release = Release(release)
      if query.release?.isEmpty == true { throw UsageError("--release must be a version") }
    }
    guard let percent = Double(confidence), (0...100).contains(percent) else {
      throw UsageError("--confidence must be from 0 to 100")
    }
    query.confidence = percent / 100
    guard (1...RegressionQuery.mostGroups).contains(limit) else {
      throw UsageError("--limit is 1 to \(RegressionQuery.mostGroups)")
    }
    query.limit = limit
    return query
  }
}
