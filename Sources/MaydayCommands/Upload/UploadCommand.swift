import Arguments
import Bytes
import CrashModel
import Glibc
import HTTPClient
import JSON

/// `mayday upload`
struct UploadCommand: SandboxedCommand {
  static let name = "upload"
  static let summary = "Send debug files and crash files to a server, each once."
  static let discussion = """
    Folders, dSYM bundles and archives are walked; files that are neither are passed over. What the \
    server has already is not sent again, and an upload that broke off goes on where it was. When the \
    server is busy or the connection breaks, it is tried again for a while.

    The token needs the scopes symbols and ingest. Give it as $MAYDAY_TOKEN: other users of the machine \
    can read command lines. Exits with 6 when a file is refused, with 5 when the server cannot be \
    reached, with 4 when it does not take the token, with 1 when there is nothing to send at all.
    """
  static let examples = [
    Example(
      "mayday upload build/ --to https://crashes.example.org", "Whatever a build made."),
    Example(
      "mayday upload Tern.xcarchive --to https://mayday.lan --app Tern --release 1.4",
      "The archive of a release."),
    Example(
      "mayday upload crashes/ --to https://mayday.lan --json",
      "Crash files; the verdicts as JSON."),
  ]

  @Argument("PATH", help: "Files, folders, dSYM bundles and archives.") var paths: [String]
  @Option("--to", help: "The server's address, https://crashes.example.org.", value: "URL")
  var server: String?
  @Option("--token", help: "Who you are; better given as $MAYDAY_TOKEN.", value: "TOKEN")
  var token: String?
  @Option(
    "--app", help: "The app that all belongs to; else each report names its own.", value: "APP")
  var app: String?
  @Option(
    "--release",
    help: "The release of the debug files: 1.4.0, or '1.4.0 (512)' with the build.",
    value: "VERSION")
  var release: String?
  @Option(
    "--tries", help: "How often a request is tried before the server counts as away.", value: "N")
  var tries = RetryPlan().tries
  @OptionGroup var authority = AuthorityOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if tries < 1 { throw UsageError("--tries must be 1 or more") }
    guard let server else { throw UsageError("--to is needed: the server's address") }
    _ = try ServerAddress(server, option: "--to")
    if token?.contains(where: { $0.isWhitespace || $0.isNewline }) == true {
      throw UsageError("--token has no blanks")
    }
    if let release {
      if Release(release).isEmpty { throw UsageError("--release names no version") }
      if app == nil { throw UsageError("--release needs --app: whose release it is") }
    }
  }

  func run() throws {
    let console = output.console
    try InputPaths.check(paths)
    let bar = ProgressBar("Looking for files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    let client = UploadClient(
      server: try ServerAddress(server ?? "", option: "--to"), token: token, app: app,
      release: release, sender: try authority.sender(tries: tries), console: console)
    let session = UploadSession(client: client, console: console)
    bar.finish()
    let outcome = Result { try session.run(paths) }
    // What was done is told, whatever stopped the rest.
    let verdicts = session.verdicts
    if try output.printedJSON(verdicts, { $0.write($1) }) == false {
      let list = UploadVerdictList(verdicts: verdicts)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    func count(_ outcome: UploadVerdict.Outcome) -> Int {
      verdicts.count { $0.outcome == outcome }
    }
    let refused = count(.refused)
    console.say(
      "\(GroupText.count(count(.sent), "file", "files")) sent, \(count(.known)) known, "
        + "\(refused) refused; \(session.passedOver) passed over")
    try outcome.get()
    if refused > 0 {
      throw CommandFailure(
        "\(GroupText.count(refused, "file was", "files were")) refused", .incomplete)
    }
    // A build whose files were looked for in the wrong place must not pass for done.
    if verdicts.isEmpty {
      throw CommandFailure("neither debug files nor crash files are below the paths", .failed)
    }
  }
}
