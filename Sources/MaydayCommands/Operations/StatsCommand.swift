import Arguments
import CrashModel
import CrashStore
import JSON

/// `mayday stats`
struct StatsCommand: Command {
  static let name = "stats"
  static let summary = "Tell how much is stored, and what became of all that came."
  static let discussion = """
    The ledger counts everything since the beginning: what was received is what was filed, known \
    before or refused; what was filed is what is kept, expired or removed. --ledger prints it, counts \
    everything afresh, and exits with 1 when a sum does not agree.
    """
  static let examples = [
    Example("mayday stats", "Apps, groups, reports, and the room that they take."),
    Example("mayday stats --ledger --app Tern", "What became of all that came for an app."),
    Example(
      "mayday stats --crash-free --app Tern --from 2026-03-01", "How stable an app has been."),
    Example("mayday stats --ledger --json | jq .disagreements", "For a monitor."),
  ]

  @Flag("--ledger", help: "Print the ledger, and check its sums.") var isLedger
  @Flag(
    "--crash-free",
    help: "Print how many sessions and users went without a crash, with what it is made of.")
  var isCrashFree
  @Option("--from", help: "With --crash-free: the first day, 2026-03-01.", value: "DAY")
  var from: String?
  @Option("--to", help: "With --crash-free: the last day.", value: "DAY") var to: String?
  @Option("--version", help: "With --crash-free: only this version.", value: "VERSION")
  var version: String?
  @Option("--app", help: "Only this app.", value: "NAME") var app: String?
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let store = try home.openForReading()
    if store == nil, let app { throw StoreError.notFound(app) }
    let console = output.console
    if isCrashFree {
      let known = try store?.apps() ?? []
      let apps = known.map(\.name).filter { app == nil || $0 == app }
      if let app, apps.isEmpty { throw StoreError.notFound(app) }
      let days = try (Self.day(from), Self.day(to))
      let figures = try apps.map { name in
        CrashFreeText.Line(
          app: name,
          figures: try store?.crashFree(app: name, from: days.0, to: days.1, version: version)
            ?? CrashFree())
      }
      let text = CrashFreeText(lines: figures)
      if output.json { return try print(console) { text.write(to: &$0) } }
      return try console.write(lines: text.lines(width: console.width, styles: console.styles))
    }
    let ledger = try store?.ledger(app: app) ?? Ledger()
    if isLedger {
      let text = LedgerText(ledger: ledger)
      if output.json {
        try print(console) { text.write(to: &$0) }
      } else {
        try console.write(lines: text.lines(width: console.width, styles: console.styles))
      }
      guard ledger.faults.isEmpty else {
        throw CommandFailure(
          text.faults.joined(separator: "\n") + "\nthe ledger does not agree with what is stored")
      }
      return
    }
    var apps: [AppStats] = []
    for account in ledger.accounts {
      guard let name = account.app else { continue }
      apps.append(AppStats(account: account, groups: try store?.groupCount(of: name) ?? 0))
    }
    let text = StatsText(
      apps: apps, accounts: ledger.accounts, debugFiles: try store?.debugFileTotals(),
      space: app == nil && store != nil
        ? SpaceUse(ofHome: try HomeOptions.folder(named: home.home)) : nil)
    if output.json {
      try print(console) { text.write(to: &$0) }
    } else {
      if apps.isEmpty && ledger.accounts.isEmpty { return console.say("Nothing is stored.") }
      try console.write(lines: text.lines(width: console.width, styles: console.styles))
    }
  }

  private static func day(_ text: String?) throws -> Timestamp? {
    guard let text else { return nil }
    guard let day = Timestamp(text + "T00:00:00Z") else {
      throw UsageError("'\(text)' is no day; write 2026-03-01")
    }
    return day
  }

  private func print(_ console: Console, _ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter(pretty: true)
    write(&writer)
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
