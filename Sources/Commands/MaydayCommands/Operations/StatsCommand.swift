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

/// `mayday stats`
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "Show how much is stored, and account for everything received."
  static let discussion = """
    The ledger accounts for everything ever received: each submission is stored, known before or \
    refused; each stored report is kept, expired or removed. --ledger prints it, recounts \
    everything, and exits with 1 if a sum does not agree.
    """
  static let examples = [
    Example("mayday stats", "Apps, groups, reports, and disk usage."),
    Example("mayday stats --ledger --app Tern", "Account for everything received for an app."),
    Example(
      "mayday stats --crash-free --app Tern --from 2026-03-01", "How stable an app has been."),
    Example("mayday stats --ledger --json | jq .disagreements", "For a monitor."),
  ]

  @Flag("--ledger", help: "Print the ledger and check its sums.") var isLedger
  @Flag(
    "--crash-free",
    help: "Print crash-free sessions and users, with their numbers.")
  var isCrashFree
  @Option("--from", help: "With --crash-free: the first day, 2026-03-01.", value: "DAY")
  var from: String?
  @Option("--to", help: "With --crash-free: the last day.", value: "DAY") var to: String?
  @Option("--version", help: "With --crash-free: only this version.", value: "VERSION")
  var version: String?
  @Option("-a", "--app", help: "Only this app.", value: "NAME") var app: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let service = try home.service()
    let console = output.console
    if isCrashFree {
      let text = CrashFreeText(
        lines: try service.crashFree(
          of: app, from: Self.day(from), to: Self.day(to), version: version))
      if output.json { return try print(console) { $0.write(text.lines) } }
      return try console.write(lines: text.lines(width: console.width, styles: console.styles))
    }
    if isLedger {
      let text = LedgerText(ledger: try service.ledger(of: app))
      if output.json {
        try print(console) { $0.write(text.ledger) }
      } else {
        try console.write(lines: text.lines(width: console.width, styles: console.styles))
      }
      guard text.faults.isEmpty else {
        throw CommandFailure(
          text.faults.joined(separator: "\n") + "\nthe ledger does not agree with what is stored")
      }
      return
    }
    let text = try service.stats(of: app)
    if output.json {
      try print(console) { $0.write(text) }
    } else {
      if text.apps.isEmpty && text.refusedWithoutApp == 0 {
        return console.say("Nothing is stored.")
      }
      try console.write(lines: text.lines(width: console.width, styles: console.styles))
    }
  }

  private static func day(_ text: String?) throws -> Timestamp? {
    guard let text else { return nil }
    guard let day = Timestamp(day: text) else {
      throw UsageError("'\(text)' is not a day; use 2026-03-01")
    }
    return day
  }

  private func print(_ console: Console, _ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter(pretty: true)
    write(&writer)
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
