import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashClient
import Documents
import Glibc
import HTTPClient
import Identifiers
import JSON
import Rendering
import Terminal

/// `mayday upload`
struct UploadCommand: SandboxedCommand {
  static let name = "upload"
  static let summary = "Send debug files and crash reports to a server, each only once."
  static let discussion = """
    Walks folders, dSYM bundles and archives, and prints the outcome for each file. A file that is \
    neither a debug file nor a crash report is skipped; --strict makes that a failure. Files that \
    the server already has are not sent again, and an interrupted upload continues where it \
    stopped. When the server is busy or the connection breaks, requests are retried for a while.

    A sent report is on the server's disk, waiting to be processed. With --wait the outcome is \
    stored, with its reports and their groups, or quarantined, with the reason.

    The token needs the scopes symbols and ingest. Give it as $MAYDAY_TOKEN: other users of the \
    machine can read command lines. Exits with 6 if a file is refused or quarantined, with 5 if \
    the server cannot be reached, with 4 if it rejects the token, and with 1 if there is nothing \
    to send.
    """
  static let examples = [
    Example(
      "mayday upload build/ --server https://crashes.example.org", "Everything a build produced."),
    Example(
      "mayday upload Tern.app --server https://mayday.lan -a Tern --release 1.4",
      "An archived release."),
    Example(
      "mayday upload crashes/ --server https://mayday.lan --wait --json",
      "Crash reports; outcomes as JSON, with their groups."),
  ]

  @Argument("PATH", help: "Files, folders, dSYM bundles and archives.") var paths: [String]
  @Option(
    "--server", "--to", help: "The server's address, https://crashes.example.org.", value: "URL")
  var server: String?
  @Option("--token", help: "API token; $MAYDAY_TOKEN is safer.", value: "TOKEN")
  var token: String?
  @Option(
    "-a", "--app", help: "Assign everything to this app; by default each report names its own.",
    value: "APP")
  var app: String?
  @Option(
    "--release",
    help: "The release of the debug files: 1.4.0, or '1.4.0 (512)' with the build.",
    value: "VERSION")
  var release: String?
  @Option(
    "--tries", help: "How often to try a request before giving up on the server.", value: "N")
  var tries = RetryPlan().tries
  @Flag("--wait", help: "Wait until the reports are processed, and print their groups.")
  var isWaiting
  @Flag("--strict", help: "Exit with 6 if a file is skipped.") var isStrict
  @OptionGroup var authority = AuthorityOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if tries < 1 { throw UsageError("--tries must be 1 or more") }
    guard let server else { throw UsageError("--server is needed: the server's address") }
    _ = try ServerAddress(server, option: "--server")
    if token?.contains(where: { $0.isWhitespace || $0.isNewline }) == true {
      throw UsageError("the token must not contain spaces")
    }
    if let release {
      if Release(release).isEmpty { throw UsageError("--release must be a version") }
      if app == nil { throw UsageError("--release needs --app") }
    }
  }

  func run() throws {
    let console = output.console
    try InputPaths.check(paths)
    let bar = ProgressBar("Looking for files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    let client = UploadClient(
      server: try ServerAddress(server ?? "", option: "--server"),
      token: token ?? server.flatMap { StoredTokens().token(for: $0) }, app: app,
      release: release, sender: try authority.sender(tries: tries), say: { console.say($0) },
      warn: { console.warn($0) })
    let session = UploadSession(client: client, console: console)
    bar.finish()
    let outcome = Result {
      try session.run(paths)
      if isWaiting { try session.waitForReports() }
    }
    // Finished files are printed, whatever interrupted the rest.
    let verdicts = session.verdicts
    if try output.printedJSON(verdicts, { $0.write($1) }) == false {
      let list = UploadVerdictList(verdicts: verdicts)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    func count(_ outcome: UploadVerdict.Outcome) -> Int {
      verdicts.count { $0.outcome == outcome }
    }
    let refused = verdicts.count { $0.outcome.isFailure }
    let skipped = count(.skipped)
    console.say(
      "\(GroupText.count(verdicts.count, "file", "files")): \(count(.sent) + count(.stored)) sent, "
        + "\(count(.known)) known, \(refused) refused, \(skipped) skipped"
        + Self.stored(verdicts))
    try outcome.get()
    if refused > 0 {
      throw CommandFailure(
        "\(GroupText.count(refused, "file was", "files were")) refused", .incomplete)
    }
    if isStrict, skipped > 0 {
      throw CommandFailure(
        "\(GroupText.count(skipped, "file was", "files were")) skipped", .incomplete)
    }
    // A wrong path must not look like a build whose files were uploaded.
    if skipped == verdicts.count {
      throw CommandFailure(
        "there are neither debug files nor crash reports under the paths", .failed)
    }
  }

  /// `; 2 of them hold 3 reports`, if these were waited for.
  private static func stored(_ verdicts: [UploadVerdict]) -> String {
    let stored = verdicts.filter { !$0.reports.isEmpty }
    guard let first = stored.first else { return "" }
    let reports = GroupText.count(stored.reduce(0) { $0 + $1.reports.count }, "report", "reports")
    let groups = Set(stored.flatMap { $0.reports.map(\.group) }).count
    let holders =
      stored.count == 1 ? first.path.printable + " holds" : "\(stored.count) of them hold"
    return "; \(holders) \(reports) in \(GroupText.count(groups, "group", "groups"))"
  }
}
