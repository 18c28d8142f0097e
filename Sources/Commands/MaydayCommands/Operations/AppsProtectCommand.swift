import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import Terminal

/// `mayday apps protect`
struct AppsProtectCommand: Command {
  static let name = "protect"
  static let summary = "Set which roles see who crashed, logs, and original submissions."
  static let discussion = """
    Each option names the least role that sees a part of the app's reports: viewer, triage or admin. \
    By default every role sees everything; options that are not given stay unchanged. Accounts and \
    tokens of lower roles get reports without the part, and cannot search or count by it. The \
    submission contains all parts: it needs the highest role of all. Commands on the home itself see \
    everything.
    """
  static let examples = [
    Example("mayday apps protect Tern --user triage", "Viewers do not see who crashed."),
    Example(
      "mayday apps protect Tern --submission admin",
      "Only admins see submissions and attachments."),
    Example(
      "mayday apps protect Tern --user viewer --submission viewer", "Everyone sees both again."),
  ]

  @Argument("APP", help: "The app's name.") var name: String
  @Option(
    "--user", help: "Ids of users, installations and sessions, and users' comments.", value: "ROLE")
  var user: String?
  @Option("--properties", help: "Properties that the app set.", value: "ROLE")
  var properties: String?
  @Option("--log", help: "Events before the crash, and standard error.", value: "ROLE")
  var log: String?
  @Option(
    "--submission", help: "The original submission, its archive, and attachments.", value: "ROLE")
  var submission: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  private var given: [(part: ReportProtection.Part, role: String)] {
    [
      (ReportProtection.Part.user, user), (.properties, properties), (.log, log),
      (.submission, submission),
    ].compactMap { part, role in role.map { (part, $0) } }
  }

  func validate() throws(UsageError) {
    if given.isEmpty {
      throw UsageError("nothing to set: give --user, --properties, --log or --submission")
    }
    for (part, role) in given where ReportProtection.Reader(rawValue: role) == nil {
      let roles = ReportProtection.Reader.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--\(part.rawValue): '\(role)' is not one of \(roles)")
    }
  }

  func run() throws {
    let service = try home.service()
    let known = try service.apps()
    guard let app = known.first(where: { $0.name == name }) else {
      throw StoreError.unknownApp(name, among: known.map(\.name))
    }
    var protection = app.protection
    for (part, role) in given {
      protection[part] = ReportProtection.Reader(rawValue: role) ?? protection[part]
    }
    try service.setProtection(protection, of: name)
    let console = output.console
    guard let changed = try service.apps().first(where: { $0.name == name }) else {
      throw StoreError.unknownApp(name, near: nil)
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(changed)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(
        lines: AppList.lines(
          for: changed.protection, width: console.width, styles: console.styles))
    }
  }
}
