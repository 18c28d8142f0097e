import APIDocuments
import Arguments
import Bytes
import CommandSupport
import Documents
import JSON
import Rendering
import Terminal

/// `mayday doctor`
struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "Send a test crash through every stage and report where it fails."
  static let discussion = """
    Without --server it checks the home: permissions, disk space, databases, clock, libraries, the \
    sandbox of child processes, the queue. Then a test crash passes through intake, queue, worker, \
    symbolication with its own debug file, grouping and a query, in a temporary folder inside the \
    home; nothing is counted.

    With --server it does the same through the server's API, with an admin token, under the app \
    mayday-doctor, and erases everything afterwards.

    Exits with 1 if a check fails and with 5 if the server cannot be reached. Warnings do not \
    change the exit status.
    """
  static let examples = [
    Example("mayday doctor --home /srv/mayday", "Check the home and everything that uses it."),
    Example(
      "mayday doctor --server https://crashes.example.org", "Check a server from any machine."),
  ]

  @Option("--server", help: "Check this server instead of the home.", value: "URL")
  var server: String?
  @Option("--token", help: "An admin token; $MAYDAY_TOKEN is safer.", value: "TOKEN")
  var token: String?
  @OptionGroup var authority = AuthorityOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    guard let server else { return }
    guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
      throw UsageError("--server begins with https:// or http://")
    }
    if token?.contains(where: { $0.isWhitespace || $0.isNewline }) == true {
      throw UsageError("the token must not contain spaces")
    }
  }

  func run() throws {
    let console = output.console
    var findings: [DoctorFinding] = []
    var isUnreachable = false
    /// Each finding is printed as soon as it is known: some take a while.
    func tell(_ finding: DoctorFinding) throws {
      findings.append(finding)
      if !output.json { try console.write(lines: Self.lines(of: finding, console)) }
    }
    if let server {
      // A failure here is a finding.
      let trial = ServerSelfTest(
        server: server, token: token ?? StoredTokens().token(for: server),
        sender: try authority.sender(tries: 1))
      isUnreachable = try !trial.run(tell)
    } else {
      try HomeCheck(home: HomeOptions.folder(named: home.home)).run(tell)
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for finding in findings { writer.write(finding) }
      writer.endArray()
      writer.newLine()
      try console.write(json: writer.takeBytes())
    }
    let failed = findings.count { $0.verdict == .failed }
    let warnings = findings.count { $0.verdict == .warning }
    if isUnreachable { throw AlreadyReported(code: .unreachable) }
    guard failed == 0 else {
      throw CommandFailure("\(GroupText.count(failed, "check", "checks")) failed")
    }
    console.say(
      warnings == 0
        ? "All is well." : "It works; \(GroupText.count(warnings, "warning", "warnings")).")
  }

  private static func lines(of finding: DoctorFinding, _ console: Console) -> [String] {
    let mark =
      switch finding.verdict {
      case .fine: "ok      "
      case .warning: "warning "
      case .failed: "FAILED  "
      case .skipped: "skipped "
      }
    var lines: [String] = []
    let head = mark + finding.name.padded(to: 15)
    for (number, text) in finding.text.printable.lines(of: max(40, console.width - 23))
      .enumerated()
    {
      lines.append((number == 0 ? head : "".padded(to: 23)) + text)
    }
    if let remedy = finding.remedy {
      for text in ("-> " + remedy.printable).lines(of: max(40, console.width - 23)) {
        lines.append("".padded(to: 23) + text)
      }
    }
    return lines
  }
}
